"""Golden games: one finished log for every game, option set and player count, with what came out of it.

    python -m tests.records        writes them anew into tests/records/

A change of the rules that makes an old log play differently shows here, and needs a new rules version.
"""

import json
from pathlib import Path

from tests.play import every_option_set, option_id, random_game

FOLDER = Path(__file__).parent / "records"


def main() -> None:
    FOLDER.mkdir(exist_ok=True)
    results = {}
    for name, options in every_option_set():
        *_, game = random_game(name, 2026, **options)
        path = FOLDER / f"{name}-{option_id(options)}.log"
        path.write_text(game.log, encoding="utf-8")
        results[path.stem] = {"moves": len(game.history), "scores": game.scores}
    lines = [f'  "{stem}": {json.dumps(result)}' for stem, result in sorted(results.items())]
    (FOLDER / "results.json").write_text("{\n" + ",\n".join(lines) + "\n}\n", encoding="utf-8")


if __name__ == "__main__":
    main()
