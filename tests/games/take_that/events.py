"""What a study counts in a game of Take That, told from the texts of its moves, its ends and its scores."""

from tests.replayed import Played, counted, winners


def events(game: Played) -> dict[str, int]:
    items = game.items()
    toads = [sum("toad" in item.reason.key for item in seat) for seat in items]
    plus = [sum(item.points for item in seat if item.points > 0) for seat in items]
    milder = [score + 4 * toad for score, toad in zip(game.scores, toads, strict=True)]
    unloved = [score - pairs for score, pairs in zip(game.scores, plus, strict=True)]
    rows = [item for seat in items for item in seat if item.rule == "T8" and item.points < 0]
    return {
        "cards placed": counted(game.texts, r"\d\d"),
        "pairs twisted": counted(game.texts, r"\d\dx\d\d"),
        "rows taken": counted(game.texts, "take"),
        "cards taken with rows": len(rows),
        "toads among them": sum(item.points == -5 for item in rows),
        "extra cards taken": sum(item.rule == "T10" for seat in items for item in seat),
        "were toads −1 another would have won": int(winners(milder) != winners(game.scores)),
        "without plus cards another would have won": int(winners(unloved) != winners(game.scores)),
    }
