"""From what a reviewer knows to what a review says."""

from collections.abc import Sequence
from dataclasses import replace
from math import exp, log, sqrt

from infila import __version__
from infila.core.contract import HOST
from infila.core.notation import move_texts
from infila.players import LEVELS
from infila.reviewing.chain import Chain
from infila.reviewing.choices import Choice
from infila.reviewing.judge import Value
from infila.reviewing.ledger import KINDS, Decision, Judged, Kind, Likeness, Review, SeatReview, Step
from infila.reviewing.reviewer import Reviewer

TAIL = 0.025  # on either side of an interval
ONE_MORE = 0.05  # what a decision more might have come to
REFERENCE = "positions by ratings, the moves of decisions by search, the end solved where it can be"
BATCHES = 8  # of a game, for the error of what is left over
DEAL = 0  # the number of the step before all moves


def review_of(reviewer: Reviewer) -> Review:
    """What is known so far; something is as soon as the first pass is complete."""
    walk = reviewer.walk
    decisions = {at: _decision(reviewer, at, choice) for at, choice in reviewer.choices.items() if choice.known}
    seen = all(each.worlds for each in reviewer.hindsight)  # a curve that is known in part would mislead
    hindsight = [
        (
            *(each.share(seat) if seen else 0.5 for each in reviewer.hindsight),
            *([reviewer.result(seat)] if walk.over else []),
        )
        for seat in range(len(walk.names))
    ]
    return Review(
        game=walk.contract.name,
        moves=len(walk),
        over=walk.over,
        seats=tuple(_seat(reviewer, seat, decisions) for seat in reviewer.seats),
        hindsight=tuple(hindsight),
        reference=f"{REFERENCE}; infila {__version__}, rules {walk.contract.rules_version}",
        seed=reviewer.seed,
        worlds=reviewer.judge.played,
        complete=reviewer.complete,
        error=reviewer.error,
        vague=reviewer.vague(),
    )


def _decision(reviewer: Reviewer, at: int, choice: Choice) -> Decision:
    walk = reviewer.walk
    hidden = walk.seen(at, choice.seat)
    actions = sorted(choice.estimates, key=lambda each: (-choice.estimates[each].value.win, each))
    texts = move_texts(walk.contract, hidden, actions)
    judged = {
        action: Judged(text.split(": ")[-1], action, choice.estimates[action].value, *choice.lost_by(action))
        for action, text in zip(actions, texts, strict=True)
    }
    best, played = judged[choice.best], judged[choice.played]
    by_level = reviewer.by_level.get(at, {})
    return Decision(
        number=at + 1,
        seat=choice.seat,
        played=played,
        best=best,
        moves=tuple(judged.values()),
        loss=played.loss,
        score=best.value.score - played.value.score,
        error=played.error,
        reasons=tuple(walk.contract.advice.reasons(hidden[0], best.action)),
        levels={name: judged[action] for name, action in by_level.items()},
        ahead={name: choice.ahead(action) for name, action in by_level.items()},
    )


def _seat(reviewer: Reviewer, seat: int, decisions: dict[int, Decision]) -> SeatReview:
    walk, chain = reviewer.walk, reviewer.chain(seat)
    steps: list[Step] = []
    started = reviewer.starts.get(seat)
    start = chain.before[0] if started is None else started.value
    if started is not None:
        steps.append(_step(DEAL, HOST, "luck", start, chain.arrived[0]))
    for at, mover in enumerate(walk.movers):
        changed = chain.changes[at]
        if mover == seat and at in decisions:
            made = decisions[at]
            steps.append(Step(at + 1, seat, "loss", -made.loss, -made.score, made.error))
        elif mover != seat:
            steps.append(_gift(reviewer, at, seat, chain))
        if reviewer.has_chance(at, seat) and changed is not None:
            steps.append(_step(at + 1, mover, "luck", chain.after[at], chain.arrived[at + 1]))
    sums = {kind: sum(step.win for step in steps if step.kind == kind) for kind in KINDS}
    points = {kind: sum(step.score for step in steps if step.kind == kind) for kind in KINDS}
    errors = {kind: sqrt(sum(step.error**2 for step in steps if step.kind == kind)) for kind in KINDS}
    errors["luck"] = sqrt(sum(error**2 for error in (start.error, chain.before[-1].error, *_doubts(chain))))
    result = chain.before[-1].win
    own = [made for made in decisions.values() if made.seat == seat]
    return SeatReview(
        seat=seat,
        name=walk.names[seat],
        start=start,
        curve=tuple(replace(each, win=min(1.0, max(0.0, each.win))) for each in chain.before),
        steps=tuple(steps),
        decisions=tuple(own),
        result=result,
        luck=sums["luck"],
        gifts=sums["gift"],
        losses=-sums["loss"],
        errors=errors,
        rest=result - (start.win + sums["luck"] + sums["gift"] + sums["loss"]),
        error=error_of_sum(left_over(reviewer, seat)),
        given_by={
            by: sum(step.win for step in steps if step.kind == "gift" and step.by == by)
            for by in sorted({step.by for step in steps if step.kind == "gift"})
        },
        score_luck=points["luck"],
        score_gifts=points["gift"],
        score_losses=-points["loss"],
        like=likeness(own),
    )


def _doubts(chain: Chain) -> list[float]:
    """What makes the sum of all luck uncertain: the errors of the moves between, from which it is told apart."""
    return [
        changed.error if changed is not None else _step(0, HOST, "gift", chain.after[at], chain.arrived[at + 1]).error
        for at, changed in enumerate(chain.changes)
    ]


def error_of_sum(parts: Sequence[float]) -> float:
    """The standard error of a sum whose parts are nothing on average, from the parts themselves: one by one, or in
    batches, if that is more, because what is misjudged once is often misjudged for a while.

    >>> error_of_sum([0.03, -0.04]), round(error_of_sum([0.01] * 16), 3)
    (0.05, 0.057)
    """
    size = -(-len(parts) // BATCHES)
    batches = [sum(parts[at : at + size]) for at in range(0, len(parts), max(size, 1))]
    return sqrt(max(sum(one**2 for one in several) for several in (parts, batches)))


def left_over(reviewer: Reviewer, seat: int) -> list[float]:
    """What the rest is the sum of: in every decision, by how much the best move beats the one that is made when it is
    played on. For one's own side that is a gain that nobody counted on, for the others a loss. And where the end is
    solved, by how much it was misjudged before."""
    chain = reviewer.chain(seat)
    jumps = [now.win - then.win for now, then in zip(chain.before, chain.arrived, strict=True)]
    edges = [-_part(reviewer, at, seat) * reviewer.edge(at)[0] for at in range(len(reviewer.walk))]
    return [jumps[0], *(edge + jump for edge, jump in zip(edges, jumps[1:], strict=True))]


def _part(reviewer: Reviewer, at: int, seat: int) -> float:
    """How much of what a move brought its side was taken from a seat: the other sides share it, and for those of the
    same side it is a gain."""
    mover, sides = reviewer.walk.movers[at], reviewer.sides
    return -1.0 if mover == HOST or sides[mover] == sides[seat] else 1 / max(1, len(set(sides)) - 1)


def _step(number: int, by: int, kind: Kind, before: Value, after: Value) -> Step:
    error = sqrt(before.error**2 + after.error**2)
    return Step(number, by, kind, after.win - before.win, after.score - before.score, error)


def _gift(reviewer: Reviewer, at: int, seat: int, chain: Chain) -> Step:
    """What somebody's move gave to a seat, against the best one. Who plays on does not always find that, so the best
    move costs the others something too, and that is nobody's fault: it is shared among the other sides."""
    mover, changed = reviewer.walk.movers[at], chain.changes[at]
    (edge, doubt), part = reviewer.edge(at), _part(reviewer, at, seat)
    if changed is None:
        step = _step(at + 1, mover, "gift", chain.after[at], chain.arrived[at + 1])
    else:
        step = Step(at + 1, mover, "gift", changed.win, changed.score, changed.error)
    return replace(step, win=step.win + part * edge, error=sqrt(step.error**2 + (part * doubt) ** 2))


def likeness(decisions: Sequence[Decision]) -> Likeness | None:
    """Where somebody stands among the levels; None if there was nothing to compare.

    Of somebody who plays like a level its moves are better in some decisions and worse in others, and come to the same
    in the mean: how likely what was measured would be then says how likely each level is, if none was likelier before.
    """
    known = [each for each in decisions if each.ahead]
    if not known:
        return None
    ahead = [_mean_of([each.ahead[level] for each in known]) for level in LEVELS]
    logs = [-((mean / error) ** 2) / 2 - log(error) for mean, error in ahead]
    shares = [exp(each - max(logs)) for each in logs]
    likely = [each / sum(shares) for each in shares]
    place = sum(at * share for at, share in enumerate(likely))
    below = [sum(likely[: at + 1]) for at in range(len(LEVELS))]
    loss = sum(each.loss for each in known) / len(known)
    return Likeness(
        level=LEVELS[round(place)],
        place=place,
        low=min(place, float(sum(each <= TAIL for each in below))),
        high=max(place, float(sum(each < 1 - TAIL for each in below))),
        loss=loss,
        levels={level: max(0.0, loss - mean) for level, (mean, _error) in zip(LEVELS, ahead, strict=True)},
    )


def _mean_of(found: Sequence[float]) -> tuple[float, float]:
    """A mean, and its standard error, never nothing: one more decision might have come to something."""
    n, mean = len(found), sum(found) / len(found)
    return mean, sqrt(sum((each - mean) ** 2 for each in found) + ONE_MORE**2) / n
