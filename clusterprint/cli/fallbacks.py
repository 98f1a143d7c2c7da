"""`up` with wishes for capacity: the next one where the cloud has no capacity, and back to the first.

A wish is confirmed like any plan, and written to the capacity lock when it is: a run that is interrupted goes
on with it.
"""

import json
import shlex
import subprocess
import time
import urllib.request
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from clusterprint import wishes
from clusterprint.cli import lifecycle
from clusterprint.cli.output import say
from clusterprint.derived import durations
from clusterprint.errors import UsageError
from clusterprint.examine import Examined
from clusterprint.exit_codes import Code
from clusterprint.wishes import lock
from clusterprint.words import listed

if TYPE_CHECKING:
    from clusterprint.cli.approvals import Agreement
    from clusterprint.document import Document
    from clusterprint.lifecycle.no_capacity import Lacking
    from clusterprint.lifecycle.up import Consent, Ended

# Seconds between two rounds of all wishes.
_PAUSE = 60
_TIMEOUT = 20

Run = Callable[[Examined, "Consent"], "Ended"]


class Asked(NamedTuple):
    """The request: blueprints, how it is confirmed, whether to wait without end, whom to notify.

    `look` names the groups whose flex-start request is still queued.
    """

    paths: Sequence[Path]
    agreement: "Agreement"
    until: bool
    notify: str
    simulated: bool
    look: Callable[[Examined], set[str]]


def check_notify(value: str) -> str:
    """A command or an address with https. Raises UsageError for another one."""
    if value.startswith("http://"):
        raise UsageError("--notify takes an address with https://, or a command")
    try:
        words = shlex.split(value)
    except ValueError as error:
        raise UsageError(f"--notify cannot be read as a command: {error}") from None
    if value and not words:
        raise UsageError("--notify names no command")
    return value


class Fallbacks:
    """The wishes that a run tries, until they are confirmed and in the files."""

    def __init__(self, asked: Asked) -> None:
        self._asked = asked
        self._trying: dict[Path, lock.CapacityLock] = {}
        self._tried: dict[tuple[Path, str], set[int]] = {}
        self._waited = 0.0

    def rebalanced(self, examined: Examined) -> Examined:
        """The blueprints with the first wish of each group."""
        for result in examined.results:
            numbers = lock.standing(result.document)
            for group in wishes.groups(result.document):
                if number := numbers[group.name]:
                    now, first = (wishes.counted_words(group, each) for each in (number, 0))
                    say(
                        f"{group.name}: back from wish {now} to wish {first}; "
                        "without capacity for that, the later wishes are tried again",
                        err=True,
                    )
                    self._try(result.document, group, 0)
        if not self._trying:
            say("nothing to rebalance: each group has its first wish", err=True)
        return self._again()

    def make(self, examined: Examined, consent: "Consent", run: Run) -> "Ended":
        """Create the stacks, with other wishes where the cloud has no capacity."""
        from clusterprint.lifecycle.no_capacity import lacking
        from clusterprint.lifecycle.plan_review import documents_of

        reports: tuple[Any, ...] = ()
        ask, again = consent.ask, False
        while True:
            ended = run(
                examined,
                consent._replace(
                    documents=documents_of(examined), ask=lambda names: ask(names) and self._confirmed()
                ),
            )
            reports += ended.reports
            found = lacking(examined.results, ended.broken, alone=self._asked.until)
            if ended.code in (Code.DONE, Code.NOTHING_TO_DO):
                self._confirmed()
                found = self._queued(examined)
                if again and not found:
                    self._notify("standing", f"{_names(examined)}: there is capacity, and all is created")
                if again:
                    ended = ended._replace(code=Code.DONE)
            if ended.code not in (Code.DONE, Code.NOTHING_TO_DO, Code.FAILED) or not found:
                return ended._replace(reports=reports)
            if not self._next(found):
                return ended._replace(reports=reports)
            again = True
            examined = self._again()

    def _queued(self, examined: Examined) -> list["Lacking"]:
        """Groups that were queued for flex_start for longer than the patience of the blueprint."""
        from clusterprint.lifecycle.no_capacity import Lacking

        while True:
            waiting = [
                Lacking(result.document, each.group, "flex_start is still queued")
                for result in examined.results
                if result.blueprint and result.blueprint.kind == "vm"
                for each in lock.counting(result.document)
                if each.group.wishes[each.number]["model"] == "flex_start"
                and each.number + 1 < len(each.group.wishes)
            ]
            waiting = [each for each in waiting if _patience(each)]
            names = self._asked.look(examined) if waiting else set()
            waiting = [each for each in waiting if each.group.name in names]
            over = [each for each in waiting if self._waited >= _patience(each)]
            if over or not waiting:
                return over
            self._pause(min(_patience(each) for each in waiting), f"{_groups(waiting)}: flex_start is queued")

    def _pause(self, most: float, text: str) -> None:
        seconds = min(_PAUSE, most - self._waited) if most > self._waited else _PAUSE
        self._notify("waiting", f"{text}; next look in {int(seconds)} s")
        self._waited += seconds
        if not self._asked.simulated:
            time.sleep(seconds)

    def _next(self, found: Sequence["Lacking"]) -> bool:
        """Choose the next wish of each group; whether to go on."""
        numbers = [lock.standing(each.document).get(each.group.name, 0) for each in found]
        if not self._asked.agreement.by_people:
            for each, number in zip(found, numbers, strict=True):
                self._try(each.document, each.group, (number + 1) % len(each.group.wishes))
            self._confirmed()
            say(
                "not what was approved: the capacity lock has the next wish; commit it, and approve it",
                err=True,
            )
            return False
        over = []
        for each, number in zip(found, numbers, strict=True):
            tried = self._tried.setdefault((_file(each), each.group.name), set())
            tried.add(number)
            over += [each] if len(tried) == len(each.group.wishes) else []
        if over and not self._wait(over):
            return False
        for each, number in zip(found, numbers, strict=True):
            tried = self._tried[_file(each), each.group.name]
            after = (number + 1) % len(each.group.wishes)
            if each in over:
                tried.clear()
                after = 0
            text = f"{each.group.name}: {each.why} with wish {wishes.counted_words(each.group, number)}"
            text += f"; next: wish {wishes.counted_words(each.group, after)}"
            self._notify("fallback", text)
            self._try(each.document, each.group, after)
        return True

    def _wait(self, over: Sequence["Lacking"]) -> bool:
        """Wait before another round; False if there was patience enough."""
        names = _groups(over)
        most = max(_patience(each) for each in over)
        if not self._asked.until and self._waited >= most:
            text = f"{names}: no wish has capacity now"
            text += f", for {int(self._waited)} s" if self._waited else ""
            self._notify("failed", f"{text}; up --until-capacity goes on until one has")
            return False
        self._pause(most, f"{names}: no wish has capacity now")
        return True

    def _try(self, document: "Document", group: wishes.Group, number: int) -> None:
        file = lock.file_of(document)
        if file is None or len(group.wishes) == 1:
            return
        since = datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
        entries = dict(self._trying.get(file, lock.read(file)).groups)
        entries[group.name] = lock.Standing(capacity=dict(group.wishes[number]), since=since)
        self._trying[file] = lock.CapacityLock(groups=dict(sorted(entries.items())))

    def _again(self) -> Examined:
        with lock.instead(self._trying):
            return lifecycle.sound(self._asked.paths)

    def _confirmed(self) -> bool:
        for file, each in self._trying.items():
            lock.write(each, file)  # first of all: a run that is interrupted goes on with it
            names = [f"{name} {wishes.words(entry.capacity)}" for name, entry in each.groups.items()]
            then = "" if self._asked.simulated else ": commit it"
            self._notify(
                "trying", f"confirmed: {listed(names, 'and')}; {lock.written_to(file)} says so{then}"
            )
        self._trying.clear()
        return True

    def _notify(self, event: str, text: str) -> None:
        say(text, err=True)
        if self._asked.notify:
            said = json.dumps({"event": event, "text": text}).encode()
            try:
                _send(self._asked.notify, said)
            except (OSError, ValueError, subprocess.SubprocessError) as error:
                say(f"--notify failed: {error}", err=True)


def _send(where: str, said: bytes) -> None:
    if where.startswith("https://"):
        request = urllib.request.Request(where, said, {"Content-Type": "application/json"})  # noqa: S310
        with urllib.request.urlopen(request, timeout=_TIMEOUT):  # noqa: S310 - https, as the user named it
            return
    # A list of words, no shell: what happened is on its standard input.
    subprocess.run(shlex.split(where), input=said, timeout=_TIMEOUT, check=True)  # noqa: S603


def _patience(each: "Lacking") -> float:
    capacity = each.document.data
    for step in (*each.group.place, "capacity"):
        capacity = capacity[step] if not isinstance(capacity, dict) else capacity.get(step, {})
    return float(durations.seconds(capacity["patience"])) if "patience" in capacity else 0


def _groups(found: Sequence["Lacking"]) -> str:
    return ", ".join(each.group.name for each in found)


def _file(each: "Lacking") -> Path:
    return lock.file_of(each.document) or Path()


def _names(examined: Examined) -> str:
    return ", ".join(each.blueprint.name for each in examined.results if each.blueprint)
