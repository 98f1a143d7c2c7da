"""Which tests could notice a change of the code, and whether one does: a plugin of pytest, for mutants.py.

All tests are loaded once. A fork runs them without any change, and says which lines each of them runs. Then
each change gets a fork of its own, in which the changed function takes the place of the one that is loaded,
and those tests run that run its lines. So a change costs as much as its tests, mostly less than a second.

A change outside of functions (a table, a default, an argument of a decorator) cannot be put into code that
is loaded: for it, pytest is started anew.
"""

import functools
import gc
import os
import pickle
import signal
import subprocess
import sys
import tempfile
import time
import traceback
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple, TypeVar

import pytest
from coverage import Coverage
from mutations import Change, changed, code_of, enclosing, put

#: A fork that takes this much longer than its tests did hangs, and that is noticed.
PATIENCE, GRACE_SECONDS = 5, 120
HOURS = 2
#: The errors of this program, wherever pytest sends those of its tests.
ERRORS = os.fdopen(os.dup(2), "w")
#: How a fork ends in which something is wrong with this program.
BROKEN = 70
# Slow for people who wait, and the only ones to notice some changes.
SLOW = ("tests/test_fields.py", "tests/test_generated.py::test_generated_files_are_fresh[generate_docs.py]")
# Has all that a rule says of itself; another program writes them.
PAGES = SLOW[-1]
# Run commands in another process, whose lines nobody sees: the plans of their blueprints are made instead.
GOLDENS = "tests/test_goldens.py::test_golden["
# Scripts of nodes are run by them in other processes as well.
SCRIPTS = "tests/nodes/"
#: Slow tests of code that the quick ones see in another process or not at all, by the beginning of its path.
ONLY_SLOW = {"stacks/": ("tests/test_goldens.py",), "clusterprint/nodes/": ("tests/nodes", "-m", "slow")}


class Seen(NamedTuple):
    """Results of the tests without any change: who ran which line, how long each took, and who failed."""

    lines: dict[tuple[str, int], list[str]]
    seconds: dict[str, float]
    plans: dict[str, int]
    failed: list[str]


class Verdict(NamedTuple):
    """Whether a change was noticed, and how many tests were there to notice it."""

    noticed: bool
    tests: int


class Noticing:
    """Hands each change to its tests; `tell` gets each verdict as it comes."""

    def __init__(
        self,
        copy: Path,
        folders: Sequence[str],
        changes: Sequence[Change],
        tell: Callable[[int, Verdict], None],
        ends: float,
    ) -> None:
        self.copy, self.folders, self.changes, self.tell, self.ends = copy, folders, changes, tell, ends
        self.failed: list[str] = []
        #: What is wrong with this program, if something is: pytest would only print it.
        self.broken: BaseException | None = None

    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        """Leave out what takes long, and what needs Terraform."""
        items[:] = [
            item
            for item in items
            if not item.get_closest_marker("terraform")
            and (item.nodeid.startswith(SLOW) or not item.get_closest_marker("slow"))
        ]

    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        """Instead of running the tests: look at them once, and then at each change."""
        try:
            self._loop(session)
        except BaseException as error:  # noqa: BLE001 - raised again where there is no pytest around
            self.broken = error
        return True

    def _loop(self, session: pytest.Session) -> None:
        if session.testsfailed:
            self.failed = ["(some could not be loaded)"]
            return
        self.items = {item.nodeid: item for item in session.items}
        seen = self._look(session)
        self.failed = seen.failed
        for index, change in enumerate([] if self.failed else self.changes):
            if time.monotonic() > self.ends:
                break
            names = self._nearest(change, seen)
            self.tell(index, Verdict(self._is_noticed(session, change, names, seen), len(names)))

    def _look(self, session: pytest.Session) -> Seen:
        with tempfile.TemporaryFile() as told:

            def write() -> int:
                pickle.dump(look(session, self.copy, self.folders), told)
                told.flush()
                return 0

            if wait(fork(write), HOURS * 3600):
                return Seen({}, {}, {}, ["(none could be looked at)"])
            told.seek(0)
            found: Seen = pickle.load(told)  # noqa: S301 - written by ourselves
            return found

    def _nearest(self, change: Change, seen: Seen) -> list[str]:
        """The tests that run the code of a change, in the order in which they are asked."""
        if not change.file.endswith(".py"):
            return self._nearest_of_script(Path(change.file), seen)
        own = code_of(self.copy / change.file)
        inside = enclosing(self.copy / change.file, change)
        lines = change.lines if inside else range(1, 100_000)
        ran = {
            name
            for (file, line), names in seen.lines.items()
            if file == change.file and line in lines
            for name in names
        }
        if own and not inside and PAGES in self.items:
            ran.add(PAGES)
        if not ran:
            ran = {name for name in self.items if name.startswith(SCRIPTS)}

        def order(name: str) -> tuple[bool, int, float]:
            kinds = ("tests/unit/", "tests/nodes/", "tests/test_cases.py", GOLDENS)
            kind = next((at for at, each in enumerate(kinds) if name.startswith(each)), len(kinds))
            return not (own and own in name) and name != PAGES, kind, seen.seconds[name]

        return sorted(ran, key=order)

    def _nearest_of_script(self, script: Path, seen: Seen) -> list[str]:
        """The tests of scripts, those first whose module names this one, or is named after it."""
        word = script.name.rpartition("-")[2].partition(".")[0]

        def order(name: str) -> tuple[bool, bool, float]:
            module = self.copy / name.partition("::")[0]
            is_named = script.name in module.read_text("utf-8")
            return not is_named, word not in module.stem, seen.seconds[name]

        return sorted((name for name in self.items if name.startswith(SCRIPTS)), key=order)

    def _is_noticed(self, session: pytest.Session, change: Change, names: list[str], seen: Seen) -> bool:
        if not names:
            return False
        limit = PATIENCE * sum(seen.seconds[name] for name in names) + GRACE_SECONDS
        with changed(self.copy / change.file, change):
            code = wait(fork(lambda: self._fails(session, change, names, seen)), limit)
            if code == BROKEN:
                raise RuntimeError(f"{change} could not be tried")
            return code != 0 or any(
                fails(tests) for place, tests in ONLY_SLOW.items() if change.file.startswith(place)
            )

    def _fails(self, session: pytest.Session, change: Change, names: list[str], seen: Seen) -> bool:
        if not put(self.copy / change.file, change):
            return afresh(names)
        for name, following in with_next(names):
            if name.startswith(GOLDENS) and plan(self.items[name]) == seen.plans.get(name):
                continue
            run(self.items[name], self.items[following] if following else None)
            if session.testsfailed:
                return True
        return False


T = TypeVar("T")


def with_next(items: Sequence[T]) -> Iterator[tuple[T, T | None]]:
    """Each item, and the one after it."""
    return zip(items, [*items[1:], None], strict=True) if items else iter(())


def run(item: pytest.Item, following: pytest.Item | None) -> None:
    """Run one test; what the following one does not share is torn down."""
    item.config.hook.pytest_runtest_protocol(item=item, nextitem=following)


def look(session: pytest.Session, copy: Path, folders: Sequence[str]) -> Seen:
    """Run all tests, each as if it were alone, so that nothing that is kept hides which lines it needs."""
    coverage = Coverage(
        data_file=None, config_file=False, include=[f"{copy / folder}/*" for folder in folders]
    )
    coverage.set_option("run:core", "ctrace")
    kept = [
        each
        for each in gc.get_objects()
        if isinstance(each, functools._lru_cache_wrapper)  # noqa: SLF001 - there is no other name of the type
        and is_below(getattr(sys.modules.get(each.__module__), "__file__", ""), copy, (*folders, "tests"))
    ]
    coverage.start()
    coverage.switch_context("(nothing)")
    seconds, plans, failed = {}, {}, []
    together = [item for item in session.items if "warm" in getattr(item, "fixturenames", ())]
    alone = [item for item in session.items if item not in set(together)]
    order = [*((item, None) for item in alone), *with_next(together)]
    for item, following in order:
        for each in kept:
            each.cache_clear()
        coverage.switch_context(item.nodeid)
        begun, before = time.perf_counter(), session.testsfailed
        if item.nodeid.startswith(GOLDENS):
            plans[item.nodeid] = plan(item)
        run(item, following)
        seconds[item.nodeid] = time.perf_counter() - begun
        if session.testsfailed > before:
            failed.append(item.nodeid)
    coverage.stop()
    data = coverage.get_data()
    lines: dict[tuple[str, int], list[str]] = {}
    for file in data.measured_files():
        for line, names in data.contexts_by_lineno(file).items():
            lines[str(Path(file).relative_to(copy)), line] = [name for name in names if name in seconds]
    return Seen(lines, seconds, plans, failed)


def plan(item: pytest.Item) -> int:
    """A checksum of the plan for the blueprint of a golden; -1 when it fails."""
    from clusterprint.examine import examine
    from clusterprint.synth import plan_all

    try:
        return hash(repr(plan_all(examine([item.callspec.params["case"]]).results)))  # type: ignore[attr-defined]
    except Exception:  # noqa: BLE001 - the change may break anything
        return -1


def is_below(file: str | None, copy: Path, folders: Sequence[str]) -> bool:
    """Whether a file lies in one of these folders of the copy."""
    return bool(file) and any(Path(str(file)).is_relative_to(copy / folder) for folder in folders)


def afresh(names: list[str]) -> bool:
    """Whether one of these tests fails when pytest is started anew; those that come first are asked first."""
    for some in (names[:30], names[30:]):
        with tempfile.NamedTemporaryFile("w", suffix=".txt") as listed:
            listed.write("\n".join(some))
            listed.flush()
            if some and fails((f"@{listed.name}",)):
                return True
    return False


def fails(tests: Sequence[str]) -> bool:
    """Whether one of these tests fails in a pytest of its own."""
    command = [sys.executable, "-m", "pytest", "-x", "-q", *tests]
    return subprocess.run(command, check=False, capture_output=True).returncode != 0


def fork(work: Callable[[], int]) -> int:
    """Do some work in a fork, which leads a group of processes and exits with what the work returns."""
    pid = os.fork()
    if pid == 0:
        code = BROKEN
        try:
            os.setsid()
            code = int(work())
        except BaseException:  # noqa: BLE001 - nothing gets out of the fork
            traceback.print_exc(file=ERRORS)
        ERRORS.flush()
        os._exit(code)
    return pid


def wait(pid: int, limit: float) -> int:
    """How a process that leads a group exits, negative for a signal; after these seconds it is killed."""
    ends = time.monotonic() + limit
    while True:
        found, status = os.waitpid(pid, os.WNOHANG)
        if found:
            return os.waitstatus_to_exitcode(status)
        if time.monotonic() > ends:
            os.killpg(pid, signal.SIGKILL)
            os.waitpid(pid, 0)
            return -signal.SIGKILL
        time.sleep(0.02)
