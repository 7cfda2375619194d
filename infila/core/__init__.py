"""What all games share: records, chance, the contract of a game, positions, logs."""
