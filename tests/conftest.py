"""Fixtures of several test files."""

import gc
import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Generator, Iterator
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import browser as chromium
import byte_code  # noqa: F401 - for all that is loaded from here on
import cutting
import pytest
from containers import Engine, needed
from needs_terraform import pytest_runtest_setup
from output_schemas import check_output
from running import Running, clusters
from support import BLUEPRINTS, ROOT, Change, Run, StacksOf, stacks_of
from tiers import pytest_collection_modifyitems
from warm import READ_AT_THE_START, Warm

if TYPE_CHECKING:
    from lives import Life

__all__ = ["pytest_collection_modifyitems", "pytest_runtest_setup"]


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--update-goldens", action="store_true", help="rewrite tests/goldens from what is made now"
    )
    parser.addoption(
        "--update-cases",
        action="store_true",
        help="rewrite tests/cases/**/expected.txt from what is found now",
    )
    parser.addoption(
        "--update-docs", action="store_true", help="rewrite outputs in docs/ from what is printed now"
    )


def pytest_configure(config: pytest.Config) -> None:
    """Cut bindings for the stacks as they are now, and hear a Ctrl-C.

    Shells have programs in the background ignore it: tests of interrupts would hang.
    """
    if not hasattr(config, "workerinput"):
        cutting.renew()
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, object, object]:
    """Collect without looking for garbage: of ten thousand tests that are made here, none goes."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.freeze()
        gc.enable()


@pytest.fixture(scope="session")
def warm() -> Iterator[Warm]:
    """The process that has loaded everything; started at the first command."""
    made = Warm()
    yield made
    made.stop()


@pytest.fixture(scope="session")
def clusterprint(warm: Warm) -> Run:
    """Run the `clusterprint` command as a process of its own.

    It is forked from one that has loaded everything, unless it is to be `started`, or a variable in `env` or
    another option is about how a process starts. `input` is a file to such a fork, and a pipe to the others.
    """

    def run(
        *arguments: str | Path, cwd: Path = ROOT, started: bool = False, **options: Any
    ) -> "subprocess.CompletedProcess[str]":
        environment = {name: value for name, value in os.environ.items() if name != "FORCE_COLOR"}
        more = options.pop("env", {})
        environment |= {**more, "PYTHONPATH": str(ROOT)}
        words = [str(each) for each in arguments]
        started = started or any(name.startswith(READ_AT_THE_START) for name in more)
        if not started and options.keys() <= {"input"}:
            return check_output(warm.run(words, cwd, environment, read=options.get("input", "")))
        done = subprocess.run(
            [sys.executable, "-m", "clusterprint", *words],
            cwd=cwd,
            env=environment,
            capture_output=True,
            text=True,
            check=False,
            timeout=120,
            **options,
        )
        return check_output(done)

    return run


@pytest.fixture(scope="session")
def synthesized(clusterprint: Run, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The stacks of everything in blueprints/, made together."""
    out = tmp_path_factory.mktemp("blueprints") / "cdktf.out"
    done = clusterprint("synth", BLUEPRINTS, "--out", out)
    assert done.returncode == 0, done.stderr
    assert done.stderr == ""
    return out / "stacks"


@pytest.fixture(scope="session")
def stacks(clusterprint: Run, tmp_path_factory: pytest.TempPathFactory) -> StacksOf:
    """The folders of the stacks of a blueprint, in the order of their use; made once in each worker."""

    @cache
    def made(case: Path) -> list[Path]:
        out = tmp_path_factory.mktemp(case.stem) / "cdktf.out"
        done = clusterprint("synth", case, "--out", out)
        assert done.returncode == 0, done.stderr
        return stacks_of(case, out / "stacks")

    return made


@pytest.fixture(scope="session")
def running(clusterprint: Run, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    """Clusters that run already, each deployed once in each worker."""
    with clusters(clusterprint, tmp_path_factory.mktemp("running")) as found:
        yield found


@pytest.fixture(scope="session")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[chromium.Browser]:
    """Chromium; in CI, where nothing may be skipped, its absence is a failure."""
    program = chromium.find()
    if program is None:
        message = f"needs a browser on the PATH ({', '.join(chromium.NAMES)}): apt-get install chromium"
        if os.environ.get("CI"):
            pytest.fail(message)
        pytest.skip(message)
    running = chromium.Browser(program, tmp_path_factory.mktemp("profile"))
    yield running
    running.close()


@pytest.fixture
def change(running: Running, tmp_path: Path) -> Change:
    """Say what a plan of another version of a blueprint would do to one stack of it, and do it."""

    def run(before: str, after: str, stack: str = "life") -> dict[str, str]:
        shutil.rmtree(tmp_path / "out", ignore_errors=True)
        running.deploy(tmp_path, before, [stack])
        (changes,) = running.change(tmp_path, after, [stack])
        return changes

    return run


@pytest.fixture
def life(tmp_path: Path, clusterprint: Run) -> "Iterator[Life]":
    """A simulated cloud in a folder, and commands in it."""
    from lives import Life

    made = Life(tmp_path / "sim", clusterprint)
    yield made
    made.cloud.close()


@pytest.fixture(scope="session")
def engine(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Engine]:
    """The builder of images, made once, as its base takes a minute; its tests are the group `containers`."""
    needed()
    made = Engine(tmp_path_factory.mktemp("images"))
    yield made
    made.close()
