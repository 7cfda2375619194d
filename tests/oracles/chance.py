"""docs/reference/chance.md in plain Python."""

from collections.abc import Callable
from typing import Any

MASK = 2**64 - 1


def siphash24(k0: int, k1: int, message: bytes) -> int:
    v = [k0 ^ 0x736F6D6570736575, k1 ^ 0x646F72616E646F6D, k0 ^ 0x6C7967656E657261, k1 ^ 0x7465646279746573]

    def rotated(x: int, by: int) -> int:
        return ((x << by) | (x >> (64 - by))) & MASK

    def rounds(count: int) -> None:
        for _ in range(count):
            v[0] = (v[0] + v[1]) & MASK
            v[2] = (v[2] + v[3]) & MASK
            v[1] = rotated(v[1], 13) ^ v[0]
            v[3] = rotated(v[3], 16) ^ v[2]
            v[0] = rotated(v[0], 32)
            v[2] = (v[2] + v[1]) & MASK
            v[0] = (v[0] + v[3]) & MASK
            v[1] = rotated(v[1], 17) ^ v[2]
            v[3] = rotated(v[3], 21) ^ v[0]
            v[2] = rotated(v[2], 32)

    padded = message + bytes(7 - len(message) % 8) + bytes([len(message) % 256])
    for start in range(0, len(padded), 8):
        word = int.from_bytes(padded[start : start + 8], "little")
        v[3] ^= word
        rounds(2)
        v[0] ^= word
    v[2] ^= 0xFF
    rounds(4)
    return v[0] ^ v[1] ^ v[2] ^ v[3]


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
