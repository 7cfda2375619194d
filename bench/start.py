"""How long it takes until the page is there: the first start on a machine, and any later one.

    python -m bench.start [--clone]

Whole processes are measured, from the command to the answer. At the first start the rules are not compiled yet: the
modules of the games run them until they are. With --clone `make play` is begun in an empty clone as well, which first
installs what is needed: it takes what pip has kept, or its registry has, and is measured as it comes. The other figures
are kept as they are then.
"""

import argparse
import http.client
import json
import os
import signal
import socket
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from bench.server import HOST, free_port, processor_seconds

RESULTS = Path(__file__).parent / "results" / "start.json"
ROOT = Path(__file__).parents[1]
PORT = 4224  # of a server that nobody has told another
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
        times |= clicked(port, started, games)
    finally:
        server.terminate()
        _, said = server.communicate()
    return {"seconds_until": times, "processor_seconds_until_page": computed, "said": said.splitlines()}


def clicked(port: int, started: float, games: tuple[str, ...]) -> dict[str, float]:
    """Seconds until each game has been dealt, one after the other."""
    return {game: round(until(port, "POST", f"/play/{game}", started, "wait=yes"), 2) for game in games}


def cloned(games: tuple[str, ...]) -> dict[str, Any]:
    """The same from `make play` in an empty clone, by somebody who has never had any of it; what it fetches is kept by
    pip alone."""
    with tempfile.TemporaryDirectory() as work:
        clone = Path(work) / "clone"
        subprocess.run(["git", "clone", "--quiet", str(ROOT), str(clone)], check=True)
        own = {"XDG_DATA_HOME": f"{work}/data", "NUMBA_CACHE_DIR": f"{work}/compiled", "BROWSER": "true"}
        with socket.socket() as usual:
            if usual.connect_ex((HOST, PORT)) == 0:
                raise SystemExit(f"something is at port {PORT} already, where `make play` would be")
        started = time.perf_counter()
        command = ["make", f"PYTHON={sys.executable}", "play"]
        playing = subprocess.Popen(command, cwd=clone, env=os.environ | own, start_new_session=True)
        try:
            times = {"page": round(until(PORT, "GET", "/", started), 2)}
            return {"seconds_until": times | clicked(PORT, started, games)}
        finally:
            os.killpg(playing.pid, signal.SIGTERM)
            playing.wait()


def main() -> None:
    from infila.core.games import NAMES

    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--clone", action="store_true", help="`make play` in an empty clone, and nothing else")
    wanted = parser.parse_args()
    result: dict[str, Any] = json.loads(RESULTS.read_text(encoding="utf-8")) if RESULTS.is_file() else {}
    if wanted.clone:
        result["empty_clone"] = cloned(tuple(NAMES)) | {"load": round(os.getloadavg()[0], 1)}
    else:
        with tempfile.TemporaryDirectory() as cache, tempfile.TemporaryDirectory() as data:
            result |= {
                "first_start": start(cache, data, tuple(NAMES)),
                "second_start": start(cache, data, tuple(NAMES)),
                "cores": os.cpu_count(),
                "load": round(os.getloadavg()[0], 1),
            }
    print(json.dumps(result, indent=2))
    RESULTS.write_text(json.dumps(result, indent=2) + "\n")


if __name__ == "__main__":
    main()
