"""A study counts and changes nothing."""

import numpy as np

from infila.batch import counted_play
from infila.conformance.demand import demand
from infila.conformance.trial import Trial
from infila.core import driver
from infila.core.contract import COUNTED, Event
from infila.core.notation import POINTS
from infila.core.record import copied, uint64


def events_are_counted(trial: Trial) -> None:
    """`study.py`, where there is one, has sound events, and looks at moves without changing anything."""
    rules, events = trial.contract.rules, trial.contract.study.EVENTS
    demand(all(isinstance(event, Event) and event.rule and event.text for event in events), "EVENTS must be Events.")
    demand(len({event.text for event in events}) == len(events), "study.py: two EVENTS have the same text.")
    demand(len(events) <= COUNTED, f"study.py: there are more than {COUNTED} EVENTS.")
    for options in trial.options:
        template, work = np.zeros(1, rules.State), np.zeros(2, rules.State)
        trial.contract.options.make(options).write(template[0])
        luck, out, points = np.zeros(1, np.uint64), np.zeros(rules.MAX_LEGAL, np.int16), np.zeros(POINTS, np.int64)
        courses, widths = np.zeros(1, counted_play.Course), np.zeros(rules.MAX_LEGAL + 1, np.int64)
        trail = np.zeros(counted_play.TRAIL, np.int64)
        counted_play.begin(work, template, uint64(trial.seed), uint64(0), luck)
        while courses["moves"][0] < trial.most and not driver.status_at(work, 0, points)[1]:
            n = counted_play.look(work, courses, 0, widths, trail, out)
            action = int(out[int(courses["moves"][0]) % n])
            before, after = copied(work[:1]), copied(work[:1])
            driver.play_at(after, 0, action)
            counted_play.go(work, courses, 0, action)
            demand(work.tobytes() == after.tobytes() + before.tobytes(), "study.py: note() changes the game.")
        demand(bool((courses["events"] >= 0).all()), "study.py: note() counts below 0.")
