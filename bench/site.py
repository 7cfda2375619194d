"""The table without a server, as somebody meets it on a laptop and on a phone: how much comes, and how soon.

    python -m bench.site [--visits 5] [--rounds 10] [--folder FOLDER] --out bench/results/site.json

A site is built (or taken from --folder) and opened in Chromium from a plain file server. A first visit has an empty
profile; a later one has what was kept, after a while in which nobody clicked and a table of each game was laid. A move
is possible when there is something to move and it will be done. In a later visit that may be before Python is there,
which does it then; so it is also measured when a move that is made at once has been answered. Someone clicks as soon as
there is something to click: on a game, on how strong the computer shall be, and then they could move. Who begins is
decided by lot: visits in which the computer does are made again, for most of them is the time that it gives people to
look. All times are taken in the page, up to the frame that shows what was waited for. Everything is done at the full
speed and with a processor that is four times slower (`bench.slower`; a fixed loop says how much slower it really was,
in a page and in a worker). The line is as fast as this machine; only what comes before the front page is counted on one
of 10 Mbit/s, where things get into each other's way. `master`'s answer is timed in the middle of games, from when one's
own move is seen; most of it is the time that the table gives people to look (`pace`). Rules and searches alone, next to
Numba's: `python -m bench.wasm`. Other programs on the machine count in all of it, and at the slower speed most: it
wants a quiet hour.
"""

import argparse
import json
import os
import random
import statistics
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from pathlib import Path
from typing import Any

from playwright.sync_api import BrowserContext, Page, sync_playwright

from bench.slower import slower
from bench.web_space import WebSpace, served
from infila.core.games import NAMES
from infila.server.settings import Settings
from tests.web import browser

PHONE = 4.0  # times slower
SLOW_LINE = 1_250_000  # bytes a second
MIDDLE = 4  # rounds before a game counts as being in the middle
PATIENCE = 120_000  # milliseconds
PAUSE = 0.3  # seconds after a round, in which pictures move
LATER = 5.0  # seconds in which nobody clicks, and pages are kept
TRIES = 8  # until the person begins
WANTED: dict[str, Any] = {
    "useful_bytes": 300_000,
    "first_move_bytes": 8_000_000,
    "first_visit_seconds": 6.0,
    "later_visit_seconds": 1.5,
    "move_ms": 100.0,
    "master_ms": {"laptop": 1000.0, "phone": 3000.0},
}

# runs before anything else in the window, which lives as long as the visit: the frame in it is asked by every picture
WATCH = """if (window === top && !window.until) {
  window.inside = () => document.querySelector("iframe")?.contentDocument;
  window.until = (found) => new Promise((done, fail) => {
    const late = performance.now() + 100_000;
    const look = () => {
      const it = inside()?.body && found(inside());
      if (it) done(it);
      else if (performance.now() > late) fail(new Error(`nothing came: ${found}`));
      else requestAnimationFrame(look);
    };
    look();
  });
  window.painted = (page) => {                  // in seconds of the window
    const own = page.defaultView.performance;
    const paint = own.getEntriesByName("first-contentful-paint")[0];
    return paint && (own.timeOrigin + paint.startTime - performance.timeOrigin) / 1000;
  };
  window.mine = (page) => page.querySelector(".table .can, .table .target, #acts .btn:not(.soft), .end h1");
  window.shown = () => until((page) => page.querySelector("form[action*='/play/'] button") && painted(page));
  window.clicked = async (selector) => (await until((page) => page.querySelector(selector))).click();
  window.playable = async () => {
    await until((page) => mine(page) && painted(page));
    return await new Promise((done) => requestAnimationFrame(() => done(performance.now() / 1000)));
  };
}"""
# both give seconds since the visit began, and when that was
BEGIN = """async ([game, level]) => {
  const useful = await shown();
  await clicked(`form[action*='/play/${game}'] button`);
  const next = await until((page) => mine(page) ?? page.querySelector(".strengths"));
  if (next.matches(".strengths")) await clicked(`.strengths button[value=${level}]`);
  const state = await until((page) => page.querySelector("#state"));
  const begins = JSON.parse(state.textContent).yours;
  const move = await playable();
  return { began: performance.timeOrigin / 1000, useful, move, begins };
}"""
# back at a table: when a move is possible, and when one that is made at once is shown
RETURN = """async () => {
  const move = await playable(), page = inside(), log = page.querySelector("#log");
  const shown = new Promise((done) => {
    const told = () => requestAnimationFrame(() => done(performance.now() / 1000));
    new MutationObserver(told).observe(log, { childList: true });
  });
  for (let clicks = 0; clicks < 5 && mine(page); clicks += 1) {
    const kinds = [".target", "#acts .btn.primary", ".can"];
    const found = kinds.flatMap((each) => [...page.querySelectorAll(`.table ${each}`)]);
    found.find((each) => each.getClientRects().length)?.dispatchEvent(new MouseEvent("click", { bubbles: true }));
    await new Promise((done) => requestAnimationFrame(done));
  }
  return { move, answered: await Promise.race([shown, new Promise((done) => setTimeout(done, 20_000))]) };
}"""
# until all of these are kept
KEPT = """async (names) => {
  for (const name of names) {
    while (!(await caches.match(new URL(name, document.baseURI)))) await new Promise((go) => setTimeout(go, 100));
  }
}"""
# until a table of each game is laid for the next visit, and the front page is kept as it is then
LAID = """async (count) => {
  const { known } = await import(new URL("pages.js", document.baseURI));
  const of = (name) => localStorage[`infila ${name} ${new URL(document.baseURI).pathname}`];
  const reader = encodeURIComponent(JSON.stringify([of("cookies") || "{}", navigator.languages]));
  for (;;) {
    const tables = Object.values(JSON.parse(of("laid") || "{}"));
    const kept = await Promise.all([...tables, "/"].map((address) => known(address, reader)));
    if (tables.length === count && kept.every(Boolean)) return;
    await new Promise((go) => setTimeout(go, 200));
  }
}"""
USEFUL = "async () => ({ began: performance.timeOrigin / 1000, useful: await shown() })"
# from a click on a link to the page that it leads to
NAVIGATE = """async (address) => {
  const before = inside();
  const link = Object.assign(before.createElement("a"), { href: address });
  before.body.append(link);
  const began = performance.now() / 1000;
  link.click();
  return (await until((page) => page !== before && painted(page))) - began;
}"""
OPEN = """async ([game, level]) => {
  const page = await until((page) => page.querySelector("main") && page);
  const form = Object.assign(page.createElement("form"), { method: "post", action: `./?/play/${game}` });
  form.innerHTML = `<input name="level" value="${level}">`;
  page.body.append(form);
  form.requestSubmit();
  await until((next) => next !== page && next.querySelector(".table"));
  await playable();
}"""
# A round: a move by clicks of which the last is timed, and the computer's answer, timed from the own move on. The log
# has a line more for each. `pick` is a random number.
ROUND = """async (pick) => {
  const page = inside(), view = page.defaultView;
  const all = (selector) => [...page.querySelectorAll(selector)];
  const { moves } = await (await view.fetch(`./${view.location.search}/state`)).json();
  if (!moves.length) return null;
  const move = moves[Math.floor(pick * moves.length)];
  const shown = (name) => all(`[data-part="${CSS.escape(name)}"]`).find((part) => part.getClientRects().length);
  const button = (text) => all("#acts .btn").find((each) => each.textContent === text);
  const changed = () => new Promise((done) => {
    const watch = new view.MutationObserver(() => {
      watch.disconnect();
      requestAnimationFrame(() => done(performance.now()));
    });
    watch.observe(page.querySelector("#log"), { childList: true, subtree: true });
  });
  const own = changed();
  let began;
  for (const name of move.p) {
    const part = shown(name) || button(move.a);
    if (!part) return null;
    if (part.matches(".selected")) continue;
    began = performance.now();
    part.dispatchEvent(new view.MouseEvent("click", { bubbles: true }));
  }
  if (began === undefined) return null;
  const made = await own;
  if (mine(page)) return { move: made - began };
  const answer = await Promise.race([changed(), new Promise((done) => setTimeout(done, 20_000))]);
  return answer ? { move: made - began, answer: answer - made } : { move: made - began };
}"""
# Milliseconds of a round of a fixed loop, the quickest of several: briefly at full speed, so that other programs leave
# some alone, and for many turns of running and standing still at the slower one.
LOOP = """const loop = (rounds) => {
  const began = performance.now();
  let x = 1;
  for (let i = 0; i < rounds; i += 1) x = (x * 16807) % 2147483647;
  return (performance.now() - began + (x < 0)) / rounds;
};
const quickest = (rounds) => Math.min(...Array.from({ length: 3e7 / rounds }, () => loop(rounds)));"""
IN_PAGE = f"(rounds) => {{ {LOOP} return quickest(rounds); }}"
IN_WORKER = f"""async (rounds) => {{
  const own = new Blob([{json.dumps(LOOP)}, `postMessage(quickest(${{rounds}}))`]);
  const worker = new Worker(URL.createObjectURL(own));
  const found = await new Promise((done) => {{ worker.onmessage = ({{ data }}) => done(data); }});
  worker.terminate();
  return found;
}}"""
BRIEFLY, LONG = 200_000, 3_000_000


def say(text: str) -> None:
    print(text, file=sys.stderr, flush=True)


class Profile:
    """A browser with a folder of its own, empty at first."""

    def __init__(self, context: BrowserContext, folder: str) -> None:
        self.context, self.folder = context, folder
        context.set_default_timeout(PATIENCE)
        context.add_init_script(WATCH)

    @property
    def process(self) -> int:
        wanted = f"--user-data-dir={self.folder}".encode()
        for place in Path("/proc").glob("[0-9]*"):
            try:
                words = (place / "cmdline").read_bytes().split(b"\0")
            except OSError:
                continue
            if wanted in words and not any(word.startswith(b"--type=") for word in words) and b"chrom" in words[0]:
                return int(place.name)
        raise SystemExit("the browser's process cannot be found")

    @contextmanager
    def visit(self, address: str) -> Iterator[Page]:
        """A window of its own, as on a phone or a small laptop."""
        page = self.context.new_page()
        page.goto(address, wait_until="commit")
        try:
            yield page
        finally:
            page.close()


@contextmanager
def profile() -> Iterator[Profile]:
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder, sync_playwright() as playwright:
        context = playwright.chromium.launch_persistent_context(
            folder,
            executable_path=browser.found() or None,
            args=browser.ARGUMENTS,
            viewport={"width": 1280, "height": 760},
        )
        try:
            yield Profile(context, folder)
        finally:
            context.close()


class Speed:
    """A speed at which everything is measured."""

    def __init__(self, name: str, factor: float) -> None:
        self.name, self.factor = name, factor

    @contextmanager
    def browsing(self) -> Iterator[Profile]:
        with profile() as opened, slower(opened.process, self.factor) if self.factor > 1 else nullcontext():
            yield opened

    def loop(self) -> dict[str, float]:
        """How slow a fixed loop is, in a page and in a worker."""
        rounds = LONG if self.factor > 1 else BRIEFLY
        with self.browsing() as opened, opened.visit("about:blank") as page:
            return {"page": page.evaluate(IN_PAGE, rounds), "worker": page.evaluate(IN_WORKER, rounds)}


def median(times: list[float], digits: int = 2) -> dict[str, float]:
    return {"median": round(statistics.median(times), digits), "worst": round(max(times), digits)}


def before_the_front_page(folder: Path, gzipped: bool) -> dict[str, float]:
    """Bytes and seconds until something useful is on the screen, on a slow line."""
    space = WebSpace(folder, gzipped, SLOW_LINE)
    with served(space) as address, profile() as opened, opened.visit(address) as page:
        found = page.evaluate(USEFUL)
    return {"bytes": space.bytes_until(found["began"] + found["useful"]), "seconds": round(found["useful"], 2)}


def first_visit(folder: Path, gzipped: bool, speed: Speed, game: str) -> dict[str, float]:
    for _ in range(TRIES):
        space = WebSpace(folder, gzipped)
        with served(space) as address, speed.browsing() as opened, opened.visit(address) as page:
            found = page.evaluate(BEGIN, [game, "club"])
        if found["begins"]:
            break
    return {
        "bytes": space.bytes_until(found["began"] + found["move"]),
        "useful_seconds": found["useful"],
        "seconds": found["move"],
    }


def installed(opened: Profile, address: str) -> str:
    """A first visit, until everything is kept; the address of the table at which it ended."""
    with opened.visit(address) as page:
        page.evaluate(BEGIN, [NAMES[0], "club"])
        page.evaluate("navigator.serviceWorker.ready.then(() => true)")
        page.evaluate(KEPT, ["python", "?/", f"?{page.url.partition('?')[2]}"])
        page.evaluate(LAID, len(NAMES))
        return page.url


def new_game(opened: Profile, address: str, game: str) -> float:
    """Seconds from the front page of somebody who was here before to a move in another game."""
    for _ in range(TRIES):
        with opened.visit(address) as page:
            found = page.evaluate(BEGIN, [game, "club"])
            time.sleep(LATER)
            page.evaluate(LAID, len(NAMES))
        if found["begins"]:
            break
    return float(found["move"])


def later_visits(folder: Path, speed: Speed, visits: int) -> dict[str, Any]:
    """Visits of somebody who was here before: from the front page on, and back to a table."""
    with served(WebSpace(folder)) as address, speed.browsing() as opened:
        table = installed(opened, address)
        begun, returned, answered, navigated = list[float](), list[float](), list[float](), list[float]()
        for number in range(visits):
            begun.append(new_game(opened, address, NAMES[number % len(NAMES)]))
            with opened.visit(table) as page:
                found = page.evaluate(RETURN)
                returned.append(found["move"])
                answered += [found["answered"]] if found.get("answered") else []
                page.evaluate("playable()")  # the computer has answered too
                time.sleep(LATER)
                for path in ("./?/rules/zatre", "./?/mine", "./?/"):
                    navigated.append(1000 * page.evaluate(NAVIGATE, path))
                time.sleep(LATER)
            say(f"{speed.name}, a later visit: {begun[-1]:.2f} s to a new game, {returned[-1]:.2f} s to the old one")
    return {
        "new_game_seconds": median(begun),
        "seconds": median(returned),
        "answered_seconds": median(answered),
        "navigation_ms": median(navigated, 0),
    }


def games(folder: Path, speed: Speed, rounds: int) -> dict[str, Any]:
    """Moves, and what `master` answers, in the middle of games; a game that ends is followed by another."""
    found, luck = dict[str, Any](), random.Random(1)
    with served(WebSpace(folder)) as address, speed.browsing() as opened, opened.visit(address) as page:
        for game in NAMES:
            moves, answers = list[float](), list[float]()
            while len(answers) < rounds:
                page.evaluate(OPEN, [game, "master"])
                for number in range(MIDDLE + rounds - len(answers)):
                    page.evaluate("playable()")
                    time.sleep(PAUSE)
                    took = page.evaluate(ROUND, luck.random())
                    if page.evaluate("inside().querySelector('.end h1') !== null"):
                        break
                    if took and number >= MIDDLE:
                        moves.append(took["move"])
                        answers += [took["answer"]] if "answer" in took else []
            found[game] = {"move_ms": median(moves, 0), "master_ms": median(answers, 0), "moves": len(moves)}
            say(f"{speed.name}, {game}: {found[game]}")
    return found


def measured(folder: Path, speed: Speed, visits: int, rounds: int) -> dict[str, Any]:
    first = list[dict[str, float]]()
    for number in range(visits):
        first.append(first_visit(folder, True, speed, NAMES[number % len(NAMES)]))
        say(f"{speed.name}, a first visit: {first[-1]['seconds']:.2f} s, {first[-1]['bytes'] / 1e6:.2f} MB")
    return {
        "first_visit": {
            "useful_seconds": median([each["useful_seconds"] for each in first]),
            "seconds": median([each["seconds"] for each in first]),
            "bytes": max(each["bytes"] for each in first),
        },
        "later_visits": later_visits(folder, speed, visits),
        "games": games(folder, speed, rounds),
    }


@contextmanager
def site(folder: Path | None) -> Iterator[Path]:
    if folder is not None:
        yield folder
        return
    from infila.site.build import build
    from infila.wasm.use import modules_in_use

    with tempfile.TemporaryDirectory() as made:
        say("building a site ...")
        with modules_in_use():
            build(Path(made))
        yield Path(made)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--visits", type=int, default=5)
    parser.add_argument("--rounds", type=int, default=10)
    parser.add_argument("--folder", type=Path, help="a site that has been built")
    parser.add_argument("--out", type=Path)
    wanted = parser.parse_args()
    laptop, phone = Speed("laptop", 1), Speed("phone", PHONE)
    began = time.monotonic()
    with site(wanted.folder) as folder:
        loops = {speed.name: speed.loop() for speed in (laptop, phone)}
        factor = {place: round(loops["phone"][place] / loops["laptop"][place], 2) for place in ("page", "worker")}
        say(f"the phone is slower by {factor}")
        result: dict[str, Any] = {
            "wanted": WANTED,
            "pace_ms": 1000 * Settings().pace,
            "times_slower": factor,
            "bytes": sum(file.stat().st_size for file in folder.rglob("*") if file.is_file()),
            "useful": {name: before_the_front_page(folder, name == "gzipped") for name in ("gzipped", "plain")},
            "plain_bytes": first_visit(folder, False, laptop, NAMES[0])["bytes"],
        }
        say(f"until something useful is there: {result['useful']}")
        for speed in (laptop, phone):
            result[speed.name] = measured(folder, speed, wanted.visits, wanted.rounds)
    result |= {
        "seconds": round(time.monotonic() - began),
        "cores": os.cpu_count(),
        "load": round(os.getloadavg()[0], 1),
    }
    print(json.dumps(result, indent=2))
    if wanted.out:
        wanted.out.write_text(json.dumps(result, indent=2) + "\n")


if __name__ == "__main__":
    try:
        main()
    except KeyboardInterrupt:
        raise SystemExit("stopped; nothing was written") from None
