"""Why a move of Zatre is good or bad, in the words of the rulebook."""

from typing import Any

from infila.core.contract import Reason
from infila.core.rule import left_of
from infila.games.zatre.board import LIGHT, RED, SCORES, STEPS, VALUES, end, has, in_column, in_row, put, run
from infila.games.zatre.light import would_owe
from infila.games.zatre.notation import cell_name, place_of_action, places
from infila.games.zatre.rules import CELLS, DRAW, STOP, first_box, some
from infila.games.zatre.scoring import bonus

MOST = 4
POINTS = {10: 1, 11: 2, 12: 4}


def reasons(s: Any, action: int) -> list[Reason]:
    """The points of this tile first, then what it prepares, then what it leaves to others."""
    if action == STOP:
        return _stop(s)
    if action == DRAW:
        return _draw(s)
    value, place = action // CELLS + 1, place_of_action(action)
    after = s.copy()
    put(after, place, value)
    after.hand[int(s.turn), value - 1] -= 1
    lines = _lines(s, place, value)
    found = _points(s, lines)
    found += _crosses(s, after, place, value, lines)
    found += _prepares(after, place, lines)
    if not found:
        found.append(Reason("minus_saved", {"value": value}) if s.n_bag == 0 else Reason("no_points", {"value": value}))
    found += _leaves(s, after, place, value)
    return found[:MOST]


def _lines(s: Any, place: int, value: int) -> list[int]:
    """The sums of 10 to 12 that a tile makes here, the best first."""
    beside = int(in_row(s, place)), int(in_column(s, place))
    return sorted((pips + value for pips in beside if pips + value >= SCORES), reverse=True)


def _sheet_row(s: Any, pips: int) -> int:
    """Which row of the sheet the next box of a column is in, from 0."""
    return int(s.n_box[pips - SCORES, int(s.turn) >> int(s.teams)])


def _points(s: Any, lines: list[int]) -> list[Reason]:
    """Z15, Z18: what the lines bring to the sheet."""
    sheet = int(s.turn) >> int(s.teams)
    first = int(first_box(s, sheet))
    found, full = [], []
    for pips in lines:
        row = _sheet_row(s, pips)
        doubled = row < s.crosses[sheet]
        found.append(
            Reason(
                "line_doubled" if doubled else "line",
                {"pips": pips, "row": row + 1, "points": POINTS[pips] * (1 + doubled)},
            )
        )
        others = [column for column in range(3) if column != pips - SCORES]
        if all(
            s.box[column, first + row] > 0 or (SCORES + column in lines and _sheet_row(s, SCORES + column) == row)
            for column in others
        ):
            reason = Reason("fills_row", {"row": row + 1, "bonus": bonus(row) * (1 + doubled)})
            if reason not in full:
                full.append(reason)
    if len(lines) == 2 and lines[0] == lines[1]:
        row = _sheet_row(s, lines[0])
        points = 2 * POINTS[lines[0]] * (1 + (row < s.crosses[sheet]))
        found = [Reason("two_lines", {"pips": lines[0], "row": row + 1, "points": points})]
    return full + found


def _scores(s: Any, place: int) -> bool:
    pips = int(s.board[place])
    return bool(
        pips + run(s, place, STEPS[0]) + run(s, place, STEPS[1]) >= SCORES
        or pips + run(s, place, STEPS[2]) + run(s, place, STEPS[3]) >= SCORES
    )


def _crosses(s: Any, after: Any, place: int, value: int, lines: list[int]) -> list[Reason]:
    """Z9, Z10, Z17: light tiles, this one and those that waited for it."""
    found = []
    row = int(s.crosses[int(s.turn) >> int(s.teams)]) + 1
    if lines and (has(LIGHT, place) or s.opening):
        found.append(Reason("cross", {"cell": cell_name(RED if s.opening else place), "row": row}))
    for light in places(s.laid):
        if has(LIGHT, light) and not _scores(s, light) and _scores(after, light):
            found.append(Reason("makes_good", {"cell": cell_name(light), "row": row}))
    if would_owe(s, value - 1, place):
        found.append(Reason("owes", {"cell": cell_name(place)}))
    return found


def _ends(s: Any, place: int) -> list[int]:
    """The cells at the ends of the two lines of a tile."""
    return [int(end(s, place, step)) for step in STEPS]


def _offers(s: Any, place: int) -> list[tuple[int, int]]:
    """For an empty cell the sums that a tile there would make, with its value, the best first."""
    row, column = int(in_row(s, place)), int(in_column(s, place))
    most = max(row, column)
    values = range(max(1, SCORES - most), min(VALUES, 12 - most) + 1)
    return sorted(((most + value, value) for value in values), reverse=True)


def _prepares(after: Any, place: int, lines: list[int]) -> list[Reason]:
    """What another tile of the hand can make at the ends of this one's lines."""
    best: tuple[int, int, int] | None = None
    for at in _ends(after, place):
        for pips, value in _offers(after, at):
            if after.hand[int(after.turn), value - 1] > 0 and pips not in lines and (best is None or pips > best[0]):
                best = pips, value, at
    if best is None:
        return []
    return [Reason("prepares", {"pips": best[0], "value": best[1], "cell": cell_name(best[2])})]


def _leaves(s: Any, after: Any, place: int, value: int) -> list[Reason]:
    """What the next player can do here, and can no longer do."""
    if s.n_bag == 0:
        return []
    found = []
    taken = [offer for offer in _offers(s, place) if offer[1] != value and offer[0] == 12]
    if taken:
        found.append(Reason("denies", {"value": taken[0][1], "pips": taken[0][0]}))
    opened = [
        (pips, bool(has(LIGHT, at)), wanted, at)
        for at in _ends(after, place)
        for pips, wanted in _offers(after, at)
        if (pips, wanted) not in _offers(s, at)
    ]
    if not opened:
        found.append(Reason("opens_nothing", {}))
    else:
        pips, light, wanted, at = max(opened)
        key = "opens_light" if light else "opens"
        found.append(Reason(key, {"pips": pips, "value": wanted, "cell": cell_name(at)}))
    return found


def _hand(s: Any) -> list[int]:
    return [value for value in range(1, VALUES + 1) for _ in range(int(s.hand[int(s.turn), value - 1]))]


def _kept(key: str, tiles: list[int]) -> Reason:
    if len(tiles) == 1:
        return Reason(f"{key}_one", {"value": tiles[0], "minus": tiles[0]})
    return Reason(key, {"tiles": ", ".join(map(str, tiles)), "minus": sum(tiles)})


def _stop(s: Any) -> list[Reason]:
    """Z12, Z19: what is kept, and what that costs."""
    tiles = _hand(s)
    if s.n_bag == 0:
        return [_kept("keeps_minus", tiles)]
    found = [_kept("keeps", tiles)]
    turns = int(s.players) - 1
    if s.n_bag <= 2 * turns:
        found.append(_kept("keeps_risk", tiles))
    elif len(tiles) == 1:
        found.append(Reason("draws_one_less", {}))
    if not some(s.laid):
        found.append(Reason("lays_nothing", {}))
    return found


def _draw(s: Any) -> list[Reason]:
    """Z13, Z19."""
    if s.n_bag == 1:
        return [Reason("draws_last", {})]
    sides = int(s.players) >> int(s.teams)
    rival = int(left_of(int(s.turn) >> int(s.teams), sides)) << int(s.teams)
    return [
        Reason("draws", {"tiles": len(_hand(s)) + 1}),
        Reason("draws_leaves", {"bag": int(s.n_bag) - 1, "seat": rival + 1}),
    ]
