"""Formats of secrets, and masking of everything that is printed.

Rules report them, and nothing that we print repeats them: not a message, not the line of a file. The forms
are data, in `formats`; `views` undoes escapes and folded lines, so that a secret is found however it is
written; `scan` finds them; `names` knows what is secret by its name alone. Texts are masked where they leave:
diagnostics in `examine`, reports in `review.assemble`, and once more everything that a command prints, in
`cli.output`. Whoever cuts a text short masks it first: half a secret may not be seen to be one.
"""

from collections.abc import Iterable
from typing import NamedTuple, TypeVar

from clusterprint.masking.names import is_secret_name, without_values
from clusterprint.masking.scan import Found, holding, search
from clusterprint.masking.trees import texts_in, with_texts

__all__ = [
    "SOURCE",
    "Found",
    "Secret",
    "find",
    "is_secret_name",
    "mask",
    "mask_thoroughly",
    "masked",
    "search",
    "stars",
]

_Tree = TypeVar("_Tree")

SOURCE = "clusterprint: nothing secret stands in a blueprint"


class Secret(NamedTuple):
    """The sorts of secrets in a text, in words, and their lines; never the secret itself."""

    what: str
    line: int


def find(text: str) -> Secret | None:
    """The first thing in a text that looks like a secret."""
    found = search(text)
    return Secret(found[0].what, text.count("\n", 0, found[0].start) + 1) if found else None


def mask(text: str) -> str:
    """The text with a star for each character of a secret; lines and columns stay where they are."""
    return stars(text, [(found.start, found.end) for found in search(text)])


def stars(text: str, stretches: Iterable[tuple[int, int]]) -> str:
    """The text with a star for each character of these stretches that is not white space."""
    parts = []
    done = 0
    for start, end in sorted(stretches):
        parts.append(text[done:start])
        parts.append("".join(each if each.isspace() else "*" for each in text[max(start, done) : end]))
        done = max(end, done)
    return "".join([*parts, text[done:]])


def masked(tree: _Tree) -> _Tree:
    """A record, list or map with every text in it masked; the same one if nothing in it is secret."""
    secret = holding(tuple(texts_in(tree)))
    return with_texts(tree, lambda text: mask(text) if text in secret else text) if secret else tree


def mask_thoroughly(text: str) -> str:
    """As `mask`, and also what is given to a name that sounds like a secret, or as a password in an address.

    For texts that are shown to many, where a star too many does no harm.
    """
    return without_values(mask(text))
