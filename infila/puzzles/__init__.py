"""Puzzles out of play: positions in which one move is clearly better than all others (docs/how-to/puzzles.md).

- `puzzle`: what a puzzle is, and how hard it is.
- `collection`: a file of them, which grows; every game brings one.
- `trial`: whether one move of a position is clearly best, by games played on in many worlds.
- `finding`: puzzles in the positions of a game; `making`: in many games that computers play, or in one's own.

A puzzle is asked and answered by what its seat can know. What others hold was drawn anew for it, so that even its file
does not say what they held in the game from which it comes.
"""
