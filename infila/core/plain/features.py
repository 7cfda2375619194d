"""A game without `features.py`: a seat learns from the record as `hide` leaves it, field by field.

`observe` must not change the record and has no room for a copy of it. So it is written for the fields of each game: it
keeps every number, in the observation or in a variable, hides, and exchanges the two. Numbers of more than a byte are
cut to ±127, as everywhere (`infila.core.features`), and kept in the spare room at the end meanwhile.
"""

from math import prod
from typing import TYPE_CHECKING, Any

from infila.core.dispatch import hide
from infila.core.errors import BrokenGame
from infila.core.features import MOST, Feature, Symmetry, cut, identity, lay_out
from infila.core.record import int64

if TYPE_CHECKING:
    import numpy as np

    from infila.core.contract import Contract

GENERATOR = ("key", "counter")
LEAST = -MOST - 1


class PlainFeatures:
    """The features of one game."""

    def __init__(self, contract: "Contract") -> None:
        kind = contract.rules.State.dtype
        fields = {name: shape_of(kind, name) for name in kind.names or () if name not in (*GENERATOR, "_pad")}
        for name in fields:
            if kind[name].base.str.endswith("u8"):
                raise BrokenGame(
                    f"the field {name!r} of {contract.package}.rules.State has numbers that the usual observation "
                    "cannot keep (U8). Write a features.py, or make it I8."
                )
        room = sum(prod(shape) * kind[name].base.itemsize for name, shape in fields.items() if is_wide(kind, name))
        self.FEATURES = lay_out(
            Feature("viewer", (1,), 0, 127, "the viewer's seat"),
            *(
                Feature(name, shape or (1,), LEAST, MOST, f"the field {name} of the state, as far as the viewer knows")
                for name, shape in fields.items()
            ),
            Feature("room", (room,), 0, 0, "zeros: room that the observation needs while it is made"),
        )
        self.SIZE = sum(feature.size for feature in self.FEATURES)
        self.SYMMETRIES: tuple[Symmetry, ...] = (identity(self.SIZE, contract.rules.ACTIONS),)
        self.source = source_of(kind, fields, {feature.name: feature.offset for feature in self.FEATURES})
        made: dict[str, Any] = {"hide": hide, "cut": cut, "int64": int64}
        exec(compile(self.source, f"<observe of {contract.name}>", "exec"), made)
        self.observe = made["observe"]


def shape_of(kind: "np.dtype[Any]", name: str) -> tuple[int, ...]:
    return tuple(kind[name].shape)


def is_wide(kind: "np.dtype[Any]", name: str) -> bool:
    """Whether an array's numbers do not fit into the bytes of an observation."""
    return bool(kind[name].shape) and not kind[name].base.str.endswith("i1")


def source_of(kind: "np.dtype[Any]", fields: dict[str, tuple[int, ...]], at: dict[str, int]) -> str:
    """The text of `observe` for a record."""
    keep, swap = [], []
    room = at["room"]
    for name, shape in fields.items():
        signed, size = "i" in kind[name].base.str, kind[name].base.itemsize
        if not shape:
            keep.append(f"    kept_{name} = s.{name}")
            swap += [f"    out[{at[name]}] = cut(int64(s.{name}))", f"    s.{name} = kept_{name}"]
            continue
        loops, number, place = loop_over(name, shape)
        inner = "    " * (len(shape) + 1)
        where = f"{at[name]} + {place}"
        if not is_wide(kind, name):
            keep += [*loops, f"{inner}out[{where}] = {number}"]
            swap += [
                *loops,
                f"{inner}seen = {number}",
                f"{inner}{number} = out[{where}]",
                f"{inner}out[{where}] = seen",
            ]
            continue
        first = f"{room} + {size} * ({place})"
        keep += [*loops, f"{inner}value = int64({number})", f"{inner}for b in range({size}):"]
        keep.append(f"{inner}    out[{first} + b] = (((value >> 8 * b) & 255) ^ 128) - 128")
        top = f"int64(out[{first} + {size - 1}])" + ("" if signed else " & 255")
        swap += [*loops, f"{inner}value = ({top}) << {8 * (size - 1)}", f"{inner}for b in range({size - 1}):"]
        swap.append(f"{inner}    value += (int64(out[{first} + b]) & 255) << 8 * b")
        swap += [f"{inner}out[{where}] = cut(int64({number}))", f"{inner}{number} = value"]
        room += size * prod(shape)
    return "\n".join(
        [
            "def observe(s, viewer, out):",
            "    key0, key1, counter = s.key[0], s.key[1], s.counter",
            f"    for i in range({room}, len(out)):",
            "        out[i] = 0",
            *keep,
            "    hide(s, viewer)",
            *swap,
            "    s.key[0], s.key[1], s.counter = key0, key1, counter",
            f"    for i in range({at['room']}, {room}):",
            "        out[i] = 0",
            f"    out[{at['viewer']}] = viewer",
            "",
        ]
    )


def loop_over(name: str, shape: tuple[int, ...]) -> tuple[list[str], str, str]:
    """Loops over the numbers of an array, what one of them is called in these, and its place among all."""
    letters = [f"i{axis}" for axis in range(len(shape))]
    loops = ["    " * (axis + 1) + f"for i{axis} in range({length}):" for axis, length in enumerate(shape)]
    steps = [f"{prod(shape[axis + 1 :])} * {letter}" for axis, letter in enumerate(letters)]
    return loops, f"s.{name}[{', '.join(letters)}]", " + ".join(steps)
