import os
import signal
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from clusterprint.errors import EnvironmentFailure
from clusterprint.lifecycle import processes as processes_module
from clusterprint.lifecycle.processes import Command, Interrupted, Processes

# Says what it hears, and ends when it was told to often enough.
TOLD = """
import signal, sys, time
told = 0
def hear(number, frame):
    global told
    told += 1
    print('told', told, flush=True)
    if told == int(sys.argv[1]):
        sys.exit(5)
signal.signal(signal.SIGINT, hear)
print('ready', flush=True)
while True:
    time.sleep(0.05)
"""


def command(folder: Path, *words: str) -> Command:
    return Command([sys.executable, "-c", *words], folder, dict(os.environ), folder / "log")


def run_and_stop(folder: Path, times: int, *numbers: int) -> tuple[list[str], int, Processes]:
    """Run what ends after `times` signals, and send ourselves as many, each once the last was heard.

    The signals are `numbers` in turn.
    """
    processes = Processes()
    said: list[str] = []

    def heard(line: str) -> None:
        said.append(line)
        if len(said) <= times:
            os.kill(os.getpid(), numbers[(len(said) - 1) % len(numbers)])

    codes: list[int] = []
    with processes.listening():
        thread = threading.Thread(
            target=lambda: codes.append(processes.run(command(folder, TOLD, str(times)), heard))
        )
        thread.start()
        while thread.is_alive():
            thread.join(0.05)
    return said, codes[0], processes


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_the_first_signal_asks_and_the_second_insists(tmp_path: Path, number: int) -> None:
    said, code, processes = run_and_stop(tmp_path, 2, number)
    assert said == ["ready", "told 1", "told 2"]
    assert code == 5
    with pytest.raises(Interrupted) as stopped:
        processes.check()
    assert stopped.value.exit_code == 128 + number


def test_of_two_different_signals_the_first_is_what_stopped_it(tmp_path: Path) -> None:
    _, _, processes = run_and_stop(tmp_path, 2, signal.SIGINT, signal.SIGTERM)
    with pytest.raises(Interrupted) as stopped:
        processes.check()
    assert stopped.value.exit_code == 128 + signal.SIGINT


def test_nothing_is_started_after_a_signal(tmp_path: Path) -> None:
    _, _, processes = run_and_stop(tmp_path, 1, signal.SIGINT)
    with pytest.raises(Interrupted):
        processes.run(command(tmp_path, "print('never')"), lambda _: None)


def test_signals_are_the_callers_again_afterwards(tmp_path: Path) -> None:
    before = signal.getsignal(signal.SIGTERM)
    run_and_stop(tmp_path, 1, signal.SIGINT)
    assert signal.getsignal(signal.SIGTERM) is before


def test_lines_are_heard_whole_and_kept(tmp_path: Path) -> None:
    said: list[str] = []
    code = Processes().run(command(tmp_path, "print('one\\ntwo'); print('three', end='')"), said.append)
    assert (code, said) == (0, ["one", "two", "three"])
    assert (tmp_path / "log").read_text() == "one\ntwo\nthree"


def test_a_program_has_a_group_of_its_own(tmp_path: Path) -> None:
    said: list[str] = []
    Processes().run(command(tmp_path, "import os; print(os.getpgrp() == os.getpid())"), said.append)
    assert said == ["True"]


def test_a_program_that_is_not_there_is_named(tmp_path: Path) -> None:
    missing: Callable[[], int] = lambda: Processes().run(  # noqa: E731 - what raises
        Command(["/nowhere/terraform"], tmp_path, {}, tmp_path / "log"), lambda _: None
    )
    with pytest.raises(EnvironmentFailure, match="/nowhere/terraform cannot be run"):
        missing()


def test_what_clears_away_hears_nothing_of_the_first_signal_and_two_of_the_second(tmp_path: Path) -> None:
    processes = Processes()
    processes.clear_away()
    said: list[str] = []

    def heard(line: str) -> None:
        said.append(line)
        for heard_before in range(2) if line == "ready" else ():
            os.kill(os.getpid(), signal.SIGTERM)
            while processes.times == heard_before:  # two that come at once count as one
                time.sleep(0.01)

    with processes.listening():
        thread = threading.Thread(target=lambda: processes.run(command(tmp_path, TOLD, "2"), heard))
        thread.start()
        while thread.is_alive():
            thread.join(0.05)
    assert said == ["ready", "told 1", "told 2"]
    assert (processes.times, processes.told) == (2, signal.SIGTERM)


def test_a_first_signal_is_done_with_once_what_it_asks_for_begins(tmp_path: Path) -> None:
    _, _, processes = run_and_stop(tmp_path, 1, signal.SIGINT)
    processes.clear_away()
    said: list[str] = []
    processes.run(command(tmp_path, "print('destroying')"), said.append)
    assert said == ["destroying"]


def test_two_signals_are_not_done_with(tmp_path: Path) -> None:
    _, _, processes = run_and_stop(tmp_path, 2, signal.SIGINT)
    processes.clear_away()
    with pytest.raises(Interrupted):
        processes.check()


def test_a_signal_is_an_answer_where_one_is_waited_for() -> None:
    processes = Processes()

    def wait() -> None:
        with processes.answering():
            os.kill(os.getpid(), signal.SIGINT)
            threading.Event().wait(30)

    with processes.listening(), pytest.raises(Interrupted):
        wait()


@pytest.mark.parametrize(
    ("clearing", "told", "later"),
    [
        (False, [signal.SIGINT] * 3, [[], [(10.0, "_kill")], [(0, "_kill")]]),
        (
            True,
            [0, signal.SIGTERM, signal.SIGTERM],
            [[], [(0.5, "_signal_all"), (10.0, "_kill")], [(0.5, "_signal_all"), (0, "_kill")]],
        ),
    ],
)
def test_the_third_signal_kills_at_once(
    clearing: bool, told: list[int], later: list[list[tuple[float, str]]], monkeypatch: pytest.MonkeyPatch
) -> None:
    planned: list[tuple[float, str]] = []
    monkeypatch.setattr(processes_module, "_later", lambda after, do: planned.append((after, do.__name__)))
    processes, heard, found = Processes(), [], []
    if clearing:
        processes.clear_away()
    with processes.listening():
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGINT):
            os.kill(os.getpid(), number)
            heard.append(processes.told)
            found.append(planned.copy())
            planned.clear()
    assert (heard, found) == (told, later)
