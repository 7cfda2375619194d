"""Golden games: one finished log for every game, option set and player count, with what came out of it.

    python -m tests.records        writes them anew into tests/records/

A change of the rules that makes an old log play differently shows here, and needs a new rules version.
"""

import json
from pathlib import Path
from typing import Any

from infila.core.games import contract_of
from tests.play import every_option_set, random_game

FOLDER = Path(__file__).parent / "records"


def stem_of(name: str, options: dict[str, Any]) -> str:
    """What the file of a golden game is called: its game and its options as they are written down."""
    written = contract_of(name).options.make(options).to_json()
    return "-".join([name, *(str(written[option]) for option in options)])


def main() -> None:
    FOLDER.mkdir(exist_ok=True)
    results = {}
    for name, options in every_option_set():
        *_, game = random_game(name, 2026, **options)
        path = FOLDER / f"{stem_of(name, options)}.log"
        path.write_text(game.log, encoding="utf-8")
        results[path.stem] = {"moves": len(game.history), "scores": game.scores}
    lines = [f'  "{stem}": {json.dumps(result)}' for stem, result in sorted(results.items())]
    (FOLDER / "results.json").write_text("{\n" + ",\n".join(lines) + "\n}\n", encoding="utf-8")


if __name__ == "__main__":
    main()
