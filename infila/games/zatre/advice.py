"""Why a move of Zatre is good or bad, in the words of the rulebook.

A turn goes on after a tile. So what a tile brings is the difference that it makes to the sheet as of this turn, and
what it opens to others is judged once the tile that it prepares has been laid too.
"""

from typing import NamedTuple

import numpy as np

from infila.core import driver
from infila.core.contract import Reason
from infila.core.record import copied
from infila.games.zatre.board import LIGHT, RED, STEPS, earns_cross, end, has, in_column, in_row
from infila.games.zatre.light_cells import would_owe
from infila.games.zatre.lines import lines_made, with_tile
from infila.games.zatre.notation import TILE_VALUES, cell_name, places
from infila.games.zatre.rules import (
    DRAW,
    MAX_LEGAL,
    STOP,
    TILES_A_TURN,
    partner_follows,
    place_laid,
    printed_bonus,
    some,
    tiles_short,
    value_laid,
)
from infila.games.zatre.sheet import Sheet, line_points, sheet_before, sheet_now, sheet_on_turn
from infila.games.zatre.state import MOST_PIPS, SCORES, SUPPLY, VALUES, State

MOST = 4


class Offer(NamedTuple):
    """A line that one tile can make on an empty cell."""

    pips: int
    light: bool
    value: int
    place: int

    def gaps(self) -> dict[str, int | str]:
        return {"pips": self.pips, "value": self.value, "cell": cell_name(self.place)}


def reasons(s: State, action: int) -> list[Reason]:
    """The points of this tile first, then what it prepares, then what it leaves to others."""
    if action == STOP:
        return _stop(s)[:MOST]
    if action == DRAW:
        return _draw(s)
    value, place = value_laid(action), place_laid(action)
    after = with_tile(s, value, place)
    points = _points(s, after, place, value)
    found = _owes(s, place, value)
    last, tiles = after, [place]
    if prepared := _prepared(after, place):
        found.append(Reason("prepares", prepared.gaps()))
        last, tiles = with_tile(after, prepared.value, prepared.place), [place, prepared.place]
    if not points and not found:
        last_turn = s.n_bag <= _draws_of_others(s)[0]
        found.append(Reason("minus_saved" if last_turn else "no_points", {"value": value}))
    if partner_follows(s):
        found += _helps(s, last, tiles)
    elif s.n_bag > 0:
        found += _denies(s, place, value) + _opens(s, last, tiles)
    return points + found[: max(0, MOST - len(points))]


def _points(s: State, after: State, place: int, value: int) -> list[Reason]:
    """Z15 to Z18: everything a tile adds to the sheet, most points first. A cross doubles what its row then holds."""
    before, now = sheet_now(s), sheet_now(after)
    found = _bonuses(before, now) + _lines(s, before, place, value) + _crosses(s, after, place, before, now)
    return sorted(found, key=lambda reason: -int(reason.values["points"]))


def _bonuses(before: Sheet, now: Sheet) -> list[Reason]:
    """Rows that are now full, or no longer full because their line has been lengthened."""
    found = []
    for row in range(max(len(before.rows), len(now.rows))):
        points = before.times(row) * printed_bonus(row)
        if now.full(row) and not before.full(row):
            found.append(Reason("fills_row", {"row": row + 1, "points": points}))
        elif before.full(row) and not now.full(row):
            found.append(Reason("empties_row", {"row": row + 1, "points": -points, "lost": points}))
    return found


def _lines(s: State, before: Sheet, place: int, value: int) -> list[Reason]:
    made = lines_made(s, place, value)
    if len(made) == 2 and made[0] == made[1] and made[0][1] == 0:
        pips, row = made[0][0], _row(s, made[0][0])
        points = 2 * line_points(pips) * before.times(row)
        return [Reason("two_lines", {"pips": pips, "row": row + 1, "points": points})]
    return [_line(s, before, pips, lengthened) for pips, lengthened in made]


def _row(s: State, pips: int) -> int:
    """The row of the sheet, from 0, in which this turn's lines of `pips` are written."""
    return int(s.n_box[pips - SCORES, sheet_on_turn(s)])


def _line(s: State, before: Sheet, pips: int, lengthened: int) -> Reason:
    row = _row(s, pips)
    points = line_points(pips) * before.times(row)
    if lengthened:
        points -= line_points(lengthened) * before.times(_row(s, lengthened))
        return Reason("lengthens", {"shorter": lengthened, "pips": pips, "row": row + 1, "points": points})
    key = "line_doubled" if before.crossed(row) else "line"
    if before.counts(row)[pips - SCORES] > 0:
        key = "line_again"
    return Reason(key, {"pips": pips, "row": row + 1, "points": points})


def _crosses(s: State, after: State, place: int, before: Sheet, now: Sheet) -> list[Reason]:
    """Z10, Z17: the crosses of this tile, of light ones that waited for it, and of red."""
    cells = [("cross", place)] if earns_cross(after, place) else []
    cells += [
        ("makes_good", light) for light in places(s.laid) if earns_cross(after, light) and not earns_cross(s, light)
    ]
    if now.crosses - before.crosses > len(cells):
        cells.append(("cross", RED))
    found = []
    for row, (key, cell) in enumerate(cells, before.crosses):
        points = (now.times(row) - 1) * now.points(row)
        values = {"cell": cell_name(cell), "row": row + 1, "points": points}
        found.append(Reason(key if points else f"{key}_empty", values))
    return found


def _owes(s: State, place: int, value: int) -> list[Reason]:
    return [Reason("owes", {"cell": cell_name(place)})] if would_owe(s, value - 1, place) else []


def _lays(s: State) -> list[tuple[int, int]]:
    """The tiles that can be laid now, each with its place."""
    out = np.zeros(MAX_LEGAL, np.int16)
    n = int(driver.legal_at(copied(np.asarray(s)), 0, out))
    return [(value_laid(action), place_laid(action)) for action in out[:n].tolist() if action < DRAW]


def _prepared(after: State, place: int) -> Offer | None:
    """The other tile in hand that brings the most at an end of this one's lines, in a line with it."""
    now = sheet_now(after)
    best = None
    along = {int(end(after, place, step)): in_row if k < 2 else in_column for k, step in enumerate(STEPS)}
    for value, at in _lays(after):
        pips = int(along[at](after, at)) + value if at in along else 0
        if pips >= SCORES:
            then = sheet_now(with_tile(after, value, at))
            gain = then.total() - now.total(), then.crosses - now.crosses, Offer(pips, bool(has(LIGHT, at)), value, at)
            if gain[:2] > (0, 0) and (best is None or gain > best):
                best = gain
    return best[2] if best else None


def _offers(s: State, place: int) -> list[Offer]:
    """The lines that a tile on an empty cell would make, the best first."""
    most = max(int(in_row(s, place)), int(in_column(s, place)))
    values = range(max(1, SCORES - most), min(VALUES, MOST_PIPS - most) + 1)
    return [Offer(most + value, bool(has(LIGHT, place)), value, place) for value in reversed(values)]


def _opened(s: State, last: State, tiles: list[int]) -> list[Offer]:
    """What can be made at the ends of these tiles' lines, but could not be made before."""
    ends = {int(end(last, place, step)) for place in tiles for step in STEPS}
    return [offer for at in ends for offer in _offers(last, at) if offer not in _offers(s, at)]


def _unseen(s: State, value: int) -> bool:
    """Whether others can have such a tile, or draw it."""
    own = sheet_on_turn(s) << int(s.teams)
    held = sum(int(s.hand[seat, value - 1]) for seat in range(own, own + 1 + int(s.teams)))
    lying = s.board.tolist().count(value)
    return lying + held < SUPPLY[value - 1]


def _helps(s: State, last: State, tiles: list[int]) -> list[Reason]:
    partner = int(s.turn) ^ 1
    opened = [offer for offer in _opened(s, last, tiles) if s.hand[partner, offer.value - 1] > 0]
    return [Reason("helps", max(opened).gaps())] if opened else []


def _denies(s: State, place: int, value: int) -> list[Reason]:
    """The line of 12, the best there is, that others can no longer make on this cell."""
    taken = [
        each for each in _offers(s, place) if each.pips == MOST_PIPS and each.value != value and _unseen(s, each.value)
    ]
    return [Reason("denies", {"value": taken[0].value, "pips": taken[0].pips})] if taken else []


def _opens(s: State, last: State, tiles: list[int]) -> list[Reason]:
    opened = [offer for offer in _opened(s, last, tiles) if _unseen(s, offer.value)]
    if not opened:
        return [Reason("opens_nothing", {})]
    best = max(opened)
    key = "opens" if _lays(last) else "leaves"
    return [Reason(f"{key}_light" if best.light else key, best.gaps())]


def _hand(s: State) -> list[int]:
    return [value for value in TILE_VALUES for _ in range(int(s.hand[int(s.turn), value - 1]))]


def _kept(key: str, tiles: list[int]) -> Reason:
    if len(tiles) == 1:
        return Reason(f"{key}_one", {"value": tiles[0], "minus": tiles[0]})
    return Reason(key, {"tiles": ", ".join(map(str, tiles)), "minus": sum(tiles)})


def _stop(s: State) -> list[Reason]:
    """Z12, Z19: what the turn has brought, why to keep the rest, and what that costs."""
    tiles = _hand(s)
    earned = sheet_now(s).total() - sheet_before(s).total()
    found = [Reason("ends_with", {"earned": earned})] if earned > 0 else []
    least, most = _draws_of_others(s)
    if s.n_bag <= least:
        return [*found, _kept("keeps_minus", tiles)]
    risk = s.n_bag <= most
    found += _instead(s, risk)
    found.append(_kept("keeps_risk" if risk else "keeps", tiles))
    if len(tiles) == 1 and s.n_bag - most >= TILES_A_TURN << int(s.teams):
        found.append(Reason("draws_one_less", {}))
    elif len(tiles) == 1 and s.n_bag - least == 1 and not s.teams:
        found.append(Reason("draws_last_anyway", {}))
    return found if some(s.laid) else [*found, Reason("lays_nothing", {})]


def _draws_of_others(s: State) -> tuple[int, int]:
    """Z13: the fewest and the most tiles that are drawn until this side's next turn."""
    kept = [int(s.n_hand[seat]) for seat in range(int(s.players)) if seat >> int(s.teams) != sheet_on_turn(s)]
    partner = 1 if partner_follows(s) and not s.drawn_second else 0
    return sum(map(tiles_short, kept)), sum(max(1, tiles_short(n)) for n in kept) + partner


def _instead(s: State, risk: bool) -> list[Reason]:
    """What the tiles kept would do now."""
    lays = _lays(s)
    scoring = [offer for value, place in lays for offer in _offers(s, place) if offer.value == value]
    if scoring:
        return [] if risk else [Reason("still_makes", max(scoring).gaps())]
    found = [_kept("scores_nowhere", _hand(s))]
    if not partner_follows(s) and all(
        any(_unseen(s, offer.value) for offer in _opened(s, with_tile(s, value, place), [place]))
        for value, place in lays
    ):
        found.append(Reason("opens_everywhere", {}))
    return found


def _draw(s: State) -> list[Reason]:
    """Z13, Z19."""
    if s.n_bag == 1:
        return [Reason("draws_last", {})]
    return [Reason("draws", {"tiles": len(_hand(s)) + 1}), Reason("draws_leaves", {"bag": int(s.n_bag) - 1})]
