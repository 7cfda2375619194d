"""Why the best moves of bench/games/sequence/puzzles.json are best, by nothing but the rules.

A puzzle's `proof` says how it is proved, always from what its seat knows: its own hand, the board and the discards; the
cards that it does not see may lie anywhere.

- `win`: the best moves, and no others, win at once.
- `certain`: no move wins at once; after the best moves, and no others, the seat wins on its next turn whatever cards
  the opponent holds or draws and whatever they do with them.
- `block`: the opponent on the left may win on their next turn; by far the least probably so after the best moves,
  for which no two-eyed jack is needed.
- `exchange`: no move wins at once, but the card for a dead card may; every other move is as good afterwards.
- `lock`: after the best choice all fives can still become the second sequence that can after any other, and more can;
  nobody else can have a one-eyed jack, so chips that are not turned over are safe, too.
"""

from collections import Counter
from collections.abc import Iterable
from math import comb
from typing import Any

import numpy as np

import infila
from infila.core import driver
from infila.games.sequence.board import (
    CARD_NAMES,
    CELLS,
    CELLS_OF_FIVES,
    JACKS,
    KINDS_OF_CARDS,
    PRINTED,
    are_apart,
)
from infila.games.sequence.rules import DEAD, LOCK, ONE_EYED, TWO_EYED, card_of
from infila.games.sequence.state import CORNER, OPEN, SIDE

CARD_OF_CELL = [0 if name == "**" else CARD_NAMES.index(name) for name in PRINTED]
BY_FAR = 0.25


def prove(game: infila.Game, puzzle: dict[str, Any]) -> None:
    seat = puzzle["seat"] - 1
    moves = dict(zip(game.view(seat).moves, own_actions(game, seat), strict=True))
    best = {moves[text] for text in puzzle["best"]}
    assert 0 < len(best) < len(moves)
    found = PROOFS[puzzle["proof"]](game.states, seat, list(moves.values()))
    assert found == best, (puzzle["name"], [text for text, action in moves.items() if action in found])


def own_actions(game: infila.Game, seat: int) -> list[int]:
    return [action for action in game.actions() if driver.actor_at(game.states, 0, action) == seat]


def after(states: Any, action: int) -> Any:
    states = states.copy()
    driver.play_at(states, 0, action)
    return states


def wins(states: Any, seat: int) -> bool:
    return bool(states["winner"][0] == seat % states["sides"][0] + 1)


def with_hand(states: Any, seat: int, cards: list[int]) -> Any:
    """The position with the seat on turn and these cards in its hand."""
    states = states.copy()
    s = states[0]
    s.turn, s.exchanged = seat, 0
    s.hand[seat] = 0
    s.hand[seat, : len(cards)] = sorted(cards)
    s.n_hand[seat] = len(cards)
    return states


def open_cells(states: Any) -> list[int]:
    return np.flatnonzero(states["board"][0] == OPEN).tolist()


def winning_cells(states: Any, seat: int) -> set[int]:
    """Where a chip of the seat's side would win: tried wherever it makes five in a line."""
    board = states["board"][0][ALL_FIVES]
    own = (board == CORNER) | (board & SIDE == seat % states["sides"][0] + 1)
    fours = (own.sum(1) == 4) & ((own | (board == OPEN)).all(1))
    near = set(ALL_FIVES[fours][~own[fours]].tolist())
    ready = with_hand(states, seat, [JACKS + 1])
    return {cell for cell in near if wins(after(ready, TWO_EYED + cell), seat)}


ALL_FIVES = np.array(list(CELLS_OF_FIVES.values()))


def cards_for(cells: Iterable[int]) -> set[int]:
    """The cards that put a chip on one of these cells."""
    cells = set(cells)
    return {CARD_OF_CELL[cell] for cell in cells} | ({JACKS + 1, JACKS + 2} if cells else set())


def own_hand(states: Any, seat: int) -> list[int]:
    return list(states["hand"][0][seat][: states["n_hand"][0][seat]].tolist())


def unseen(states: Any, hand: list[int]) -> Counter[int]:
    """All cards but the discards and the own hand."""
    s = states[0]
    cards = Counter(dict.fromkeys(range(1, KINDS_OF_CARDS + 1), 2))
    cards.subtract(s.discards[: s.n_discards].tolist())
    cards.subtract(hand)
    return +cards


def known_hand(states: Any, seat: int, action: int) -> list[int]:
    """What the seat knows that it holds after a play: not the card it draws."""
    hand = own_hand(states, seat)
    hand.remove(card_of(action))
    return hand


def is_covered(states: Any, card: int) -> bool:
    """S10: both cells of the card are covered."""
    return card <= JACKS and all(states["board"][0][cell] != OPEN for cell in CELLS[2 * card - 2 : 2 * card])


# win, and exchange


def winning_now(states: Any, seat: int, actions: list[int]) -> set[int]:
    return {action for action in actions if wins(after(states, action), seat)}


def worth_an_exchange(states: Any, seat: int, actions: list[int]) -> set[int]:
    """S10: the exchange comes before the play, so nothing is lost by it, and the new card may win."""
    assert not winning_now(states, seat, actions)
    assert states["n_pile"][0] > 0
    chance = cards_for(winning_cells(states, seat)) & set(unseen(states, own_hand(states, seat)))
    return {action for action in actions if DEAD <= action < LOCK} if chance else set()


# certain


def certain(states: Any, seat: int, actions: list[int]) -> set[int]:
    assert states["players"][0] == 2
    assert not winning_now(states, seat, actions)
    return {action for action in actions if action < DEAD and is_certain(states, seat, action)}


def is_certain(states: Any, seat: int, action: int) -> bool:
    """Whether the seat wins on its next turn, whatever the opponent does."""
    played, hand, rival = after(states, action), known_hand(states, seat, action), 1 - seat
    if played["locking"][0] or not can_win(played, seat, hand):
        return False
    cards = unseen(states, own_hand(states, seat))
    if cards_for(winning_cells(played, rival)) & set(cards):
        return False
    return all(can_win(reply, seat, hand) for reply in replies(played, rival, cards))


def can_win(states: Any, seat: int, hand: list[int]) -> bool:
    return bool(cards_for(winning_cells(states, seat)) & set(hand))


def replies(states: Any, rival: int, cards: Counter[int]) -> Iterable[Any]:
    """What the rival can make of the board with any of these cards."""
    two_eyed = next((card for card in (JACKS + 1, JACKS + 2) if cards[card]), 0)
    one_eyed = next((card for card in (JACKS + 3, JACKS + 4) if cards[card]), 0)
    for cell in open_cells(states):
        card = CARD_OF_CELL[cell]
        if two_eyed or cards[card]:
            yield settled(after(with_hand(states, rival, [JACKS + 1]), TWO_EYED + cell))
    if one_eyed:
        ready = with_hand(states, rival, [JACKS + 3])
        for action in legal(ready):
            if ONE_EYED <= action < DEAD:
                yield settled(after(ready, action))


def legal(states: Any) -> list[int]:
    out = np.zeros(400, np.int16)
    found: list[int] = out[: int(driver.legal_at(states, 0, out))].tolist()
    return found


def settled(states: Any) -> Any:
    """A choice of five that is asked of the rival is of no use to them here: they take any."""
    return after(states, legal(states)[0]) if states["locking"][0] else states


# block


def safest(states: Any, seat: int, actions: list[int]) -> set[int]:
    assert not winning_now(states, seat, actions)
    assert all(action < DEAD for action in actions)  # no dead card to exchange first
    losses = {action: loss(states, seat, action) for action in actions}
    least = min(losses.values())
    best = {action for action in actions if losses[action] < least + 1e-9}
    assert all(losses[action] >= least + BY_FAR for action in actions if action not in best)
    assert not all(TWO_EYED <= action < ONE_EYED for action in best)  # which might be worth more than the danger
    return best


def loss(states: Any, seat: int, action: int) -> float:
    """How probably the seat on the left wins on its next turn, with all that it may hold and exchange (S10)."""
    played = after(states, action)
    assert not played["locking"][0] and played["n_pile"][0] > 1
    left = (seat + 1) % int(played["players"][0])
    cards = unseen(played, known_hand(states, seat, action))
    fit = sum(cards[card] for card in cards_for(winning_cells(played, left)))
    dead = sum(cards[card] for card in cards if is_covered(played, card))
    total, held = sum(cards.values()), int(played["n_hand"][0][left])
    none = comb(total - fit, held) / comb(total, held)
    exchange = none - comb(total - fit - dead, held) / comb(total, held)
    return 1 - none + exchange * fit / (total - held)


# lock


def most_left(states: Any, seat: int, actions: list[int]) -> set[int]:
    cards = unseen(states, own_hand(states, seat))
    assert not cards[JACKS + 3] and not cards[JACKS + 4] and not states["advanced"][0]
    left = {action: possible(after(states, action), seat) for action in actions}
    return {action for action in actions if all(left[action] > left[other] for other in actions if other != action)}


def possible(states: Any, seat: int) -> set[int]:
    """The fives that can still become sequences of the seat's side."""
    s, side = states[0], seat % int(states["sides"][0])
    turned = s.sequences[side, : s.n_sequences[side]].tolist()
    return {
        five
        for five, cells in CELLS_OF_FIVES.items()
        if all(s.board[cell] in (OPEN, CORNER) or s.board[cell] & SIDE == side + 1 for cell in cells)
        and all(are_apart(five, other) for other in turned)
    }


PROOFS = {
    "win": winning_now,
    "exchange": worth_an_exchange,
    "certain": certain,
    "block": safest,
    "lock": most_left,
}
