"""Ends of a command by signals, full disks and closed streams."""

import atexit
import errno
import os
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from types import FrameType
from typing import IO, Any, NoReturn, TextIO, cast

from clusterprint.errors import EnvironmentFailure

#: A command that a signal has ended exits with 128 and the number of the signal, as shells say it.
INTERRUPTED = 128 + signal.SIGINT

_LOST_OUTPUT = 3

# What no program can do anything about, and no report of a bug either.
_OF_THE_MACHINE = frozenset(
    {
        *(errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EROFS, errno.EIO, errno.ENOMEM),
        *(errno.EMFILE, errno.ENFILE, errno.EACCES, errno.EPERM, errno.ENXIO, errno.ENODEV),
    }
)


def clean_up_when_stopped() -> None:
    """Turn SIGTERM and SIGHUP into an exception, so that the command cleans up."""
    for name in ("SIGTERM", "SIGHUP"):
        number = getattr(signal, name, None)
        # Who runs a command under nohup wants it to go on.
        if number is not None and signal.getsignal(number) is signal.SIG_DFL:
            signal.signal(number, _stop)


def _stop(number: int, _frame: FrameType | None) -> NoReturn:
    signal.signal(number, signal.SIG_IGN)  # once is enough: cleaning up takes its time
    raise SystemExit(128 + number)


def leave(exit_code: int) -> NoReturn:
    """End the process as `sys.exit(exit_code)` would, without taking the interpreter apart.

    Freeing some hundred modules takes a sixth of `validate`, and those of the engine longer than a synth.
    What has a purpose still happens: functions registered with `atexit` run, among them the end of Node, and
    output is flushed. Output that cannot be written (a full disk) turns exit code 0 into 3; a reader that has
    gone away (`| head`) does not.
    """
    # There is no public way to run these without also taking the interpreter apart.
    atexit._run_exitfuncs()  # noqa: SLF001
    if not (_flush(sys.stdout) and _flush(sys.stderr)):
        exit_code = exit_code or _LOST_OUTPUT
    os._exit(exit_code)


def _flush(stream: IO[str] | None) -> bool:
    """Whether what was written has arrived, or nobody wants it any more."""
    try:
        if stream is not None and not stream.closed:
            stream.flush()
    except BrokenPipeError:
        return True
    except OSError as failure:
        with suppress(OSError):
            os.write(2, f"clusterprint: error: output could not be written: {failure}\n".encode())
        return False
    return True


def of_the_machine(error: OSError) -> EnvironmentFailure | None:
    """A message for a failure of this machine, which names the file or device; None for others."""
    if error.errno not in _OF_THE_MACHINE:
        return None
    if error.filename is not None:
        what = f"cannot use {os.fsdecode(error.filename)}"
    else:
        # Whoever writes such a file has imported it; too many open files let nobody import anything.
        tempfile = sys.modules.get("tempfile")
        where = f" in {tempfile.gettempdir()}" if tempfile else ""
        what = f"cannot write a temporary file{where} (TMPDIR names another folder)"
    return EnvironmentFailure(f"{what}: {error.strerror}")


class _Named:
    """A stream whose errors name it."""

    def __init__(self, stream: TextIO, name: str) -> None:
        self._stream, self._name = stream, name

    def __getattr__(self, attribute: str) -> Any:
        return getattr(self._stream, attribute)

    def write(self, text: str) -> int:
        if text == "":
            return 0  # click tries what sort of stream this is, and even nothing does not fit on a full disk
        with self._naming():
            return self._stream.write(text)

    def flush(self) -> None:
        with self._naming():
            self._stream.flush()

    @contextmanager
    def _naming(self) -> Iterator[None]:
        try:
            yield
        except BrokenPipeError:
            raise  # a reader that has gone away, as in `| head`
        except OSError as error:
            # Whatever is still waiting goes nowhere, or the interpreter would complain again at its end.
            nowhere = os.open(os.devnull, os.O_WRONLY)
            os.dup2(nowhere, self._stream.fileno())
            os.close(nowhere)
            error.filename = self._name
            raise


def name_streams() -> None:
    """Name the stream in errors of printing. A closed stream (`>&-`) becomes the null device."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            # The handle is the lowest that is free: that of the stream, which no other file gets then.
            handle = os.open(os.devnull, os.O_RDWR)
            os.set_inheritable(handle, True)
            setattr(sys, name, os.fdopen(handle, mode, encoding="utf-8"))
    sys.stdout = cast("TextIO", _Named(sys.stdout, "standard output"))
    sys.stderr = cast("TextIO", _Named(sys.stderr, "standard error"))


class _Deaf:
    """A stream that may have no reader any more."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream

    def __getattr__(self, attribute: str) -> Any:
        return getattr(self._stream, attribute)

    def write(self, text: str) -> int:
        with suppress(OSError):
            self._stream.write(text)
        return len(text)

    def flush(self) -> None:
        with suppress(OSError):
            self._stream.flush()


def go_on_unheard() -> None:
    """From now on, ignore a closed terminal or reader: the command must finish."""
    sys.stdout = cast("TextIO", _Deaf(sys.stdout))
    sys.stderr = cast("TextIO", _Deaf(sys.stderr))
