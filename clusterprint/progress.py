"""Progress lines for people at a terminal; nothing elsewhere.

Steps that take long say so with `say`; a command decides with `shown` whether anybody sees it.
"""

import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from os import environ
from typing import TextIO

from clusterprint.masking import mask

_CLEAR = "\r\x1b[K"

_listener: ContextVar[Callable[[str], None] | None] = ContextVar("_listener", default=None)


def say(what: str) -> None:
    """The name of the step that begins, in a few words."""
    listener = _listener.get()
    if listener is not None:
        listener(what)


@contextmanager
def shown(stream: TextIO) -> Iterator[None]:
    """Show on one line of a terminal what is being done, and leave no trace; elsewhere show nothing."""
    if not stream.isatty() or environ.get("TERM") == "dumb":
        yield
        return

    def show(what: str) -> None:
        line = f"{mask(what)} ..."[: shutil.get_terminal_size().columns - 1]
        stream.write(_CLEAR + "".join(each if each.isprintable() else "?" for each in line))
        stream.flush()

    token = _listener.set(show)
    try:
        yield
    finally:
        _listener.reset(token)
        stream.write(_CLEAR)
        stream.flush()
