"""docs/reference/chance.md in plain Python."""

from collections.abc import Callable
from typing import Any

MASK = 2**64 - 1


def siphash24(k0: int, k1: int, message: bytes) -> int:
    v = (k0 ^ 0x736F6D6570736575, k1 ^ 0x646F72616E646F6D, k0 ^ 0x6C7967656E657261, k1 ^ 0x7465646279746573)
    padded = message + bytes(7 - len(message) % 8) + bytes([len(message) % 256])
    for start in range(0, len(padded), 8):
        word = int.from_bytes(padded[start : start + 8], "little")
        a, b, c, d = rounds(2, v[0], v[1], v[2], v[3] ^ word)
        v = a ^ word, b, c, d
    a, b, c, d = rounds(4, v[0], v[1], v[2] ^ 0xFF, v[3])
    return a ^ b ^ c ^ d


def rounds(count: int, a: int, b: int, c: int, d: int) -> tuple[int, int, int, int]:
    for _ in range(count):
        a = (a + b) & MASK
        c = (c + d) & MASK
        b = (b << 13 & MASK | b >> 51) ^ a
        d = (d << 16 & MASK | d >> 48) ^ c
        a = a << 32 & MASK | a >> 32
        c = (c + b) & MASK
        a = (a + d) & MASK
        b = (b << 17 & MASK | b >> 47) ^ c
        d = (d << 21 & MASK | d >> 43) ^ a
        c = c << 32 & MASK | c >> 32
    return a, b, c, d


class Chance:
    def __init__(self, key: tuple[int, int], counter: int = 0) -> None:
        self.key = key
        self.counter = counter

    def below(self, n: int) -> int:
        word = siphash24(*self.key, self.counter.to_bytes(8, "little"))
        self.counter += 1
        return ((word >> 16) * n) >> 48

    def shuffle(self, items: list[Any], order: Callable[[Any], Any] | None = None) -> None:
        items.sort(key=order)
        for i in range(len(items) - 1, 0, -1):
            j = self.below(i + 1)
            items[i], items[j] = items[j], items[i]

    def pick(self, items: list[Any]) -> Any:
        j = self.below(len(items))
        items[j], items[-1] = items[-1], items[j]
        return items.pop()

    def mix_in(self, items: list[Any], item: Any) -> None:
        items.append(item)
        j = self.below(len(items))
        items[-1], items[j] = items[j], items[-1]

    def position(self) -> dict[str, Any]:
        return {"key": [f"{word:016x}" for word in self.key], "counter": self.counter}
