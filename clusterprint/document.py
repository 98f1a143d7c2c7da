"""A blueprint file as it was read: plain data, and where each key and value stands.

`load` makes documents. A place in one is a tuple of keys and list positions: `("nodes", "count")`,
`("storage", "volumes", 0, "name")`.
"""

from pathlib import Path
from typing import Any, NamedTuple, TypeAlias

from clusterprint.diagnostic import Label, Span

#: How the keys of the top level begin that say nothing to clusterprint: a place for anchors.
NOTES = "x-"

Place: TypeAlias = tuple[str | int, ...]


class Written(NamedTuple):
    """How one value stands in the file.

    `key` is the span of its key (for a list item: of the item itself). `plain` is the text of an
    unquoted scalar exactly as written, None for quoted scalars, maps and lists. `file` is empty for what
    stands in the blueprint itself.
    """

    key: Span
    value: Span
    plain: str | None
    file: str = ""


class Ignore(NamedTuple):
    """A comment `# clusterprint: ignore[CODE, ...] reason`; `lines` are the lines it speaks for."""

    codes: tuple[str, ...]
    reason: str
    span: Span
    lines: tuple[int, ...]


class Document(NamedTuple):
    """One blueprint file.

    `file` is the name shown to the user (`-` for standard input); `folder` is what paths inside the
    blueprint are relative to. `data` holds dicts with text keys, lists, str, int, float, bool and None
    only; merge keys and anchors are already resolved. `written` has an entry for every place in `data`.
    `broken` are places that hold a stand-in for something already reported: nothing more is said of them.
    `defaults` are the files that were laid under it, the nearest first. `said` is the document as written, if
    fallbacks of its capacity count instead (`wishes`).
    """

    file: str
    folder: Path
    text: str
    data: Any
    written: dict[Place, Written]
    ignores: tuple[Ignore, ...] = ()
    broken: frozenset[Place] = frozenset()
    defaults: tuple["Document", ...] = ()
    said: "Document | None" = None

    @property
    def files(self) -> tuple[str, ...]:
        """The names of all files that it was read from, its own first."""
        return (self.file, *(each.file for each in self.defaults))

    def has(self, place: Place) -> bool:
        """Whether the user wrote this place (a default is not written)."""
        return place in self.written

    def nearest(self, place: Place) -> Place:
        """The place itself, or its closest parent that is written."""
        while place and place not in self.written:
            place = place[:-1]
        return place

    def label(self, place: Place, text: str = "") -> Label:
        """Points at the value of a place; at the key of the closest parent when it was left out."""
        near = self.nearest(place)
        written = self.written[near]
        return Label(written.file or self.file, written.value if near == place else written.key, text)

    def key_label(self, place: Place, text: str = "") -> Label:
        """Points at the key of a place."""
        written = self.written[self.nearest(place)]
        return Label(written.file or self.file, written.key, text)
