"""A text as words of YAML with space between them, and edits of that space."""

from bisect import bisect_left
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from ruamel.yaml.tokens import (
    AliasToken,
    AnchorToken,
    BlockEndToken,
    BlockEntryToken,
    BlockMappingStartToken,
    BlockSequenceStartToken,
    DocumentEndToken,
    DocumentStartToken,
    FlowEntryToken,
    FlowMappingEndToken,
    FlowMappingStartToken,
    FlowSequenceEndToken,
    FlowSequenceStartToken,
    KeyToken,
    ScalarToken,
    TagToken,
    ValueToken,
)

from clusterprint.load.events import Events

_SORTS: dict[type, str] = {
    AliasToken: "alias",
    AnchorToken: "anchor",
    BlockEndToken: "end",
    BlockEntryToken: "dash",
    BlockMappingStartToken: "map",
    BlockSequenceStartToken: "list",
    DocumentEndToken: "separator",
    DocumentStartToken: "separator",
    FlowEntryToken: "comma",
    FlowMappingEndToken: "close",
    FlowMappingStartToken: "open",
    FlowSequenceEndToken: "close",
    FlowSequenceStartToken: "open",
    KeyToken: "key",
    ScalarToken: "scalar",
    TagToken: "anchor",
    ValueToken: "colon",
}


class Piece(NamedTuple):
    """One word, or a sign of what begins or ends here (`map`, `list`, `end`, `key`), which has no length.

    `start` and `stop` are positions in the text, `column` counts from 0. `is_block` is a text after `|` or
    `>`.
    """

    sort: str
    start: int
    stop: int
    column: int
    is_block: bool = False

    @property
    def is_word(self) -> bool:
        """Whether there is something to see."""
        return self.stop > self.start


class Edit(NamedTuple):
    """Other space in place of the space between two positions."""

    start: int
    stop: int
    space: str


def pieces_of(text: str) -> list[Piece]:
    """All pieces of a text that loaded without a problem, comments among them, in order."""
    events = Events(text)
    found = []
    for token in events.tokens():
        sort = _SORTS.get(type(token))
        if sort is None:
            continue
        start, stop = token.start_mark.index, token.end_mark.index
        if sort in ("end", "map", "list") or (sort == "key" and text[start : start + 1] != "?"):
            stop = start
        is_block = sort == "scalar" and token.style in ("|", ">")
        if is_block:
            # Spaces at the end of its last line are part of it, empty lines below are not.
            stop = start + len(text[start:stop].rstrip())
            stop += len(text[stop:].partition("\n")[0])
        found.append(Piece(sort, start, stop, token.start_mark.column, is_block))
    begins = _line_starts(text)
    texts = [each for each in found if each.is_block]
    for line in (*events.comments, *events.directives):
        start = begins[line.span.line - 1] + line.span.column - 1
        # One behind `|` or `>` is left where it is: the text begins on the next line.
        before = texts[bisect_left(texts, start, key=lambda each: each.start) - 1 :][:1]
        if not any(each.start < start < each.stop for each in before):
            found.append(Piece("comment", start, start + len(line.text.rstrip()), line.span.column - 1))
    return sorted(found, key=lambda each: each.start)


def _line_starts(text: str) -> list[int]:
    starts = [0]
    for line in text.split("\n"):
        starts.append(starts[-1] + len(line) + 1)
    return starts


def words(pieces: Sequence[Piece]) -> list[Piece]:
    """The pieces that can be seen."""
    return [each for each in pieces if each.is_word]


def applied(text: str, edits: Iterable[Edit]) -> str:
    """The text with other space. Raises ValueError for an edit of anything else."""
    made, at = [], 0
    for edit in sorted(edits):
        if edit.start < at or text[edit.start : edit.stop].strip() or edit.space.strip():
            raise ValueError(f"not an edit of space: {edit}")
        made += [text[at : edit.start], edit.space]
        at = edit.stop
    return "".join([*made, text[at:]])
