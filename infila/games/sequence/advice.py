"""Why a move of Sequence is good, in words."""

from collections import Counter
from collections.abc import Iterable
from itertools import combinations
from types import SimpleNamespace
from typing import Any

from infila.core.contract import Reason
from infila.core.record import plain
from infila.games.sequence.board import CARD_NAMES, CELLS_OF_FIVES, JACKS, PRINTED, are_apart, is_two_eyed, printed_on
from infila.games.sequence.fives import lacking
from infila.games.sequence.notation import CELL_NAMES, card_sign, five_name, is_dead
from infila.games.sequence.rules import DEAD, DISCARD, DRAW, LOCK, ONE_EYED, PASS, card_of, cell_of, discarding_seat
from infila.games.sequence.state import OPEN, SIDE, TURNED, State, needed, side_of

MOST = 4  # reasons


def reasons(s: State, action: int) -> list[Reason]:
    p = plain(s)
    if action < ONE_EYED:
        found = _of_a_chip(p, action)
    elif action < DEAD:
        found = _of_a_removal(p, action)
    elif action < LOCK:
        found = [Reason("dead", {"card": card_sign(card_of(action))})]
    elif action < DRAW:
        found = _of_a_lock(p, action - LOCK)
    elif action < DISCARD:
        found = [Reason("draw", {})]
    elif action < PASS:
        found = _of_a_discard(p, action)
    else:
        found = [Reason("pass" if action == PASS else "offence", {})]
    return found[:MOST]


def _named(five: int) -> str:
    return five_name(five).replace("-", "–")


def _five(key: str, five: int, **more: Any) -> Reason:
    return Reason(key, {"five": _named(five), **more})


def _counted(key: str, count: int, ending: str = "", **values: Any) -> Reason:
    """A reason about one thing, or about several."""
    if count == 1:
        return Reason(f"{key}_one{ending}", values)
    return Reason(key + ending, {"count": count, **values})


def _signs(cards: Iterable[int]) -> str:
    return " ".join(map(card_sign, cards))


def _open_fives(p: SimpleNamespace, side: int) -> dict[int, list[int]]:
    """The fives that a side can still complete (S13), each with the cells that it lacks."""
    every = ((five, lacking(p, side, five)) for five in CELLS_OF_FIVES)
    return {five: lack for five, lack in every if lack is not None}


def _nearest(fives: dict[int, list[int]]) -> list[tuple[int, list[int]]]:
    return sorted(fives.items(), key=lambda entry: (len(entry[1]), entry[0]))


def _rivals(p: SimpleNamespace, side: int) -> list[int]:
    return [rival for rival in range(p.sides) if rival != side]


def _of_a_chip(p: SimpleNamespace, action: int) -> list[Reason]:
    card, cell = card_of(action), cell_of(action)
    side = side_of(p.sides, p.turn)
    hand = list(p.hand[p.turn][: p.n_hand[p.turn]])
    hand.remove(card)
    after = {
        five: [other for other in lack if other != cell] for five, lack in _open_fives(p, side).items() if cell in lack
    }
    done = [five for five, lack in after.items() if not lack]
    if wins := _wins(p, side, done):
        return [wins]
    found = [_five("completes", five) for five in done[:1]]
    found += _blocks(p, side, cell)
    still = {five: lack for five, lack in after.items() if all(are_apart(five, other) for other in done[:1])}
    found += _built(still, cell, hand) or ([] if found else _quiet(p, side, card, cell, len(still)))
    if card <= JACKS:
        found += _of_the_card(p, card, cell, hand, found)
    elif not done:
        found.append(Reason("spends_jack", {"card": card_sign(card)}))
    return found


def _wins(p: SimpleNamespace, side: int, done: list[int]) -> Reason | None:
    """S14: by the fives that a chip completes."""
    missing = needed(p.sides) - p.n_sequences[side]
    if done and missing == 1:
        return _five("wins", done[0])
    for one, other in combinations(done, 2):
        if are_apart(one, other):
            return _five("wins_two", one, other=_named(other))
    return None


def _blocks(p: SimpleNamespace, side: int, cell: int) -> list[Reason]:
    """The other sides' fives that a chip here ends, the nearest first."""
    blocked = []
    for rival in _rivals(p, side):
        for five, lack in _open_fives(p, rival).items():
            if cell in lack and len(lack) <= 3:
                blocked.append((len(lack), five, rival))
    blocked.sort()
    found = []
    if blocked:
        lacks, five, rival = blocked[0]
        key = ("blocks_one", "blocks_two", "blocks_three")[lacks - 1]
        found.append(_five(f"{key}_{rival + 1}", five))
    more = sum(lacks <= 2 for lacks, _, _ in blocked[1:])
    if more:
        found.append(_counted("blocks_more", more))
    return found


def _built(after: dict[int, list[int]], cell: int, hand: list[int]) -> list[Reason]:
    """What the fives of one's own side become."""
    nearest = [(five, lack) for five, lack in _nearest(after) if lack]
    found = []
    cells = sorted({lack[0] for _, lack in nearest if len(lack) == 1})
    if len(cells) > 1:
        found.append(Reason("threatens", {"cells": ", ".join(CELL_NAMES[other] for other in cells)}))
    if nearest and len(nearest[0][1]) <= 3:
        five, lack = min(nearest, key=lambda entry: (len(entry[1]), -len(_held(entry[1], hand))))
        found.append(_progress(five, lack, hand))
    if len(nearest) > 3:
        found.append(_room(cell, len(nearest)))
    return found


def _held(lack: list[int], hand: list[int]) -> list[int]:
    """The cards in hand that go on cells which a five lacks: one card fills one cell."""
    wanted = Counter(CARD_NAMES.index(PRINTED[cell]) for cell in lack)
    return sorted((wanted & Counter(hand)).elements())


def _progress(five: int, lack: list[int], hand: list[int]) -> Reason:
    """How far a five has come, and what the hand has for it."""
    held = _held(lack, hand)
    count = 5 - len(lack)
    if len(held) == len(lack):
        return _five("builds_held", five, count=count, cards=_signs(held))
    jacks = [card for card in hand if is_two_eyed(card)]
    if len(lack) == 1 and jacks:
        return _five("builds_jack", five, card=card_sign(jacks[0]))
    if held:
        return _five("builds_some", five, count=count, cards=_signs(held))
    return _five("builds", five, count=count)


def _of_the_card(p: SimpleNamespace, card: int, cell: int, hand: list[int], found: list[Reason]) -> list[Reason]:
    """What else there is to say about the choice of card."""
    more = []
    if all(p.board[other] != OPEN for other in printed_on(card) if other != cell):
        more.append(Reason("only_cell", {"card": card_sign(card), "cell": CELL_NAMES[cell]}))
    jacks = [held for held in hand if held > JACKS]
    if jacks and all(reason.key != "builds_jack" for reason in found):
        more.append(Reason("keeps_jack" if len(jacks) == 1 else "keeps_jacks", {"cards": _signs(jacks)}))
    return more


def _room(cell: int, count: int) -> Reason:
    """How many fives of one's own side still run through a cell."""
    return _counted("room", count, cell=CELL_NAMES[cell])


def _quiet(p: SimpleNamespace, side: int, card: int, cell: int, count: int) -> list[Reason]:
    """What can be said for a chip that neither builds nor blocks much."""
    found = [_room(cell, count)] if count else []
    hindered = sum(cell in lack for rival in _rivals(p, side) for lack in _open_fives(p, rival).values())
    if hindered:
        found.append(_counted("hinders", hindered))
    return found or [Reason("nothing", {"card": card_sign(card), "cell": CELL_NAMES[cell]})]


def _of_a_removal(p: SimpleNamespace, action: int) -> list[Reason]:
    card, cell = card_of(action), cell_of(action)
    side = side_of(p.sides, p.turn)
    rival = (p.board[cell] & SIDE) - 1
    lifted = SimpleNamespace(**vars(p))
    lifted.board = [OPEN if at == cell else chip for at, chip in enumerate(p.board)]
    found = _broken(p, lifted, rival) if p.board[cell] >= TURNED else []
    hit = _nearest({five: lack for five, lack in _open_fives(p, rival).items() if cell in CELLS_OF_FIVES[five]})
    for five, lack in hit[:1]:
        if len(lack) <= 2:
            key = ("removes_four", "removes_three")[len(lack) - 1]
            found.append(_five(f"{key}_{rival + 1}", five))
        elif not found:
            found.append(_counted("removes_some", len(hit), f"_{rival + 1}"))
    if not found:
        found.append(Reason("removes_none", {}))
    freed = {five: lack for five, lack in _open_fives(lifted, side).items() if cell in lack and len(lack) <= 3}
    for five, lack in _nearest(freed)[:1]:
        found.append(_five("frees", five, count=5 - len(lack)))
    found.append(Reason("spends_jack", {"card": card_sign(card)}))
    return found


def _broken(p: SimpleNamespace, lifted: SimpleNamespace, rival: int) -> list[Reason]:
    """S15: the side's only sequence, unless five in a line are left, which count again at once."""
    lifted.n_sequences = [0 if side == rival else count for side, count in enumerate(p.n_sequences)]
    again = [five for five, lack in _open_fives(lifted, rival).items() if not lack]
    if again:
        return [_five(f"counts_again_{rival + 1}", again[0])]
    return [_five(f"breaks_{rival + 1}", p.sequences[rival][0])]


def _of_a_lock(p: SimpleNamespace, five: int) -> list[Reason]:
    """S13: what the choice leaves for the second sequence."""
    side = side_of(p.sides, p.turn)
    left = {other: lack for other, lack in _open_fives(p, side).items() if are_apart(five, other)}
    found = [
        _five("lock_leaves", other, count=5 - len(lack))
        for other, lack in _nearest(left)
        if set(CELLS_OF_FIVES[other]) & set(CELLS_OF_FIVES[five]) and 0 < len(lack) < 5
    ][:2]
    return found or [_five("lock" if p.advanced else "lock_safe", five)]


def _of_a_discard(p: SimpleNamespace, action: int) -> list[Reason]:
    card, seat = card_of(action), discarding_seat(action)
    name = {"card": card_sign(card)}
    if card > JACKS:
        return [Reason("discard_jack", name)]
    if is_dead(p, card):
        return [Reason("discard_dead", name)]
    lacks = [
        len(lack)
        for lack in _open_fives(p, side_of(p.sides, seat)).values()
        if any(PRINTED[cell] == CARD_NAMES[card] for cell in lack)
    ]
    if lacks and min(lacks) <= 3:
        return [Reason("discard_useful", name | {"count": 5 - min(lacks)})]
    return [Reason("discard_idle", name)]
