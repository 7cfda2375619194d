"""Print the digest of games for each set of options: run in a process of its own, with another environment.

    python -m infila.conformance.digests GAME GAMES DEVICE OPTIONS ...

A set of options is a JSON object.
"""

import json
import sys

from infila.batch.simulate import simulate


def main() -> None:
    name, games, device, *sets = sys.argv[1:]
    for options in sets:
        print(simulate(name, int(games), json.loads(options), device=device).digest)


if __name__ == "__main__":
    main()
