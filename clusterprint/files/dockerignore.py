"""Which files of a folder its `.dockerignore` leaves out, as Docker reads it.

A line is a pattern from the folder's root: `*`, `?` and `[...]` stay within a name, `**` stands for any
number of folders. What is below a match matches. A line that begins with `!` takes files back in; of lines
that match, the last one counts.
"""

import posixpath
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import NamedTuple

from clusterprint.files import inside, tree

# As much as anybody writes; what is longer is no list of patterns.
_MOST_BYTES = 64 * 1024
# What a build is told by, and would not find: Docker itself never leaves them out.
_NEEDED = ("Dockerfile", ".dockerignore")


class Pattern(NamedTuple):
    """One line."""

    form: re.Pattern[str]
    leaves_out: bool


def kept(folder: Path, top: Path, name: str) -> Iterator[tree.Entry]:
    """The entries below a folder that a file of this name in it does not leave out.

    Without such a file, or with one that is not to be read, all of them: other rules speak of it.
    """
    patterns = patterns_of(_text(folder / name, top)) if name else ()
    # A folder of environments has more files than all the rest. Only what is below it may be taken back in.
    whole = all(each.leaves_out for each in patterns)
    entries = tree.below(folder, top, lambda each: whole and leaves_out(patterns, each))
    return (each for each in entries if not leaves_out(patterns, each.name))


def leaves_out(patterns: tuple[Pattern, ...], name: str) -> bool:
    """Whether a file is left out, by its path from the folder, with slashes."""
    if name in _NEEDED:
        return False
    out = False
    for pattern in patterns:
        if pattern.leaves_out != out and pattern.form.fullmatch(name):
            out = pattern.leaves_out
    return out


@cache
def patterns_of(text: str) -> tuple[Pattern, ...]:
    """The patterns of a `.dockerignore`."""
    found = []
    for line in text.removeprefix("\ufeff").splitlines():
        written = line.strip()
        # A comment begins in the first column.
        if line.startswith("#") or not written:
            continue
        leaves = not written.startswith("!")
        path = posixpath.normpath(written.removeprefix("!").strip()).lstrip("/")
        if path not in ("", "."):
            found.append(Pattern(re.compile(f"(?s:{_form(path)}(?:/.*)?)"), leaves))
    return tuple(found)


_SIGN = re.compile(r"\*\*/?|\*|\?|\[(?P<not>\^)?(?P<set>[^]]+)\]|\\(?P<plain>.)|(?P<text>.)", re.DOTALL)


def _form(path: str) -> str:
    return "".join(map(_piece, _SIGN.finditer(path)))


def _piece(found: re.Match[str]) -> str:
    sign = found[0]
    if sign.startswith("**"):
        return "(?:.*/)?" if sign.endswith("/") else ".*"
    if sign in ("*", "?"):
        return "[^/]*" if sign == "*" else "[^/]"
    if found["set"]:
        # Only ranges mean something in a set; whatever else does to a regular expression is plain.
        inner = "-".join(map(re.escape, found["set"].split("-")))
        return f"[{'^/' if found['not'] else ''}{inner}]"
    return re.escape(found["plain"] or found["text"])


def _text(file: Path, top: Path) -> str:
    if inside.leads_out(file, top):
        return ""
    try:
        return inside.read(file.resolve(strict=True), _MOST_BYTES).decode("utf-8", "replace")
    except (OSError, inside.NotRead):
        return ""
