"""Sequence in text and JSON.

`7S@b2` a chip on b2, `JC@e5` a two-eyed jack, `JSxe5` a one-eyed jack, `dead 7S`, `lock c4-g4`, `draw`, `discard 7S`,
`pass`, `offence 1`.
"""

import re
from collections.abc import Mapping
from functools import cache
from types import SimpleNamespace
from typing import Any

from infila.core.contract import refuse
from infila.core.errors import BadPosition, IllegalMove
from infila.core.fields import checked_integer, checked_list, checked_members, entry, flat, integer, lists, one_of
from infila.core.record import plain
from infila.core.words import Saying, joined, saying
from infila.games.sequence.board import (
    CARD_NAMES,
    CARDS,
    CELLS_OF_FIVES,
    COPIES,
    CORNERS,
    FIVES,
    JACKS,
    KINDS_OF_CARDS,
    PRINTED,
    THROUGH,
    are_apart,
    cells_of,
    is_one_eyed,
    is_two_eyed,
    printed_on,
)
from infila.games.sequence.chips import count_sequence, is_countable, next_countable, put_chip, put_corners
from infila.games.sequence.rules import (
    CARD,
    DEAD,
    DISCARD,
    DRAW,
    LOCK,
    OFFENCE,
    ONE_EYED,
    PASS,
    TWO_EYED,
    card_of,
    cell_of,
    cut_rank,
    first_of_jack,
)
from infila.games.sequence.state import EACH, LAST_TURN, OPEN, SIDE, State, has_partners, needed, side_of

GAME = "infila.games.sequence"
CARD_NUMBERS = {name: card for card, name in enumerate(CARD_NAMES) if card}
SUITS = {"S": "♠", "H": "♥", "D": "♦", "C": "♣"}
CELL_NAMES = tuple(column + str(row) for row in range(1, 11) for column in "abcdefghij")
CELL_NUMBERS = {name: cell for cell, name in enumerate(CELL_NAMES)}


def card_sign(card: int) -> str:
    """A card as written in a sentence, the same in all languages: 10♥."""
    name = CARD_NAMES[card]
    return rank_sign(name) + SUITS[name[1]]


def rank_sign(name: str) -> str:
    """The rank of a card as shown: 10 instead of T."""
    return "10" if name[0] == "T" else name[0]


def is_red(name: str) -> bool:
    return name[1] in "HD"


def five_name(five: int) -> str:
    """A five by its ends, as in `lock`."""
    return f"{CELL_NAMES[cells_of(five)[0]]}-{CELL_NAMES[cells_of(five)[-1]]}"


FIVE_NUMBERS = {five_name(five): five for five in CELLS_OF_FIVES}


def is_dead(p: SimpleNamespace, card: int) -> bool:
    """S10, of a state made `plain`: both cells of the card are covered."""
    return 0 < card <= JACKS and all(p.board[cell] != OPEN for cell in printed_on(card))


def text(s: State, action: int) -> str:
    if action < DEAD:
        sign = "x" if action >= ONE_EYED else "@"
        return f"{CARD_NAMES[card_of(action)]}{sign}{CELL_NAMES[cell_of(action)]}"
    if action < LOCK:
        return f"dead {CARD_NAMES[card_of(action)]}"
    if action < DRAW:
        return f"lock {five_name(action - LOCK)}"
    if action < DISCARD:
        return "draw"
    if action < PASS:
        return f"discard {CARD_NAMES[card_of(action)]}"
    return "pass" if action == PASS else f"offence {action - OFFENCE + 1}"


def parse(s: State, text: str, seat: int) -> int:
    words = text.lower().split()
    match words:
        case ["draw"]:
            return DRAW + seat
        case ["pass"]:
            return PASS
        case ["dead", name]:
            return _parse_dead(name)
        case ["discard", name]:
            return DISCARD + seat * KINDS_OF_CARDS + _parse_card(name) - 1
        case ["lock", name]:
            return _parse_lock(name)
        case ["offence", side] if re.fullmatch("[0-9]", side):
            if not 1 <= int(side) <= s.sides:
                raise refuse(GAME, "S17", "no_side", side=side, last=int(s.sides))
            return OFFENCE + int(side) - 1
    if match := re.fullmatch(r"(10|[2-9tjqka])([shdc])(?:([@x])([a-j](?:10|[1-9])))?", "".join(words)):
        return _parse_play(_parse_card(match[1] + match[2]), match[3], match[4])
    raise refuse(GAME, "", "no_move", text=text)


def _parse_card(name: str) -> int:
    card = CARD_NUMBERS.get(name.upper().replace("10", "T"))
    if card is None:
        raise refuse(GAME, "S1", "no_card", card=name)
    return card


def _parse_dead(name: str) -> int:
    card = _parse_card(name)
    if card > JACKS:
        raise refuse(GAME, "S10", "jacks_live")
    return DEAD + card - 1


def _parse_lock(name: str) -> int:
    ends = name.split("-")
    five = FIVE_NUMBERS.get(name) or FIVE_NUMBERS.get("-".join(reversed(ends)))
    if five is None:
        raise refuse(GAME, "S12", "no_five", five=name)
    return LOCK + five


def _parse_play(card: int, sign: str | None, cell_name: str | None) -> int:
    name = CARD_NAMES[card]
    if cell_name is None:
        if card > JACKS:
            raise refuse(GAME, "S9", "say_where" if is_two_eyed(card) else "say_which", card=name)
        one, other = printed_on(card)
        raise refuse(GAME, "S7", "say_cell", card=name, one=CELL_NAMES[one], other=CELL_NAMES[other])
    cell = CELL_NUMBERS[cell_name]
    if is_one_eyed(card):
        if sign == "@":
            raise refuse(GAME, "S9", "one_eye", card=name, cell=cell_name)
        _refuse_corner(cell)
        return first_of_jack(card) + cell
    if sign == "x":
        raise refuse(GAME, "S9", "no_one_eye", card=name, cell=cell_name)
    _refuse_corner(cell)
    if card > JACKS:
        return first_of_jack(card) + cell
    if PRINTED[cell] != name:
        one, other = printed_on(card)
        places = {"one": CELL_NAMES[one], "other": CELL_NAMES[other]}
        raise refuse(GAME, "S7", "not_printed", cell=cell_name, card=name, printed=PRINTED[cell], **places)
    return CARD + 2 * (card - 1) + printed_on(card).index(cell)


def _refuse_corner(cell: int) -> None:
    if cell in CORNERS:
        raise refuse(GAME, "S8", "corner")


def refusal(s: State, action: int, seat: int) -> IllegalMove:
    p = plain(s)
    if action >= OFFENCE:
        return _no_offence(p)
    if p.owing:
        return _owed_first(p, action, seat)
    if DISCARD <= action < PASS:
        return refuse(GAME, "S17", "no_discard")
    if DRAW <= action < DISCARD:
        if not p.draw:
            return refuse(GAME, "S7", "draws_itself")
        return refuse(GAME, "S22", "no_draw")
    if seat != p.turn:
        return refuse(GAME, "S6", "not_your_turn", seat=p.turn + 1)
    if p.locking:
        ways = joined("or", (f"lock {five_name(five)}" for five in fives_to_lock(s, p.locking - 1)))
        return refuse(GAME, "S12", "lock_first", ways=ways)
    if LOCK <= action < DRAW:
        return refuse(GAME, "S21", "no_lock")
    if action == PASS:
        return _no_pass(p)
    return _no_card(p, action)


def _no_offence(p: SimpleNamespace) -> IllegalMove:
    if not p.table_talk:
        return refuse(GAME, "S17", "talk_allowed")
    if not has_partners(p.players, p.sides):
        return refuse(GAME, "S24", "all_alone")
    if p.owing:
        return refuse(GAME, "S23", "last_offence_first", seats=_seats(p))
    return refuse(GAME, "S23", "nothing_to_discard")


def _owed_first(p: SimpleNamespace, action: int, seat: int) -> IllegalMove:
    hand = p.hand[seat][: p.n_hand[seat]]
    if not p.owing >> seat & 1:
        return refuse(GAME, "S23", "discard_awaited", seats=_seats(p))
    if DISCARD <= action < PASS:
        return _not_held(card_of(action), hand)
    return refuse(GAME, "S23", "discard_owed", card=CARD_NAMES[hand[0]])


def _no_pass(p: SimpleNamespace) -> IllegalMove:
    if p.turn in p.undrawn[: p.n_undrawn]:
        return refuse(GAME, "S20", "no_pass_draw")
    return refuse(GAME, "S20", "no_pass")


def _no_card(p: SimpleNamespace, action: int) -> IllegalMove:
    hand = p.hand[p.turn][: p.n_hand[p.turn]]
    card, cell = card_of(action), 0 if action >= DEAD else cell_of(action)
    name, cell_name, here = CARD_NAMES[card], CELL_NAMES[cell], p.board[cell]
    if card not in hand:
        return _not_held(card, hand)
    if action >= DEAD:
        if not is_dead(p, card):
            free = next(CELL_NAMES[cell] for cell in printed_on(card) if p.board[cell] == OPEN)
            return refuse(GAME, "S10", "not_dead", card=name, cell=free)
        return refuse(GAME, "S10", "exchanged")
    if action >= ONE_EYED:
        if here == OPEN:
            return refuse(GAME, "S9", "no_chip", cell=cell_name)
        if here & SIDE == side_of(p.sides, p.turn) + 1:
            return refuse(GAME, "S9", "own_chip", cell=cell_name)
        return refuse(GAME, "S12", "safe_chip", cell=cell_name)
    if action >= TWO_EYED:
        return refuse(GAME, "S9", "covered", cell=cell_name)
    if is_dead(p, card):
        return refuse(GAME, "S10", "dead", card=name)
    free = next(CELL_NAMES[cell] for cell in printed_on(card) if p.board[cell] == OPEN)
    return refuse(GAME, "S7", "covered_other_open", cell=cell_name, card=name, free=free)


def _not_held(card: int, hand: list[int]) -> IllegalMove:
    if not hand:
        return refuse(GAME, "S7", "not_held_none", card=CARD_NAMES[card])
    return refuse(GAME, "S7", "not_held", card=CARD_NAMES[card], hand=" ".join(CARD_NAMES[each] for each in hand))


def owing_seats(p: SimpleNamespace) -> list[int]:
    return [seat for seat in range(p.players) if p.owing >> seat & 1]


def _seats(p: SimpleNamespace) -> Saying:
    seats = [str(seat + 1) for seat in owing_seats(p)]
    if len(seats) == 1:
        return saying(GAME, "one_seat", seat=seats[0])
    return saying(GAME, "seats", seats=joined("and", (", ".join(seats[:-1]), seats[-1])))


def parts(s: State, action: int) -> tuple[str, ...]:
    if action < DEAD:
        return (f"hand-{CARD_NAMES[card_of(action)]}", f"cell-{CELL_NAMES[cell_of(action)]}")
    if action < LOCK:
        return (f"hand-{CARD_NAMES[card_of(action)]}", "discards")
    if action < DRAW:
        cells = cells_of(action - LOCK)
        return (f"cell-{CELL_NAMES[cells[0]]}", f"cell-{CELL_NAMES[cells[-1]]}")
    if action < DISCARD:
        return ("pile",)
    if action < PASS:
        return (f"hand-{CARD_NAMES[card_of(action)]}", "discards")
    return ("pass",) if action == PASS else (f"side-{action - OFFENCE + 1}",)


def to_json(s: State) -> dict[str, Any]:
    p = plain(s)
    cut = p.cut[: p.n_cut]
    board = "".join(map(_mark, p.board))
    discards = zip(p.discarded_by[: p.n_discards], p.discards, strict=False)
    return {
        "player": p.turn + 1,
        "over": bool(p.ended),
        "cut": [[seat + 1, CARD_NAMES[card]] for seat, card in zip(_cutters(cut, p.players)[0], cut, strict=True)],
        "dealer": p.dealer + 1,
        "turns": p.turns,
        "passes": p.passes,
        "exchanged": bool(p.exchanged),
        "board": [board[row : row + 10] for row in range(90, -10, -10)],
        "sequences": [
            [five_name(five) for five in p.sequences[side][: p.n_sequences[side]]] for side in range(p.sides)
        ],
        "locking": CELL_NAMES[p.locking - 1] if p.locking else None,
        "hands": [[CARD_NAMES[card] for card in p.hand[seat][: p.n_hand[seat]]] for seat in range(p.players)],
        "pile": [CARD_NAMES[card] for card in p.pile[: p.n_pile]],
        "discards": [[seat + 1, CARD_NAMES[card]] for seat, card in discards],
        "undrawn": [seat + 1 for seat in p.undrawn[: p.n_undrawn]],
        "owing": [seat + 1 for seat in owing_seats(p)],
        "winner": p.winner or None,
    }


@cache
def _mark(here: int) -> str:
    return "." if here == OPEN else str(here & SIDE) if here & SIDE else "*"


def _cutters(cut: list[int], players: int) -> tuple[list[int], list[int]]:
    """S19: who cut each card, and who is lowest in the end."""
    seats: list[int] = []
    lowest = list(range(players))
    while len(lowest) > 1 and len(seats) < len(cut):
        ranks = [cut_rank(card) for card in cut[len(seats) : len(seats) + len(lowest)]]
        seats += lowest
        lowest = [seat for seat, rank in zip(lowest, ranks, strict=False) if rank == min(ranks)]
    return seats, lowest


def from_json(s: State, fields: Mapping[str, Any]) -> None:
    players = int(s.players)
    s.turn = integer(fields, "player", 1, players) - 1
    s.ended = one_of(fields, "over", (False, True))
    s.dealer = integer(fields, "dealer", 1, players) - 1
    s.turns = integer(fields, "turns", 0, LAST_TURN)
    s.passes = integer(fields, "passes", 0, players)
    s.exchanged = one_of(fields, "exchanged", (False, True))
    s.winner = one_of(fields, "winner", (None, *range(1, int(s.sides) + 1))) or 0
    _read_cut(s, fields)
    _read_board(s, fields)
    _read_sequences(s, fields)
    _read_cards(s, fields)
    _read_undrawn(s, fields)
    _read_owing(s, fields)
    _read_locking(s, fields)
    _check_end(s)
    _check_counted(s)


def _seats_and_cards(s: State, fields: Mapping[str, Any], name: str) -> tuple[list[int], list[int]]:
    pairs = [checked_list(pair, f"each entry of {name}", 2) for pair in checked_list(entry(fields, name), name)]
    seats = [checked_integer(seat, f"a seat in {name}", 1, int(s.players)) - 1 for seat, _ in pairs]
    return seats, [CARD_NUMBERS[card] for card in checked_members([card for _, card in pairs], name, CARD_NUMBERS)]


def _read_cut(s: State, fields: Mapping[str, Any]) -> None:
    """Read the cut, which a position that was set up may leave out."""
    seats, cards = _seats_and_cards(s, fields, "cut")
    expected, lowest = _cutters(cards, int(s.players))
    if cards and (seats != expected or any(cards.count(card) > COPIES for card in cards)):
        raise BadPosition(
            "S6: in the cut every seat draws a card, then those tied for lowest again; or leave it empty."
        )
    if cards and lowest != [s.dealer]:
        raise BadPosition("S6: the dealer must be the one who cut the lowest card; or leave the cut empty.")
    s.cut[: len(cards)], s.n_cut = cards, len(cards)


def _read_board(s: State, fields: Mapping[str, Any]) -> None:
    rows = checked_list(entry(fields, "board"), "board", 10)
    if any(not isinstance(row, str) or len(row) != 10 for row in rows):
        raise BadPosition("board must be ten strings of ten characters, row 10 first.")
    marks = ".123"[: int(s.sides) + 1]
    for cell, mark in enumerate("".join(reversed(rows))):
        if mark not in ("*" if cell in CORNERS else marks):
            wanted = "* stands on the corners" if cell in CORNERS else f"a cell is one of {marks}"
            raise BadPosition(f"board cannot have {mark!r} on {CELL_NAMES[cell]}: {wanted}.")
        if mark in "123":
            put_chip(s, int(mark) - 1, cell)
    put_corners(s)


def _read_sequences(s: State, fields: Mapping[str, Any]) -> None:
    sides = int(s.sides)
    for side, names in enumerate(lists(fields, "sequences", sides, FIVE_NUMBERS)):
        if len(names) > needed(s.sides):
            raise BadPosition(f"S14: side {side + 1} cannot have more than {needed(s.sides)} sequences.")
        for five in sorted(FIVE_NUMBERS[name] for name in names):
            if not is_countable(s, side, five):
                raise BadPosition(
                    f"S12, S13: side {side + 1} must cover {five_name(five)}, and sequences may share one cell at most."
                )
            count_sequence(s, side, five)


def _read_cards(s: State, fields: Mapping[str, Any]) -> None:
    players = int(s.players)
    hands = [[CARD_NUMBERS[name] for name in hand] for hand in lists(fields, "hands", players, CARD_NUMBERS)]
    pile = [CARD_NUMBERS[name] for name in flat(fields, "pile", CARD_NUMBERS)]
    seats, discards = _seats_and_cards(s, fields, "discards")
    everything = sorted([*pile, *discards, *(card for hand in hands for card in hand)])
    if everything != [1 + i // COPIES for i in range(CARDS)]:
        raise BadPosition("S1: hands, pile and discards must together hold each of the 52 cards twice.")
    for seat, hand in enumerate(hands):
        if len(hand) > EACH[players]:
            raise BadPosition(f"S5: seat {seat + 1} holds {len(hand)} cards; a hand has at most {EACH[players]}.")
        s.hand[seat, : len(hand)], s.n_hand[seat] = sorted(hand), len(hand)
    s.pile[: len(pile)], s.n_pile = pile, len(pile)
    s.discards[: len(discards)], s.n_discards = discards, len(discards)
    s.discarded_by[: len(discards)] = seats


def _different_seats(s: State, fields: Mapping[str, Any], name: str) -> list[int]:
    seats = checked_list(entry(fields, name), name)
    seats = [checked_integer(seat, f"a seat in {name}", 1, int(s.players)) - 1 for seat in seats]
    if len(set(seats)) < len(seats):
        raise BadPosition(f"{name} cannot hold a seat twice.")
    return seats


def _read_undrawn(s: State, fields: Mapping[str, Any]) -> None:
    seats = _different_seats(s, fields, "undrawn")
    if seats and (s.ended or not s.draw):
        raise BadPosition("S16: undrawn is for manual draw, while the game goes on.")
    if any(s.n_hand[seat] == EACH[s.players] for seat in seats):
        raise BadPosition("S22: who may still draw cannot have a full hand.")
    s.undrawn[: len(seats)], s.n_undrawn = seats, len(seats)


def _read_owing(s: State, fields: Mapping[str, Any]) -> None:
    seats = _different_seats(s, fields, "owing")
    if seats and (s.ended or not s.table_talk or not has_partners(s.players, s.sides)):
        raise BadPosition("S17: discards are owed only by teams, with table talk forbidden, while the game goes on.")
    if len({side_of(s.sides, seat) for seat in seats}) > 1 or any(s.n_hand[seat] == 0 for seat in seats):
        raise BadPosition("S23: owing must be seats of one side that have a card.")
    s.owing = sum(1 << seat for seat in seats)


def fives_to_lock(s: State, cell: int) -> list[int]:
    fives = [4 * cell + int(offset) for offset in THROUGH]
    return [five for five in fives if is_countable(s, side_of(s.sides, s.turn), five)]


def _read_locking(s: State, fields: Mapping[str, Any]) -> None:
    name = entry(fields, "locking")
    if name is None:
        return
    if not isinstance(name, str) or name not in CELL_NUMBERS:
        raise BadPosition(f"locking cannot be {name!r}: it must be a cell such as e4, or null.")
    cell, seat = CELL_NUMBERS[name], int(s.turn)
    fives = fives_to_lock(s, cell)
    wins = needed(s.sides) - s.n_sequences[side_of(s.sides, seat)] == 1
    if cell in CORNERS or len(fives) < 2 or wins or any(are_apart(a, b) for a in fives for b in fives):
        raise BadPosition(f"S21: there is no choice of fives on {name} for the player's side.")
    if s.ended or s.turns == 0 or s.n_hand[seat] == EACH[s.players] or seat in s.undrawn[: s.n_undrawn]:
        raise BadPosition("S12: a lock is asked of a player who has just put a chip and has not drawn yet.")
    s.locking = cell + 1


def _check_end(s: State) -> None:
    won = [side + 1 for side in range(int(s.sides)) if s.n_sequences[side] == needed(s.sides)]
    if won != ([s.winner] if s.winner else []):
        raise BadPosition(
            f"S14: the winner must be the one side with {needed(s.sides)} sequences, or null if there is none."
        )
    if s.winner and not s.ended:
        raise BadPosition("S14: a game that is won is over.")
    if s.ended and s.exchanged:
        raise BadPosition("S10: exchanged must be false when the game is over.")
    if not s.ended and s.passes == s.players:
        raise BadPosition("S11: when all have passed the game is over.")
    if not s.ended and s.turns == LAST_TURN and not s.locking:
        raise BadPosition(f"S18: a game of {LAST_TURN:,} turns is over.")


def _check_counted(s: State) -> None:
    """S21: what can be counted is counted, except for a choice still to be made, or beyond what has won."""
    for side in range(int(s.sides)):
        if side + 1 == s.winner:
            continue
        choosing = s.locking and side == side_of(s.sides, s.turn)
        five = next_countable(s, side, 0)
        while choosing and five < FIVES and s.locking - 1 in CELLS_OF_FIVES[five]:
            five = next_countable(s, side, five + 1)
        if five < FIVES:
            raise BadPosition(
                f"S21: side {side + 1} covers {five_name(five)}, and a five that can be counted must be: "
                "add it to sequences, or change the board."
            )
