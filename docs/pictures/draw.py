"""The pictures of the README: a table of each game in the middle of play, as one of its players sees it.

python docs/pictures/draw.py
"""

from pathlib import Path
from typing import Any

import infila

HERE = Path(__file__).parent
TABLES: dict[str, tuple[dict[str, Any], int, int]] = {
    "zatre": ({"players": 2}, 5, 34),
    "take_that": ({"players": 3}, 12, 17),
    "completto": ({"players": 2, "games": 1}, 3, 40),
    "sequence": ({"players": 2}, 8, 24),
}


def main() -> None:
    for name, (options, seed, moves) in TABLES.items():
        game = infila.new(name, seed=seed, seats=["Nora", "Bruno", "Lena"][: options["players"]], **options)
        club = infila.player(name, "club")
        while len(game.history) < moves or game.player != 0:
            game.play(club.think(game.view(game.player)).move)
        (HERE / f"{name}.svg").write_text(game.view(0)._repr_svg_() + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
