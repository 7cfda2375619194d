"""What a study counts in a game of Zatre, told from the texts of its moves, its ends and its scores."""

from infila.core.record import plain
from infila.games.zatre.sheet import sheet_of
from tests.replayed import Played, counted, winners


def events(game: Played) -> dict[str, int]:
    end, items = game.ends[-1], game.items()[::2]  # a pair's are the same
    boxes = [sheet_of(plain(end), sheet).rows for sheet in range(2)]
    plain_rows = [
        [
            (tens + 2 * elevens + 4 * twelves) * (1 + (row < end.crosses[sheet]))
            for row, (tens, elevens, twelves) in rows
        ]
        for sheet, rows in enumerate(map(enumerate, boxes))
    ]
    minus = [sum(item.points for item in sheet if item.rule == "Z19") for sheet in items]
    totals = [float(sum(item.points for item in sheet)) for sheet in items]
    without = {
        "without the minus another would have won": [a - b for a, b in zip(totals, minus, strict=True)],
        "without the bonus another would have won": [sum(a) + b for a, b in zip(plain_rows, minus, strict=True)],
        "without doubled rows another would have won": [
            float(sum(item.points for item in sheet if item.rule != "Z18")) for sheet in items
        ],
    }
    lines = [sum(counts[k] for rows in boxes for counts in rows) for k in range(3)]
    return {
        "tiles laid": counted(game.texts, r"\d@.*"),
        "turns ended with tiles kept that could be laid": counted(game.texts, "stop"),
        "tiles drawn though nobody had to": counted(game.texts, "draw"),
        **{f"lines of {10 + k}": lines[k] for k in range(3)},
        "crosses": int(end.crosses.sum()),
        "rows that earn the bonus": sum(item.rule == "Z3" for sheet in items for item in sheet),
        "pips counted as minus": -sum(minus),
        **{event: int(winners(others) != winners(totals)) for event, others in without.items()},
    }
