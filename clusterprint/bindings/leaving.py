"""The quick end of a process that has loaded the bindings."""

import atexit
import os
import sys
from contextlib import suppress
from typing import IO, NoReturn

from clusterprint.bindings.loading import stop_node

_LOST_OUTPUT = 3


def leave(exit_code: int) -> NoReturn:
    """Ends the process as `sys.exit(exit_code)` would, without taking the interpreter apart.

    Freeing some thousand modules takes longer than a synth. What has a purpose still happens: functions
    registered with `atexit` run, Node is stopped, output is flushed. Output that cannot be written (a full
    disk) turns exit code 0 into 3; a reader that has gone away (`| head`) does not.
    """
    stop_node()
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
