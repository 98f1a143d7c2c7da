"""A command that somebody could type."""

import shlex
from typing import NamedTuple


class Command(NamedTuple):
    """The words of a command, and the address that it opens, if it does."""

    words: tuple[str, ...]
    url: str = ""

    @property
    def text(self) -> str:
        """As one types it in a shell."""
        return shlex.join(self.words)


def read(text: str) -> Command:
    """A command that is written down as one types it."""
    return Command(tuple(shlex.split(text)))
