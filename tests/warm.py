"""Commands in a process that has loaded everything already.

A command of its own spends most of its time on loading: Python modules, Node, the types of the providers.
Here one process loads them, once for each worker of the tests, and forks for each command; the forks share
one Node. So a command still has a process, a working folder, an environment and streams to itself.

What it is not: started. Whatever is about that (modules that may not be loaded, settings that are read at
the start, another Node) runs `python -m clusterprint`: see the fixture `clusterprint` in conftest.py. `PATH`
is no such setting: commands look for programs when they run them; only a Node of another `PATH` has to start.
"""

import atexit
import json
import os
import signal
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from contextlib import suppress
from importlib import import_module
from pathlib import Path
from pkgutil import walk_packages
from types import ModuleType
from typing import IO, Any, NoReturn

ROOT = Path(__file__).resolve().parent.parent
SECONDS = 120
#: Variables that are read when Python, jsii or Node start, or by them.
READ_AT_THE_START = (
    *("PYTHON", "CLUSTERPRINT_BINDINGS", "COVERAGE", "JSII", "NODE", "LANG", "LC_", "TZ"),
    *("HOME", "XDG_", "TMPDIR", "LD_"),
)


class Warm:
    """One process that has loaded everything, and commands in forks of it."""

    def __init__(self) -> None:
        self._process: subprocess.Popen[str] | None = None

    def run(
        self,
        arguments: list[str],
        cwd: Path,
        environment: Mapping[str, str],
        *,
        together: bool = False,
        read: str = "",
    ) -> "subprocess.CompletedProcess[str]":
        """Run one command to its end.

        `together` is all it says as a terminal shows it, `read` what it finds on standard input, a file.
        Raises TimeoutError when that takes more than two minutes.
        """
        with tempfile.TemporaryDirectory() as folder:
            given = Path(folder, "in")
            given.write_text(read, "utf-8")
            streams = [str(given), str(Path(folder, "out")), str(Path(folder, "out" if together else "err"))]
            order = {"arguments": arguments, "cwd": str(cwd), "env": dict(environment), "streams": streams}
            code = self._ask(order)
            said = [Path(each).read_text("utf-8").replace("\r\n", "\n") for each in streams[1:]]
            if together:
                said[1] = ""
        return subprocess.CompletedProcess(["clusterprint", *arguments], code, *said)

    def stop(self) -> None:
        """End it."""
        if self._process is not None:
            self._process.communicate(timeout=SECONDS)
            self._process = None

    def _ask(self, order: Mapping[str, Any]) -> int:
        if self._process is None:
            self._process = subprocess.Popen(
                [sys.executable, __file__],
                cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
                env={**os.environ, "PYTHONPATH": str(ROOT)},
            )  # fmt: skip
        assert self._process.stdin
        assert self._process.stdout
        self._process.stdin.write(f"{json.dumps(order)}\n")
        self._process.stdin.flush()
        answer = self._process.stdout.readline()
        if not answer:
            raise RuntimeError(f"the process for commands has ended: {self._process.wait()}")
        code = int(answer)
        if code < 0:
            # Killed, perhaps in the middle of a talk with Node: nobody can go on from there.
            self._process.kill()
            self.stop()
        if code == -signal.SIGALRM:
            raise TimeoutError(f"more than {SECONDS} seconds: {order['arguments']}")
        return code


def serve(orders: IO[str], answers: IO[str]) -> None:
    """Run what is ordered, one after the other, until nobody orders any more."""
    _load_everything()
    for line in orders:
        order = json.loads(line)
        child = os.fork()
        if child == 0:
            _be_a_command(order)
        _, status = os.waitpid(child, 0)
        answers.write(f"{os.waitstatus_to_exitcode(status)}\n")
        answers.flush()


def _load_everything() -> None:
    """Load all modules, and synthesize something of each provider, so that Node has everything too."""
    import gc

    import clusterprint
    from clusterprint import bindings, synth
    from clusterprint.examine import examine

    files = [ROOT / "blueprints" / f"{name}.yaml" for name in ("vm-smallest", "ray-l4-dev", "vmss-nc-dev")]
    with tempfile.TemporaryDirectory() as out:
        synth.synthesize(synth.plan_all(examine(files).results), Path(out, "out"))
    import stacks  # needs the engine, which is there now

    # What is left out here, each command that needs it loads again.
    for package in (clusterprint, stacks):
        _load_modules_of(package)
    # Who ends leaves Node alone: it is everybody's, and ends with this process.
    bindings.stop_node = lambda: None
    # Forks never look at what is here already, so the pages stay shared.
    gc.collect()
    gc.freeze()


def _load_modules_of(package: ModuleType) -> None:
    for module in walk_packages(package.__path__, f"{package.__name__}."):
        if not module.name.endswith(".__main__"):  # which is a command
            import_module(module.name)


def _be_a_command(order: Mapping[str, Any]) -> NoReturn:
    """Be the process of a command: its streams, folder, environment, and its end."""
    code = 70
    # Node is everybody's, and ends with the process that has started it.
    atexit._clear()  # noqa: SLF001 - there is no public way to forget what somebody else has registered
    try:
        signal.signal(signal.SIGALRM, signal.SIG_DFL)
        signal.alarm(SECONDS)
        names = order["streams"]
        for number, flags in enumerate((os.O_RDONLY, *2 * (os.O_WRONLY | os.O_CREAT | os.O_APPEND,))):
            opened = os.open(names[number], flags, 0o600)
            os.dup2(opened, number)
            os.close(opened)
        sys.stdin = open(0, encoding="utf-8", closefd=False)  # noqa: SIM115 - as Python starts
        sys.stdout = open(1, "w", encoding="utf-8", closefd=False)  # noqa: SIM115
        sys.stderr = open(2, "w", encoding="utf-8", errors="backslashreplace", closefd=False)  # noqa: SIM115
        os.chdir(order["cwd"])
        os.environ.clear()
        os.environ.update(order["env"])
        sys.argv = ["clusterprint", *order["arguments"]]
        from clusterprint.cli import main

        main()
    except SystemExit as end:
        code = end.code if isinstance(end.code, int) else 0
    except BaseException:  # noqa: BLE001 - as at the end of any program
        sys.excepthook(*sys.exc_info())
        code = 1
    for stream in (sys.stdout, sys.stderr):
        with suppress(OSError, ValueError):
            stream.flush()
    os._exit(code)


if __name__ == "__main__":
    # Whatever else is printed here must not look like an answer.
    with os.fdopen(os.dup(1), "w") as answers:
        os.dup2(2, 1)
        serve(sys.stdin, answers)
