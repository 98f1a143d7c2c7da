"""Words that several rules put into their messages."""

import difflib
from collections.abc import Iterable, Sequence


def nearest(name: str, candidates: Iterable[str]) -> str:
    """The closest candidate with the same first letter, or an empty text."""
    alike = [each for each in candidates if each[:1] == name[:1]]
    found = difflib.get_close_matches(name, alike, n=1, cutoff=0.6)
    return found[0] if found else ""


def counted(number: int, thing: str) -> str:
    """A number of things: `1 local SSD`, `2 local SSDs`."""
    return f"{number} {thing}" if number == 1 else f"{number} {thing}s"


def listed(words: Sequence[str], last: str = "or") -> str:
    """Several words as a phrase: `a, b or c`."""
    return f" {last} ".join(filter(None, (", ".join(words[:-1]), *words[-1:])))
