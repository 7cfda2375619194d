"""Chance, inside the state: SipHash-2-4 in counter mode (docs/reference/chance.md), and a lighter one for random play.

Every game's record begins with the fields of `Chance`. SipHash is a pseudo-random function of a 128-bit key: nobody can
compute what is to come from what they have seen.
"""

import numpy as np

from infila.core.record import I8, U8, Ints, Record, array, int64, uint64
from infila.core.rule import rule


class Chance(Record):
    """The generator: what every game's record begins with."""

    key: Ints = array(U8, 2)
    counter: I8  # the number of the next word


MASK64 = 0xFFFF_FFFF_FFFF_FFFF
LAST = 2**63 - 1  # the word with this number seeds random play; no game ever gets there

# Numba types a constant below 2**63 as int64 and lets it drag uint64 to float, so constants here are uint64 arrays;
# `int()` keeps them uint64 when compiled and makes them Python ints otherwise, cut by the mask
_START = np.array([0x736F6D6570736575, 0x646F72616E646F6D, 0x6C7967656E657261, 0x7465646279746573], np.uint64)
_LENGTH = np.array([8 << 56], np.uint64)
_FINISH = np.array([0xFF], np.uint64)

# splitmix64; each constant is >= 2**63 and so a uint64 by itself
_GAMMA = 0x9E37_79B9_7F4A_7C15
_MIX1 = 0xBF58_476D_1CE4_E5B9
_MIX2 = 0x94D0_49BB_1331_11EB


@rule
def sip_round(v0: int, v1: int, v2: int, v3: int) -> tuple[int, int, int, int]:
    v0 = (v0 + v1) & MASK64
    v2 = (v2 + v3) & MASK64
    v1 = (((v1 << 13) | (v1 >> 51)) & MASK64) ^ v0
    v3 = (((v3 << 16) | (v3 >> 48)) & MASK64) ^ v2
    v0 = ((v0 << 32) | (v0 >> 32)) & MASK64
    v2 = (v2 + v1) & MASK64
    v0 = (v0 + v3) & MASK64
    v1 = (((v1 << 17) | (v1 >> 47)) & MASK64) ^ v2
    v3 = (((v3 << 21) | (v3 >> 43)) & MASK64) ^ v0
    v2 = ((v2 << 32) | (v2 >> 32)) & MASK64
    return v0, v1, v2, v3


@rule
def word(s: Chance, counter: int) -> int:
    """The random word with this number, as a uint64."""
    message = int(uint64(counter))
    v0 = int(s.key[0]) ^ int(_START[0])
    v1 = int(s.key[1]) ^ int(_START[1])
    v2 = int(s.key[0]) ^ int(_START[2])
    v3 = int(s.key[1]) ^ int(_START[3])
    v3 ^= message
    v0, v1, v2, v3 = sip_round(v0, v1, v2, v3)
    v0, v1, v2, v3 = sip_round(v0, v1, v2, v3)
    v0 ^= message
    v3 ^= int(_LENGTH[0])
    v0, v1, v2, v3 = sip_round(v0, v1, v2, v3)
    v0, v1, v2, v3 = sip_round(v0, v1, v2, v3)
    v0 ^= int(_LENGTH[0])
    v2 ^= int(_FINISH[0])
    v0, v1, v2, v3 = sip_round(v0, v1, v2, v3)
    v0, v1, v2, v3 = sip_round(v0, v1, v2, v3)
    v0, v1, v2, v3 = sip_round(v0, v1, v2, v3)
    v0, v1, v2, v3 = sip_round(v0, v1, v2, v3)
    return v0 ^ v1 ^ v2 ^ v3


@rule
def seed(s: Chance, key0: int, key1: int) -> None:
    """A new generator, at its first word; the key 0, 0 gives nothing away."""
    s.key[0] = key0
    s.key[1] = key1
    s.counter = 0


@rule
def random_below(s: Chance, n: int) -> int:
    """A random number from 0 to n - 1; n is at most 32767."""
    bits = int64(word(s, s.counter) >> 16)
    s.counter += 1
    return (bits * n) >> 48


@rule
def shuffle(s: Chance, items: Ints, n: int) -> None:
    """Shuffle the first n items. The caller has sorted them, so that only what they are matters."""
    for i in range(n - 1, 0, -1):
        j = random_below(s, i + 1)
        item = items[i]
        items[i] = items[j]
        items[j] = item


@rule
def pick(s: Chance, items: Ints, n: int) -> int:
    """Take one of the first n items at random; the last of them takes its place."""
    j = random_below(s, n)
    item = items[j]
    items[j] = items[n - 1]
    items[n - 1] = 0
    return item


@rule
def mix_in(s: Chance, items: Ints, n: int, item: int) -> None:
    """Add an item to the first n at a random place."""
    j = random_below(s, n + 1)
    items[n] = items[j]
    items[j] = item


@rule
def seed_luck(luck: Ints, s: Chance) -> None:
    """Start the generator of random play, an array of one uint64, from the game's key."""
    luck[0] = word(s, int64(LAST))


@rule
def luck_below(luck: Ints, n: int) -> int:
    """A random number from 0 to n - 1 for random play: splitmix64, fast, not secret."""
    z = (int(luck[0]) + _GAMMA) & MASK64
    luck[0] = z
    z = ((z ^ (z >> 30)) * _MIX1) & MASK64
    z = ((z ^ (z >> 27)) * _MIX2) & MASK64
    return (int64((z ^ (z >> 31)) >> 33) * n) >> 31
