"""`infila conformance`: whether a game does what every game must."""

import argparse
import json
from dataclasses import asdict
from typing import TYPE_CHECKING

from infila.cli.common import fail
from infila.core.games import contract_of

if TYPE_CHECKING:
    from infila.cli.common import Commands


def add_parsers(commands: "Commands") -> None:
    conformance = commands.add_parser("conformance", help="check that a game does what every game must")
    conformance.add_argument("game", metavar="GAME")
    conformance.add_argument("--only", default="", metavar="A,B,…", help="only these checks")
    conformance.add_argument("--json", action="store_true", help="print one JSON object")
    conformance.set_defaults(run=run_conformance)


def run_conformance(wanted: argparse.Namespace) -> None:
    from infila.conformance import run

    only = [name.strip() for name in wanted.only.split(",") if name.strip()]
    contract_of(wanted.game)
    found = []
    for done in run(wanted.game, only):
        found.append(done)
        if not wanted.json:
            print(
                f"{'no ' if done.problem else 'yes'}  {done.name.replace('_', ' ')}  ({done.seconds:.1f} s)", flush=True
            )
            if done.problem:
                print(f"     {done.problem}", flush=True)
    failed = sum(bool(done.problem) for done in found)
    if wanted.json:
        print(json.dumps({"game": wanted.game, "conforms": not failed, "checks": [asdict(done) for done in found]}))
    elif not failed:
        print(f"{contract_of(wanted.game).title} does what every game must.")
    if failed:
        fail(f"{failed} of {len(found)} checks of {wanted.game} failed.", 1)
