"""Why a move of Sequence is good, in words."""

from types import SimpleNamespace
from typing import Any

from infila.core.contract import Reason
from infila.core.rule import plain
from infila.games.sequence.notation import CELL_NAMES, FIVE_NUMBERS, card_and_cell, cells_of, five_name, is_dead
from infila.games.sequence.rules import (
    CARD_NAMES,
    CORNER,
    DEAD,
    DISCARD,
    DRAW,
    JACKS,
    KINDS_OF_CARDS,
    LOCK,
    ONE_EYED,
    OPEN,
    PASS,
    PRINTED,
    SIDE,
    TURNED,
    are_apart,
)

MOST = 4  # reasons
FIVES = {five: cells_of(five) for five in FIVE_NUMBERS.values()}


def reasons(s: Any, action: int) -> list[Reason]:
    p = plain(s)
    if action < ONE_EYED:
        found = _of_a_chip(p, action)
    elif action < DEAD:
        found = _of_a_removal(p, action)
    elif action < LOCK:
        found = [Reason("dead", {"card": CARD_NAMES[action - DEAD + 1]})]
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


def _open_fives(p: SimpleNamespace, side: int) -> dict[int, list[int]]:
    """The fives that a side can still complete (S13), each with the cells that it lacks."""
    found = {}
    turned = p.sequences[side][: p.n_sequences[side]]
    for five, cells in FIVES.items():
        here = [p.board[cell] for cell in cells]
        if all(chip in (OPEN, CORNER) or chip & SIDE == side + 1 for chip in here) and all(
            are_apart(five, other) for other in turned
        ):
            found[five] = [cell for cell, chip in zip(cells, here, strict=True) if chip == OPEN]
    return found


def _nearest(fives: dict[int, list[int]]) -> list[tuple[int, list[int]]]:
    return sorted(fives.items(), key=lambda entry: (len(entry[1]), entry[0]))


def _rivals(p: SimpleNamespace, side: int) -> list[int]:
    return [rival for rival in range(p.sides) if rival != side]


def _goal(p: SimpleNamespace) -> int:
    return 2 if p.sides == 2 else 1


def _of_a_chip(p: SimpleNamespace, action: int) -> list[Reason]:
    card, cell = card_and_cell(action)
    side = p.turn % p.sides
    hand = list(p.hand[p.turn][: p.n_hand[p.turn]])
    hand.remove(card)
    through = {five: lack for five, lack in _open_fives(p, side).items() if cell in lack}
    after = {five: [other for other in lack if other != cell] for five, lack in through.items()}
    found = _completed(p, side, after)
    blocks = _blocks(p, side, cell)
    found += blocks
    if not found or found[0].key != "wins":
        found += _built(after, hand)
    if card > JACKS and not (found and found[0].key in ("wins", "completes")):
        found.append(Reason("spends_jack", {"card": CARD_NAMES[card]}))
    elif card <= JACKS:
        found += _of_the_card(p, card, cell, hand)
    return found or [_quiet(cell, len(through))]


def _completed(p: SimpleNamespace, side: int, after: dict[int, list[int]]) -> list[Reason]:
    done = [five for five, lack in after.items() if not lack]
    if not done:
        return []
    two = any(are_apart(a, b) for a in done for b in done if a < b)
    wins = p.n_sequences[side] + (2 if two else 1) >= _goal(p)
    return [_five("wins" if wins else "completes", done[0])]


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
        found.append(_five(key, five, side=rival + 1))
    more = sum(lacks <= 2 for lacks, _, _ in blocked[1:])
    if more:
        found.append(Reason("blocks_more", {"count": more}) if more > 1 else Reason("blocks_more_one", {}))
    return found


def _built(after: dict[int, list[int]], hand: list[int]) -> list[Reason]:
    """What the own side's fives become."""
    nearest = [(five, lack) for five, lack in _nearest(after) if lack]
    if not nearest:
        return []
    found = []
    fours = [(five, lack) for five, lack in nearest if len(lack) == 1]
    cells = sorted({lack[0] for _, lack in fours})
    if len(cells) > 1:
        found.append(Reason("threatens", {"cells": ", ".join(CELL_NAMES[cell] for cell in cells)}))
    names = {CARD_NAMES[card] for card in hand}
    five, lack = min(nearest, key=lambda entry: (len(entry[1]), -sum(PRINTED[cell] in names for cell in entry[1])))
    held = [PRINTED[cell] for cell in lack if PRINTED[cell] in names]
    if len(lack) <= 3:
        if len(held) == len(lack):
            found.append(_five("builds_held", five, count=5 - len(lack), cards=" ".join(held)))
        elif held:
            found.append(_five("builds_some", five, count=5 - len(lack), cards=" ".join(held)))
        else:
            found.append(_five("builds", five, count=5 - len(lack)))
    if len(nearest) > 3:
        found.append(Reason("serves", {"count": len(nearest)}))
    return found


def _of_the_card(p: SimpleNamespace, card: int, cell: int, hand: list[int]) -> list[Reason]:
    """What else the choice of the card says."""
    found = []
    jacks = [CARD_NAMES[held] for held in hand if held > JACKS]
    other = next(at for at in range(len(PRINTED)) if PRINTED[at] == CARD_NAMES[card] and at != cell)
    if p.board[other] != OPEN:
        found.append(Reason("only_cell", {"card": CARD_NAMES[card], "cell": CELL_NAMES[other]}))
    if jacks:
        found.append(Reason("keeps_jack" if len(jacks) == 1 else "keeps_jacks", {"cards": " ".join(jacks)}))
    return found


def _quiet(cell: int, count: int) -> Reason:
    if count > 1:
        return Reason("room", {"cell": CELL_NAMES[cell], "count": count})
    return Reason("room_one" if count else "nothing", {"cell": CELL_NAMES[cell]})


def _of_a_removal(p: SimpleNamespace, action: int) -> list[Reason]:
    card, cell = card_and_cell(action)
    side = p.turn % p.sides
    rival = (p.board[cell] & SIDE) - 1
    found = []
    if p.board[cell] >= TURNED:
        found.append(_five("breaks", p.sequences[rival][0], side=rival + 1))
    hit = {five: lack for five, lack in _open_fives(p, rival).items() if cell in FIVES[five] and len(lack) <= 2}
    for five, lack in _nearest(hit)[:1]:
        found.append(_five(("removes_four", "removes_three")[len(lack) - 1], five, side=rival + 1))
    lifted = SimpleNamespace(**vars(p))
    lifted.board = [OPEN if at == cell else chip for at, chip in enumerate(p.board)]
    freed = {five: lack for five, lack in _open_fives(lifted, side).items() if cell in lack and len(lack) <= 3}
    for five, lack in _nearest(freed)[:1]:
        found.append(_five("frees", five, count=5 - len(lack)))
    found.append(Reason("spends_jack", {"card": CARD_NAMES[card]}))
    return found


def _of_a_lock(p: SimpleNamespace, five: int) -> list[Reason]:
    """S13: what the choice leaves for the second sequence."""
    side = p.turn % p.sides
    left = {other: lack for other, lack in _open_fives(p, side).items() if are_apart(five, other)}
    found = [
        _five("lock_leaves", other, count=5 - len(lack))
        for other, lack in _nearest(left)
        if set(FIVES[other]) & set(FIVES[five]) and 0 < len(lack) < 5
    ][:2]
    return found or [_five("lock", five)]


def _of_a_discard(p: SimpleNamespace, action: int) -> list[Reason]:
    card = (action - DISCARD) % KINDS_OF_CARDS + 1
    seat = (action - DISCARD) // KINDS_OF_CARDS
    name = {"card": CARD_NAMES[card]}
    if card > JACKS:
        return [Reason("discard_jack", name)]
    if is_dead(p, card):
        return [Reason("discard_dead", name)]
    lacks = [
        len(lack)
        for lack in _open_fives(p, seat % p.sides).values()
        if any(PRINTED[cell] == CARD_NAMES[card] for cell in lack)
    ]
    if lacks and min(lacks) <= 3:
        return [Reason("discard_useful", name | {"count": 5 - min(lacks)})]
    return [Reason("discard_idle", name)]
