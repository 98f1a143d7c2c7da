"""The fakes that are Python, in a process that has loaded what they need.

A machine calls them dozens of times, and Python takes longer to start than they take for their work. So
one process, for each worker of the tests, listens and forks for each call. A fake is a program all the same:
it has arguments, an environment, a working folder and streams to itself; `fakes/ask.sh` is its other end.
"""

import atexit
import gc
import io
import json  # noqa: F401 - this and the next are what fakes load, loaded once
import os
import secrets
import select
import signal
import socket
import subprocess
import sys
import time  # noqa: F401
import traceback
import urllib.parse  # noqa: F401
from functools import cache
from pathlib import Path
from types import CodeType
from typing import NoReturn

FAKES = Path(__file__).parent / "fakes"
PROGRAMS = ("azure", "disks", "google")
#: More than this is handed on by `cat`; bash reads from sockets byte by byte.
SMALL = 2000


def body(program: str, words: str = '"$@"') -> str:
    """The script of a fake tool that is one of the programs, with these words of bash as its arguments."""
    port, key = _listening()
    return f"source {FAKES / 'ask.sh'} {port} {key} {program} {words}"


@cache
def _listening() -> tuple[int, str]:
    """Where the process listens, and what it wants to hear first: other users reach that port as well."""
    key = secrets.token_hex(16)
    process = subprocess.Popen(
        [sys.executable, __file__, key],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        start_new_session=True,
    )
    assert process.stdout
    port = int(process.stdout.readline())
    atexit.register(process.communicate)
    return port, key


def serve(key: str) -> None:
    """Answer until standard input is closed."""
    codes = {name: compile((FAKES / f"{name}.py").read_bytes(), name, "exec") for name in PROGRAMS}
    # Nobody waits for the forks.
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)
    gc.freeze()
    with socket.create_server(("127.0.0.1", 0), backlog=100) as listener:
        print(listener.getsockname()[1], flush=True)  # noqa: T201 - how the tests learn the port
        while 0 not in select.select([listener.fileno(), 0], [], [])[0]:
            connection, _ = listener.accept()
            if os.fork() == 0:
                _answer(connection, key, codes)
            connection.close()


def _answer(connection: socket.socket, key: str, codes: dict[str, CodeType]) -> NoReturn:
    """Be one call: its exit status, what it says to standard error, and then to standard output."""
    with connection:
        given, program, tool, *words = _request(connection)
        if secrets.compare_digest(given, key):
            status, out, err = _run(codes[program], tool, words)
            how = "big" if len(out) > SMALL else "small"
            connection.sendall(f"{status} {how}\n{err}\0{out}".encode(errors="surrogateescape"))
    os._exit(0)


def _request(connection: socket.socket) -> list[str]:
    """The request: texts that each end with a NUL, after their number."""
    data = b""
    while b"\0" not in data or data.count(b"\0") <= int(data.split(b"\0", 1)[0]):
        more = connection.recv(1 << 16)
        if not more:
            os._exit(1)
        data += more
    return [text.decode(errors="surrogateescape") for text in data.split(b"\0")[1:-1]]


def _run(code: CodeType, tool: str, words: list[str]) -> tuple[int, str, str]:
    """Run a program as a process of a machine would; its exit status and what it says."""
    caller, folder, world, root, kill, given, *arguments = words
    os.chdir(folder)
    os.environ |= {
        "CALLER": caller,
        "WORLD": world,
        "CLUSTERPRINT_ROOT": root,
        "KILL_BEFORE_MKFS": kill,
    }
    # Files that are there for the tool only, as bash makes them for `<(...)`.
    sys.argv = ["", *(each.replace("@/dev/fd/", f"@/proc/{tool}/fd/") for each in arguments)]
    sys.stdin, out, err = io.StringIO(given), io.StringIO(), io.StringIO()
    sys.stdout, sys.stderr = out, err
    status = 0
    try:
        exec(code, {"__name__": "__main__"})  # noqa: S102
    except SystemExit as end:
        status = end.code if isinstance(end.code, int) else 0
    except BaseException:  # noqa: BLE001 - as at the end of any program
        traceback.print_exc()
        status = 1
    return status, out.getvalue(), err.getvalue()


if __name__ == "__main__":
    serve(sys.argv[1])
