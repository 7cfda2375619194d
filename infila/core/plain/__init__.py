"""What stands in for the modules that a game need not bring: screen, picture, heuristics, features and texts.

With rules, options, notation and scoring alone a game is complete: it plays in batches, in the arena, as an environment
and at a table. What is here knows no game, so it shows a position as its JSON, learns from the record as it is, and
plays by searching.
"""
