"""What a study counts in a game of Sequence, told from the texts of its moves, its ends and its scores."""

from tests.replayed import Played, counted


def events(game: Played) -> dict[str, int]:
    fives = [item.reason.values["five"].split("-") for seat in game.items()[:2] for item in seat if item.rule == "S12"]
    corners = {"a1", "j1", "a10", "j10"}
    return {
        "two-eyed jacks played": counted(game.texts, "J[CD]@.*"),
        "one-eyed jacks played": counted(game.texts, "J[SH]x.*"),
        "dead cards exchanged": counted(game.texts, "dead .*"),
        "passes": counted(game.texts, "pass"),
        "fives chosen where there were several": counted(game.texts, "lock .*"),
        "sequences that stand at the end": len(fives),
        "… in a column": sum(a[0] == b[0] for a, b in fives),
        "… in a row": sum(a[1:] == b[1:] for a, b in fives),
        "… with a corner": sum(bool(corners & {a, b}) for a, b in fives),
        "games won with the chip of a two-eyed jack": counted(game.texts[-1:], "J[CD]@.*"),
    }
