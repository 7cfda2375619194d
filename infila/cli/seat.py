"""`infila seat`: an agent, or a computer player, at a table of a server."""

import argparse
import os
from typing import TYPE_CHECKING, Any

from infila.core.errors import check_number

if TYPE_CHECKING:
    from infila.cli.common import Commands

TOKEN = "INFILA_TOKEN"  # of the environment: who it sits down as
MOST_SEATS = 16


def add_parsers(commands: "Commands") -> None:
    seat = commands.add_parser(
        "seat",
        help="let an agent play at a table of a server",
        epilog=f"It sits down as somebody new, or as the person whose token {TOKEN} holds, and plays to the end of "
        "the game.",
    )
    seat.add_argument("link", metavar="LINK", help="of the table: https://example.org/t/TABLE")
    seat.add_argument("agent", metavar="AGENT", help="module:Agent, model.onnx, exec:COMMAND or a level")
    seat.add_argument("--name", default="", help="what it is called there (default: as it is named here)")
    seat.add_argument("--seat", type=int, metavar="N", help="which seat, from 1 (default: the first that is open)")
    seat.add_argument("--seconds", type=float, metavar="S", help="for a move (default: as long as it takes)")
    seat.set_defaults(run=run_seat, at_a_table=True)


def run_seat(wanted: argparse.Namespace) -> None:
    from infila.agents.table import sit

    if wanted.seat is not None:
        check_number("--seat", wanted.seat, 1, MOST_SEATS)
    end = sit(
        wanted.link,
        wanted.agent,
        name=wanted.name,
        seat=wanted.seat,
        token=os.environ.get(TOKEN, ""),
        seconds=wanted.seconds,
        told=_tell(),
    )
    scores = ", ".join(
        f"{seat['name'] or seat['level']} {score}" for seat, score in zip(end["seats"], end["scores"], strict=True)
    )
    print(f"over: {scores}", flush=True)


def _tell() -> Any:
    """Says each move once."""
    last = 0

    def tell(table: dict[str, Any]) -> None:
        nonlocal last
        move = table["last"]
        if move is not None and move["number"] > last:
            last = move["number"]
            who = "the host" if move["seat"] is None else table["seats"][move["seat"] - 1]["name"]
            print(f"{who}: {move['text']}", flush=True)

    return tell
