"""What the oracles share: plain, slow Python, written from the rules alone. Each game's is in tests/games."""
