"""What a study counts in a game of Completto, told from the texts of its moves, its ends and its scores."""

from tests.replayed import Played, counted


def events(game: Played) -> dict[str, int]:
    return {
        "covered tiles drawn from the middle": counted(game.texts, "draw"),
        "open tiles taken from the middle": counted(game.texts, "take .*"),
        "covered tiles moved": counted(game.texts, ".*>.*"),
        "minus points noted": -sum(game.scores),
        "rows completed": sum(int((end.n_open == 22).any()) for end in game.ends),
        "games that reach 1,000 turns": sum(int(not (end.n_open == 22).any()) for end in game.ends),
    }
