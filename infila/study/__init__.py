"""What many games say about a game: length, choices, scores, what going first is worth, how often each rule matters."""
