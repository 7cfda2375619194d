"""Completto as numbers to learn from (`core/features.py`).

Nobody knows more than anybody else (C13): the viewer only decides where the seats are counted from. There is no
symmetry but the identity: counted from the other end, different tiles could be turned (C9).
"""

from infila.core.bits import lowest_bit
from infila.core.features import MOST, Feature, cut, identity, lay_out, seat_from
from infila.core.record import Ints, int64
from infila.core.rule import rule
from infila.games.completto.rules import (
    ACTIONS,
    BITS,
    CAP,
    FEWEST,
    PHASES,
    ROW,
    SEATS,
    TILES,
    TURNED,
    State,
    numbers_between,
)

FEATURES = lay_out(
    Feature("open", (SEATS, ROW), 0, 1, "the places of each row where an open tile stands"),
    Feature("covered", (SEATS, ROW), 0, 1, "the places of each row where a covered tile stands"),
    Feature("shows", (SEATS, ROW), 0, TILES, "the number that each open tile shows"),
    Feature("lowest", (SEATS, ROW), 0, TILES + 1, "the lowest number that may stand there, of an open tile its own"),
    Feature(
        "highest", (SEATS, ROW), 0, TILES + 1, "the highest number that may stand there; less than the lowest if none"
    ),
    Feature("middle", (TILES,), 0, 1, "the open tiles of the middle, by their own numbers from 1"),
    Feature("unseen", (TILES,), 0, 1, "the tiles that were never turned up, by their own numbers from 1"),
    Feature("hand", (TILES,), 0, 1, "the tile in hand, by its own number from 1"),
    Feature("hand_number", (2,), 0, TILES, "the number of the tile in hand, and its number upside down (C9)"),
    Feature("phase", (len(PHASES),), 0, 1, "the start (C2), a turn, or a tile is in hand and must be placed"),
    Feature("seated", (SEATS,), 0, 1, "the seats that somebody sits on"),
    Feature("on_turn", (SEATS,), 0, 1, "the seat on turn"),
    Feature("starter", (SEATS,), 0, 1, "the seat that started this game"),
    Feature("open_tiles", (SEATS,), 0, ROW, "how many open tiles stand in each row"),
    Feature(
        "lead", (SEATS,), -MOST, MOST, "how many minus points each seat has less than the viewer, this game left out"
    ),
    Feature("middle_covered", (1,), 0, TILES, "how many covered tiles lie in the middle"),
    Feature("turns_to_come", (1,), 0, MOST, "turns until this game ends anyhow (C12)"),
    Feature("games_to_come", (1,), 0, MOST, "games of the match after this one"),
    Feature("players", (1,), FEWEST, SEATS, "how many play"),
    Feature("over", (1,), 0, 1, "the match is over"),
)
SIZE = sum(feature.size for feature in FEATURES)
SYMMETRIES = (identity(SIZE, ACTIONS),)

_AT = {feature.name: feature.offset for feature in FEATURES}
_OPEN, _COVERED, _SHOWS, _LOWEST, _HIGHEST = (_AT[name] for name in ("open", "covered", "shows", "lowest", "highest"))
_MIDDLE, _UNSEEN, _HAND, _HAND_NUMBER, _PHASE = (
    _AT[name] for name in ("middle", "unseen", "hand", "hand_number", "phase")
)
_SEATED, _ON_TURN, _STARTER, _OPEN_TILES, _LEAD = (
    _AT[name] for name in ("seated", "on_turn", "starter", "open_tiles", "lead")
)
_MIDDLE_COVERED, _TURNS, _GAMES = (_AT[name] for name in ("middle_covered", "turns_to_come", "games_to_come"))
_PLAYERS, _OVER = _AT["players"], _AT["over"]


@rule
def observe_row(s: State, seat: int, first: int, out: Ints) -> None:
    """A row, gap after gap; a covered tile's place may take any number between those of its gap (C6)."""
    place = first
    for gap in range(int64(s.n_open[seat]) + 1):
        shown = int64(s.shows[seat, gap + 1])
        lowest, highest = numbers_between(int64(s.shows[seat, gap]), shown)
        end = first + int64(s.at[seat, gap + 1])
        while place < end:
            out[_COVERED + place] = 1
            out[_LOWEST + place] = lowest
            out[_HIGHEST + place] = highest
            place += 1
        if gap < s.n_open[seat]:
            out[_OPEN + place] = 1
            out[_SHOWS + place] = shown
            out[_LOWEST + place] = shown
            out[_HIGHEST + place] = shown
            out[_UNSEEN + int64(s.row[seat, place - first]) - 1] = 0
            place += 1


@rule
def observe_middle(s: State, out: Ints) -> None:
    for word in range(2):
        bits = int64(s.lying[word])
        while bits != 0:
            tile = word * BITS + lowest_bit(bits)
            bits &= bits - 1
            out[_MIDDLE + tile - 1] = 1
            out[_UNSEEN + tile - 1] = 0


@rule
def observe(s: State, viewer: int, out: Ints) -> None:
    viewer = int64(viewer)
    players = int64(s.players)
    hand = int64(s.hand)
    for i in range(SIZE):
        out[i] = 0
    for i in range(TILES):
        out[_UNSEEN + i] = 1
    for steps in range(players):
        seat = seat_from(viewer, steps, players)
        observe_row(s, seat, ROW * steps, out)
        out[_SEATED + steps] = 1
        out[_ON_TURN + steps] = seat == s.turn
        out[_STARTER + steps] = seat == s.starter
        out[_OPEN_TILES + steps] = s.n_open[seat]
        out[_LEAD + steps] = cut(int64(s.points[viewer]) - int64(s.points[seat]))
    observe_middle(s, out)
    if hand > 0:
        out[_HAND + hand - 1] = 1
        out[_UNSEEN + hand - 1] = 0
        out[_HAND_NUMBER] = hand
        out[_HAND_NUMBER + 1] = TURNED[hand]
    out[_PHASE + int64(s.phase)] = 1
    out[_MIDDLE_COVERED] = s.n_covered
    out[_TURNS] = cut(CAP - int64(s.turns))
    out[_GAMES] = cut(int64(s.games) - int64(s.game_now) - 1)
    out[_PLAYERS] = s.players
    out[_OVER] = s.ended
