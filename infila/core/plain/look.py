"""A game without `screen.py` or `picture.py`: its position as text, and the moves that can be made."""

import json
from collections.abc import Sequence
from html import escape
from typing import TYPE_CHECKING, Any

import numpy as np

from infila.core.notation import legal_actions, seat_on_turn
from infila.core.picture import Panel, Say, panel, part, shortened, text_width

if TYPE_CHECKING:
    from rich.console import RenderableType

    from infila.core.contract import Contract

LINE, SIZE, WIDTH = 24, 16, 560  # height of a line, of its letters, and width of a panel
BOX = 44  # height of a part that can be touched


def lines_of(contract: "Contract", s: Any) -> list[str]:
    """The fields of a position, a line each; a list of lists takes a line for each of them."""
    lines = []
    for name, value in contract.notation.to_json(s).items():
        if isinstance(value, list) and value and all(isinstance(each, (list, str)) for each in value):
            lines.append(f"{name}:")
            lines += [f"    {_written(each)}" for each in value]
        else:
            lines.append(f"{name}: {_written(value)}")
    return lines


def _written(value: Any) -> str:
    if isinstance(value, str):
        return value
    if isinstance(value, list):
        return "  ".join(_written(each) for each in value) or "–"
    return json.dumps(value, ensure_ascii=False)


class PlainScreen:
    """A position as text."""

    def __init__(self, contract: "Contract") -> None:
        self.contract = contract

    def draw(self, s: Any, viewer: int, names: Sequence[str]) -> "RenderableType":
        from rich.console import Group
        from rich.text import Text

        from infila.core.terminal import seat_name

        states = np.array([s], self.contract.rules.State)
        on_turn = seat_on_turn(states)
        seats = [seat_name(seat, names, seat == on_turn) for seat in range(len(names))]
        lines = [Text(line) for line in lines_of(self.contract, s)]
        return Group(Text(self.contract.title, "bold"), Text(), *lines, Text(), *seats)


class PlainPicture:
    """A position as text, and every part of every move of the viewer as a box to touch."""

    BUTTONS: tuple[str, ...] = ()

    def __init__(self, contract: "Contract") -> None:
        self.contract = contract

    def panels(self, s: Any, viewer: int, names: Sequence[str], say: Say, last: Sequence[str]) -> list[Panel]:
        drawn = [self._position(s)]
        paths = self._paths(s, viewer)
        return [*drawn, self._moves(paths)] if paths else drawn

    def note(self, s: Any, action: int) -> str:
        return ""

    def lights(self, s: Any, action: int) -> tuple[str, ...]:
        return ()

    def _position(self, s: Any) -> Panel:
        inside = []
        for i, line in enumerate(lines_of(self.contract, s)):
            text = escape(shortened(line.strip(), SIZE, WIDTH - 40))
            x = 16 + 8 * (len(line) - len(line.lstrip()))
            inside.append(f'<text x="{x}" y="{LINE * (i + 1)}" font-size="{SIZE}" fill="var(--ink)">{text}</text>')
        return panel("board", self.contract.title, WIDTH, LINE * (len(inside) + 1), inside, place="board")

    def _paths(self, s: Any, viewer: int) -> list[tuple[str, ...]]:
        actions, actors = legal_actions(self.contract, np.array([s], self.contract.rules.State))
        mine = [action for action, actor in zip(actions, actors, strict=True) if actor in (viewer, -1)]
        return [self.contract.notation.parts(s, action) for action in mine] if viewer >= 0 else []

    def _moves(self, paths: list[tuple[str, ...]]) -> Panel:
        """The parts in rows; those that end a longer path get the eyelet of a target."""
        targets = {name for path in paths for name in path[1:]}
        inside = []
        x, y = 8.0, 8.0
        for name in dict.fromkeys(name for path in paths for name in path):
            wide = max(BOX, text_width(name, SIZE) + 24)
            if x > 8 and x + wide > WIDTH - 8:
                x, y = 8.0, y + BOX + 8
            box = f'<rect x="{x:g}" y="{y:g}" width="{wide:g}" height="{BOX}" rx="8" fill="var(--raised)"/>'
            middle = f'x="{x + wide / 2:g}" y="{y + BOX / 2 + 5:g}" text-anchor="middle"'
            word = f'<text {middle} font-size="{SIZE}" fill="var(--ink)">{escape(name)}</text>'
            ring = f'<circle cx="{x + 8:g}" cy="{y + 8:g}" r="6"/><text class="note" x="{x + 8:g}" y="{y + 12:g}"/>'
            eyelet = f'<g class="eyelet">{ring}</g>' if name in targets else ""
            inside.append(part(name, name, box, word, eyelet))
            x += wide + 8
        return panel("moves", self.contract.examples, WIDTH, y + BOX + 8, inside, place="own")


def words(contract: "Contract") -> dict[str, dict[str, str]]:
    """What a game without `texts/en.toml` needs to be said: its options by their names."""
    labels = {}
    for name, spec in contract.options.specs().items():
        labels[name] = name.replace("_", " ")
        values = ("yes", "no") if spec.kind == "flag" else ("random",) if spec.kind == "seat" else spec.values
        labels |= {f"{name}_{value}": str(value) for value in values}
    return {"options": labels}


def rulebook(contract: "Contract") -> str:
    """What is shown for the rules of a game that does not explain them."""
    lines = [f"- `{name}`: {spec.meaning}" for name, spec in contract.options.specs().items()]
    moves = f"A move is written like this: {contract.examples}."
    return "\n".join([f"# {contract.title}", "", moves, "", "## Options", "", *lines, ""])
