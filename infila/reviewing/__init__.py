"""What was luck, what was skill: a game that was played, looked at once more (docs/explanation/review.md).

- `judge`: what a position, or a move in it, is worth, by playing on from it many times.
- `choices`: a decision: which move was best, and by how much another one fell short of it.
- `walk`: a game as a row of positions, and what each seat saw of them.
- `chain`: what a seat could expect, from the deal to the end, so that all steps add up.
- `reviewer`: what has to be known about a game, known better from pass to pass.
- `ledger`: what a review says; `sums` makes it of what is known.
"""
