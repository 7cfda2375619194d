"""What many games tell of a game: length, choices, scores, the worth of beginning, and how often each rule matters."""
