"""The states of a run by the time since it was created, and what it prints."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from clusterprint_simcloud.work.clock import told

#: How a run can be made to end; a preempted one is queued again, and succeeds.
OUTCOMES = ("succeeded", "failed", "preempted")
SUCCEEDED, FAILED, PREEMPTED = OUTCOMES
#: Says it for the runs that a command starts.
VARIABLE = "SIMULATED_OUTCOME"
QUEUED, ADMITTED, RUNNING = "queued", "admitted", "running"
_TIMES = ((0, QUEUED), (30, ADMITTED), (60, RUNNING), (180, ""))
_TIMES_PREEMPTED = (
    (0, QUEUED),
    (30, ADMITTED),
    (60, RUNNING),
    (120, PREEMPTED),
    (150, ADMITTED),
    (180, RUNNING),
    (300, ""),
)
_SAID = {
    QUEUED: "queued",
    ADMITTED: "admitted; its pods or nodes start",
    RUNNING: "running: {program}",
    PREEMPTED: "preempted by a simulated run of higher priority; queued again",
    SUCCEEDED: "succeeded, exit code 0",
    FAILED: "failed on request, exit code 1",
}


class Run(NamedTuple):
    """A run: its name, when it was created, how it is to end, whether it ends or serves, or has a queue.

    `stuck` says why it never starts, if so; at `stopped` somebody has ended it.
    """

    name: str
    created: int
    outcome: str = SUCCEEDED
    serves: bool = False
    waits: bool = False
    stuck: str = ""
    stopped: int | None = None

    def history(self, now: int) -> list[tuple[int, str]]:
        """The states so far, each with the moment when it began; the last one is the current one."""
        if self.stuck:
            return [(self.created, QUEUED)]
        times = _TIMES_PREEMPTED if self.outcome == PREEMPTED else _TIMES
        end = FAILED if self.outcome == FAILED else SUCCEEDED
        found = [(self.created + after, state or end) for after, state in times if state or not self.serves]
        if self.stopped is not None and self.stopped <= now:
            return [*(each for each in found if each[0] < self.stopped), (self.stopped, FAILED)]
        return [each for each in found if each[0] <= now] or found[:1]

    def state(self, now: int) -> str:
        """The current state."""
        return self.history(now)[-1][1]

    def began(self, state: str, now: int) -> str:
        """When a state began last; empty if it was never reached."""
        found = [moment for moment, name in self.history(now) if name == state]
        return told(found[-1]) if found else ""

    def log(self, now: int, where: str, program: Sequence[str]) -> list[str]:
        """What a part of it has printed since it runs."""
        history = self.history(now)
        starts = [number for number, (_, state) in enumerate(history) if state == RUNNING]
        if not starts:
            return []
        # A script among the words is of no use in one line.
        shown = " ".join(word for word in program if "\n" not in word)[:100] or "the command of its image"
        told_ = [f"simulated: nothing runs in this cloud; these lines stand for the log of {where}"]
        for moment, state in history[starts[-1] :]:
            told_.append(f"{told(moment)} simulated: {_SAID[state].format(program=shown)}")
        return told_


def ended(state: str) -> bool:
    """Whether a run in this state will not change any more."""
    return state in {SUCCEEDED, FAILED}
