"""The generator: docs/reference/chance.md."""

from collections import Counter

import numpy as np
import pytest

from infila.core import chance, seeds
from infila.core.errors import InfilaError
from infila.core.record import I1, Ints, States, array, int64, uint64
from tests.oracles.chance import Chance, siphash24


class Bare(chance.Chance):
    """A game of nothing but chance."""

    items: Ints = array(I1, 8)


def bare(key0: int, key1: int) -> States:
    states = np.zeros(1, Bare)
    chance.seed(states[0], uint64(key0), uint64(key1))
    return states


def test_siphash_agrees_with_the_vectors_of_its_authors() -> None:
    key = int.from_bytes(bytes(range(8)), "little"), int.from_bytes(bytes(range(8, 16)), "little")
    assert siphash24(*key, bytes(range(15))) == 0xA129CA6149BE45E5
    states = bare(*key)
    assert int(chance.word(states[0], int64(0x0706050403020100))) == 0x93F5F5799A932462


@pytest.mark.parametrize("key", [(0, 0), (7, 3), (2**64 - 1, 2**64 - 1), (2**63, 1)])
def test_the_rules_and_the_plain_generator_give_the_same_numbers(key: tuple[int, int]) -> None:
    states, plain = bare(*key), Chance(key)
    for n in [1, 2, 3, 6, 52, 104, 32767] * 20:
        assert int(chance.random_below(states[0], n)) == plain.below(n)
    assert int(states[0].counter) == plain.counter == 140


def test_shuffle_pick_and_mix_in() -> None:
    states, plain = bare(1, 2), Chance((1, 2))
    items = [1, 2, 3, 4, 5, 6, 7, 8]
    states["items"][0] = items
    chance.shuffle(states[0], states[0]["items"], 8)
    plain.shuffle(items)
    assert states["items"][0].tolist() == items
    assert int(chance.pick(states[0], states[0]["items"], 8)) == plain.pick(items)
    assert states["items"][0].tolist() == [*items, 0]
    chance.mix_in(states[0], states[0]["items"], 7, 9)
    plain.mix_in(items, 9)
    assert states["items"][0].tolist() == items


def test_every_order_of_a_shuffle_is_equally_likely() -> None:
    """Chi-square with 23 degrees of freedom; 49.7 is exceeded once in a thousand."""
    counts: Counter[tuple[int, ...]] = Counter()
    states = bare(11, 12)
    for _ in range(24_000):
        states["items"][0, :4] = [1, 2, 3, 4]
        chance.shuffle(states[0], states[0]["items"], 4)
        counts[tuple(states["items"][0, :4].tolist())] += 1
    assert len(counts) == 24
    assert sum((count - 1000) ** 2 / 1000 for count in counts.values()) < 49.7


def test_words_change_the_key_and_the_promise_is_of_the_seed() -> None:
    assert seeds.key_of("7", ()) == seeds.key_of("7", ("", "")) != seeds.key_of("7", ("a", ""))
    assert seeds.key_of("7", ("a", "")) != seeds.key_of("7", ("", "a"))
    assert seeds.commitment("7") == "7902699be42c8a8e46fbbb4501726517e86b22c56a189f7625a6da49081b2451"
    assert len(seeds.new_seed()) == 32
    assert seeds.new_seed() != seeds.new_seed()


@pytest.mark.parametrize("seed", [True, 1.5, "a\nb", "x" * 201, None])
def test_a_seed_is_one_line(seed: object) -> None:
    with pytest.raises(InfilaError, match="the seed must be"):
        seeds.checked(seed, "the seed")
