"""What a table in a browser costs: from a click to the new picture, and the bytes of a first visit.

    python -m bench.table [--moves 15]

A person plays the computer in Chromium, in a window of the usual size; a move is timed in the page, from the click that
ends it to the frame that shows it. Bytes are those of the page, its style sheets, scripts and icon, as they are sent.
Needs what the tests need (`make test` installs it).
"""

import argparse
import json
import re
import statistics
import subprocess
import sys
import tempfile
import urllib.request
from pathlib import Path
from typing import Any

from playwright.sync_api import Page, ViewportSize, sync_playwright

from bench.server import HOST, free_port
from infila.core.games import NAMES
from tests.web import browser

RESULTS = Path(__file__).parent / "results" / "table.json"
WINDOW: ViewportSize = {"width": 1280, "height": 760}
PATIENCE = 120_000  # milliseconds
MY_TURN = "() => document.querySelector('.table .can, .table .target, #acts .btn:not(.soft)') !== null"
# the first move of those that are offered: part after part of it is clicked, the last one is timed
MOVE = """async () => {
  const { moves } = await (await fetch(`${location.pathname}/state`)).json();
  if (!moves.length) return null;
  const all = (selector) => [...document.querySelectorAll(selector)];
  const shown = (name) => all(`[data-part="${CSS.escape(name)}"]`).find((part) => part.getClientRects().length);
  const button = (text) => all("#acts .btn").find((each) => each.textContent === text);
  const changed = new Promise((done) => {
    const seen = () => requestAnimationFrame(() => done(performance.now()));
    new MutationObserver(seen).observe(document.querySelector("#log"), { childList: true, subtree: true });
  });
  let began;
  for (const name of moves[0].p) {
    const part = shown(name) || button(moves[0].a);
    if (!part) return null;
    if (part.matches(".selected")) continue;
    began = performance.now();
    part.dispatchEvent(new MouseEvent("click", { bubbles: true }));
  }
  return (await changed) - began;
}"""


def weight(page: Page, path: str) -> int:
    """Bytes of a first visit."""
    address = re.match(r"https?://[^/]+", page.url)
    assert address
    cookies = "; ".join(f"{each['name']}={each['value']}" for each in page.context.cookies())

    def sent(of: str) -> tuple[int, str]:
        request = urllib.request.Request(address[0] + of, headers={"accept-encoding": "gzip", "cookie": cookies})
        with urllib.request.urlopen(request) as answer:
            return len(answer.read()), page.evaluate("(path) => fetch(path).then((answer) => answer.text())", of)

    size, text = sent(path)
    return size + sum(sent(of)[0] for of in set(re.findall(r'(?:src|href)="(/(?:static|look)/[^"]+)"', text)))


def play(page: Page, game: str, moves: int) -> dict[str, Any]:
    page.goto(f"{page.url.split('/', 3)[0]}//{page.url.split('/')[2]}/")
    page.evaluate(
        """(game) => { const form = document.createElement("form"); form.method = "post"; form.action = `/play/${game}`;
        form.innerHTML = '<input name="level" value="beginner"><input name="wait" value="yes">';
        document.body.append(form); form.submit(); }""",
        game,
    )
    page.wait_for_selector(".table", timeout=PATIENCE)
    size = weight(page, page.url.removeprefix(f"http://{page.url.split('/')[2]}"))
    times: list[float] = []
    while len(times) < moves:
        page.wait_for_function(MY_TURN, timeout=PATIENCE)
        if (took := page.evaluate(MOVE)) is not None:
            times.append(took)
        page.wait_for_timeout(300)
        if page.query_selector(".end h1"):
            break
    return {
        "moves": len(times),
        "median_ms": round(statistics.median(times), 1),
        "longest_ms": round(max(times), 1),
        "bytes": size,
    }


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--moves", type=int, default=15)
    wanted = parser.parse_args()
    port, result = free_port(), dict[str, Any]()
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder, sync_playwright() as playwright:
        command = [sys.executable, "-m", "infila", "serve", "--no-browser", "--port", str(port), "--data", folder]
        server = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        chromium = playwright.chromium.launch(executable_path=browser.found() or None, args=["--no-sandbox"])
        try:
            assert server.stdout is not None
            server.stdout.readline()
            page = chromium.new_page(viewport=WINDOW)
            page.goto(f"http://{HOST}:{port}/")
            result["front page"] = {"bytes": weight(page, "/")}
            for game in NAMES:
                result[game] = play(page, game, wanted.moves)
                print(game, result[game], flush=True)
        finally:
            chromium.close()
            server.terminate()
            server.wait()
    print(json.dumps(result, indent=1))
    RESULTS.write_text(json.dumps(result, indent=1) + "\n")


if __name__ == "__main__":
    main()
