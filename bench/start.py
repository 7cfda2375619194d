"""How long it takes until the page is there: the first start on a machine, and any later one.

    python -m bench.start

Whole processes are measured, from the command to the answer. At the first start the rules are not compiled yet: the
page comes at once, and a game can be played as soon as its own rules are there.
"""

import argparse
import http.client
import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from bench.server import HOST, free_port, processor_seconds

RESULTS = Path(__file__).parent / "results" / "start.json"
PATIENCE = 600.0


def until(port: int, method: str, path: str, started: float, form: str = "") -> float:
    """Seconds until a request is answered."""
    headers = {"origin": f"http://{HOST}:{port}", "content-type": "application/x-www-form-urlencoded"}
    while time.perf_counter() - started < PATIENCE:
        try:
            connection = http.client.HTTPConnection(HOST, port, timeout=PATIENCE)
            connection.request(method, path, form, headers)
            answer = connection.getresponse()
            answer.read()
            if answer.status < 400:
                return time.perf_counter() - started
            raise SystemExit(f"{method} {path}: {answer.status}")
        except OSError:
            time.sleep(0.02)
        finally:
            connection.close()
    raise SystemExit("the server did not start")


def start(cache: str, data: str, games: tuple[str, ...]) -> dict[str, Any]:
    """Seconds until the front page, and until each game has been dealt."""
    port = free_port()
    environment = os.environ | {"XDG_CACHE_HOME": cache}
    command = [sys.executable, "-m", "infila", "serve", "--no-browser", "--port", str(port), "--data", data]
    started = time.perf_counter()
    server = subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    try:
        times = {"page": round(until(port, "GET", "/", started), 2)}
        computed = round(processor_seconds(server.pid), 2)
        times |= {game: round(until(port, "POST", f"/play/{game}", started, "wait=yes"), 2) for game in games}
    finally:
        server.terminate()
        _, said = server.communicate()
    return {"seconds_until": times, "processor_seconds_until_page": computed, "said": said.splitlines()}


def main() -> None:
    from infila.core.games import NAMES

    argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter).parse_args()
    with tempfile.TemporaryDirectory() as cache, tempfile.TemporaryDirectory() as data:
        result = {
            "first_start": start(cache, data, tuple(NAMES)),
            "second_start": start(cache, data, tuple(NAMES)),
            "cores": os.cpu_count(),
            "load": round(os.getloadavg()[0], 1),
        }
    print(json.dumps(result, indent=2))
    RESULTS.write_text(json.dumps(result, indent=2) + "\n")


if __name__ == "__main__":
    main()
