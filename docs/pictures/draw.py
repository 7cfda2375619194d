"""The pictures of the README: a position of each game as the terminal shows it.

python docs/pictures/draw.py
"""

import io
import random
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.terminal_theme import TerminalTheme

import infila
from infila.core.games import contract_of
from infila.players.sampling import best_move

HERE = Path(__file__).parent
PAPER = TerminalTheme(
    (250, 247, 240),
    (32, 30, 28),
    [
        (32, 30, 28),
        (196, 62, 38),
        (24, 112, 100),
        (214, 150, 30),
        (38, 72, 140),
        (140, 60, 110),
        (30, 110, 140),
        (228, 222, 208),
    ],
)
# rich's own frame, without its buttons and without fonts from the network
FRAME = """<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" role="img" aria-label="{label}">
<style>
.{unique_id}-matrix {{ font-family: ui-monospace, Menlo, Consolas, "DejaVu Sans Mono", monospace;
 font-size: {char_height}px; line-height: {line_height}px; }}
{styles}
</style>
<defs>{lines}</defs>
<rect width="100%" height="100%" rx="8" fill="#faf7f0"/>
<g transform="translate({terminal_x}, {terminal_y})">{backgrounds}<g class="{unique_id}-matrix">{matrix}</g></g>
</svg>
"""
TABLES: dict[str, tuple[dict[str, Any], int, int]] = {
    "zatre": ({"players": 2}, 5, 34),
    "take_that": ({"players": 3}, 12, 17),
    "completto": ({"players": 2, "games": 1}, 3, 40),
    "sequence": ({"players": 2}, 8, 36),
}


def main() -> None:
    for name, (options, seed, moves) in TABLES.items():
        game = infila.new(name, seed=seed, seats=["Nora", "Bruno", "Lena"][: options["players"]], **options)
        chance = random.Random(seed)
        while len(game.history) < moves or game.player != 0:
            game.play(best_move(game.view(game.player), 300, seed=chance.randrange(2**30)))
        console = Console(record=True, width=84, file=io.StringIO(), force_terminal=True, color_system="truecolor")
        console.print(game.view(0).screen())
        title = contract_of(name).title
        svg = console.export_svg(title=title, theme=PAPER, code_format=FRAME.replace("{label}", title), unique_id=name)
        (HERE / f"{name}.svg").write_text(svg, encoding="utf-8")


if __name__ == "__main__":
    main()
