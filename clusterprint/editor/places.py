"""Places of a text in what an editor counts in: lines from 0, and units of the encoding that it chose."""

from bisect import bisect_right

from lsprotocol import types as lsp

from clusterprint.diagnostic import Span
from clusterprint.editor.open_file import Opened

# Python's name of each, and how many bytes a unit has.
_ENCODINGS: dict[str | None, tuple[str, int]] = {
    lsp.PositionEncodingKind.Utf8: ("utf-8", 1),
    lsp.PositionEncodingKind.Utf16: ("utf-16-le", 2),
    lsp.PositionEncodingKind.Utf32: ("utf-32-le", 4),
}


class Places:
    """The places of one blueprint; what is beyond the end of a line or of the text is at that end."""

    def __init__(self, blueprint: Opened, encoding: str | None) -> None:
        """Count in `encoding`, a word of the protocol."""
        self._lines, self._starts = blueprint.lines, blueprint.starts
        self._encoding, self._size = _ENCODINGS[encoding]

    def read(self, position: lsp.Position) -> tuple[int, int]:
        """The line and the column in characters of a position that the editor sent."""
        if position.line >= len(self._lines):
            return len(self._lines) - 1, len(self._lines[-1])
        line = self._lines[position.line]
        if line.isascii():
            return position.line, min(position.character, len(line))
        units = line.encode(self._encoding, "replace")[: position.character * self._size]
        return position.line, len(units.decode(self._encoding, "ignore"))

    def position(self, line: int, column: int) -> lsp.Position:
        """The position of a column in characters."""
        before = self._lines[line][:column]
        if before.isascii():
            return lsp.Position(line, len(before))
        return lsp.Position(line, len(before.encode(self._encoding, "replace")) // self._size)

    def range(self, span: Span) -> lsp.Range:
        """A span of a diagnostic."""
        return lsp.Range(
            self.position(span.line - 1, span.column - 1),
            self.position(span.end_line - 1, span.end_column - 1),
        )

    def between(self, start: int, stop: int) -> lsp.Range:
        """Two positions of the text as a whole."""
        return lsp.Range(self._at(start), self._at(stop))

    def _at(self, index: int) -> lsp.Position:
        line = bisect_right(self._starts, index) - 1
        return self.position(line, index - self._starts[line])
