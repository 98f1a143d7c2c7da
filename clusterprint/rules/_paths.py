"""Looking at the files that a blueprint names: carefully, and never outside its folder.

Rules do no I/O, with this exception: that a file is there, and what it is, is part of whether a
blueprint is right. Nothing here follows a link out of the folder, opens what is not a regular file, or
reads more than it was asked for.
"""

from collections.abc import Iterator
from itertools import islice
from pathlib import Path, PurePosixPath
from typing import NamedTuple
from weakref import WeakKeyDictionary

from msgspec import UNSET

from clusterprint.blueprint.content import LocalFiles, TextFile
from clusterprint.files import dockerignore, tree
from clusterprint.masking import mask
from clusterprint.rules.context import Context
from clusterprint.words.guesses import Guesses

Entry = tree.Entry
Sort = tree.Sort
sort_of = tree.sort_of

#: Files that only hold an empty folder in git.
PLACEHOLDERS = frozenset({".gitkeep", ".keep"})

# Folders with more entries than this are not searched for names that were likely meant.
_MANY = 2000

_LONGEST_SHOWN = 80


class Named(NamedTuple):
    """A path that a part names: the field, the text, and the file or folder there."""

    field: str
    text: str
    path: Path
    sort: Sort
    ignores: str

    @property
    def shown(self) -> str:
        """The text as it may be printed."""
        return shown(self.text)


def named(part: LocalFiles | TextFile, context: Context) -> Named | None:
    """The path that a part names, looked at; None for a text in place."""
    field = "source" if isinstance(part, LocalFiles) else "file"
    text = getattr(part, field)
    if text is UNSET:
        return None
    path = context.folder / text
    ignores = part.ignores if isinstance(part, LocalFiles) else ""
    return Named(field, text, path, sort_of(path, context.folder), ignores)


def below(source: Named, context: Context) -> tuple[Entry, ...]:
    """Everything below a folder but the folders, and but what it leaves out, in the order of the names.

    Links to files are followed as long as they stay below the blueprint's folder; links to folders are
    not. Several rules ask for the same folder, so what was found is kept as long as the context lives.
    """
    folders = _walked.setdefault(context, {})
    key = source.path, source.ignores
    if key not in folders:
        folders[key] = tuple(dockerignore.kept(source.path, context.folder, source.ignores))
    return folders[key]


_walked: WeakKeyDictionary[Context, dict[tuple[Path, str], tuple[Entry, ...]]] = WeakKeyDictionary()


def copied(part: LocalFiles, context: Context) -> Iterator[tuple[str, Entry]]:
    """The files that a part copies, each with where it lands."""
    source = named(part, context)
    landing = part.landing
    if source is None:
        return
    if source.sort is Sort.FILE:
        yield landing, Entry(source.path.name, source.path, Sort.FILE, source.path.stat().st_size)
    if source.sort is Sort.FOLDER:
        for entry in below(source, context):
            if entry.sort is Sort.FILE:
                yield f"{landing}/{entry.name}" if landing else entry.name, entry


def head(path: Path, size: int) -> bytes:
    """The first bytes of a regular file, at most `size`; nothing if it cannot be read."""
    try:
        with path.open("rb") as file:
            return file.read(size)
    except OSError:
        return b""


def meant(text: str, context: Context) -> str:
    """A path that exists and is close to one that does not, or an empty text."""
    top = context.folder
    rest = list(PurePosixPath(text).parts)
    at = PurePosixPath()
    while rest and sort_of(top / at / rest[0], top) is Sort.FOLDER:
        at /= rest.pop(0)
    if not rest or sort_of(top / at, top) is not Sort.FOLDER:
        return ""
    seen = _seen.setdefault(context, _Seen({}, Guesses(cutoff=0.6)))
    if at not in seen.names:
        seen.names[at] = _names(top / at)
    near = seen.guesses.closest(rest[0], seen.names[at])
    found = at.joinpath(near, *rest[1:]) if near else None
    if found is None or sort_of(top / found, top) not in (Sort.FILE, Sort.FOLDER):
        return ""
    return f"./{found}"


class _Seen(NamedTuple):
    """The names in each folder that a name was looked for in, and what was made of them."""

    names: dict[PurePosixPath, tuple[str, ...]]
    guesses: Guesses


_seen: WeakKeyDictionary[Context, _Seen] = WeakKeyDictionary()


def _names(folder: Path) -> tuple[str, ...]:
    try:
        return tuple(sorted(each.name for each in islice(folder.iterdir(), _MANY)))
    except OSError:
        return ()


def of_sort(source: Named, context: Context, *sorts: Sort) -> list[Entry]:
    """The files of these sorts in a folder that a part names."""
    return [entry for entry in below(source, context) if entry.sort in sorts]


def listed(entries: list[Entry]) -> str:
    """The first of some entries, and how many more there are."""
    more = f" and {len(entries) - 1} more" if len(entries) > 1 else ""
    return f"{shown(entries[0].name)}{more}"


def shown(name: str) -> str:
    """A path as it may be printed: on one line, and cut if it is long."""
    plain = name if name.isprintable() else name.encode("unicode_escape").decode("ascii")
    # A secret that is cut short may no longer be seen to be one.
    plain = mask(plain)
    return plain if len(plain) <= _LONGEST_SHOWN else f"{plain[:_LONGEST_SHOWN]}..."
