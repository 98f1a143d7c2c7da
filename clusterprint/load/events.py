"""YAML as a stream of events with places. The only module that knows the inside of ruamel.yaml.

ruamel's own composer recurses, forgets where values end, and keeps comments only in its round-trip
form, which is slower. Its scanner and parser are used as they are, but for four things:

- comments and tags are collected on the way;
- a tab may stand between tokens on a line (as YAML 1.2 allows), and is named when it indents;
- brackets are counted as they open, so that 100,000 of them stop at the limit;
- advancing over text is done in one step where it has no line break, a third of the time.
"""

import re
from collections.abc import Iterator
from typing import Any, NamedTuple

from ruamel.yaml.error import MarkedYAMLError
from ruamel.yaml.parser import Parser
from ruamel.yaml.reader import Reader
from ruamel.yaml.scanner import Scanner, ScannerError
from ruamel.yaml.tokens import DirectiveToken, StreamEndToken

from clusterprint.diagnostic import Span
from clusterprint.load.codes import TOO_DEEP
from clusterprint.load.limits import MAX_DEPTH
from clusterprint.load.problem import Problem, Refused

# ruamel's types are `Any` throughout; these names say which one is meant.
Event = Any
Mark = Any
Token = Any

_REST_OF_LINE = re.compile("[^\r\n\0]*")
_SPACE = re.compile("[ \t]*")
_BLANK_REST = re.compile("[ \t]*[\r\n#\0]")


class Piece(NamedTuple):
    """A stretch of the file that stands beside the data: a comment, a tag or a directive."""

    text: str
    span: Span


class Events:
    """The events of one text. `comments`, `tags` and `directives` fill up while events are taken."""

    # What ruamel's parts expect of the loader that they share.
    processing_version = (1, 2)
    comment_handling = None

    def __init__(self, text: str) -> None:
        self.text = text
        self.comments: list[Piece] = []
        self.tags: list[Piece] = []
        self.directives: list[Piece] = []
        # The last quoted text: an error right behind it often means that it was closed too late.
        self.quoted: Span | None = None
        self._resolver = self
        self._reader = _Reader(text, self)
        self._scanner = _Scanner(self)
        self._parser = Parser(self)

    def next(self) -> Event:
        """The next event. Raises MarkedYAMLError for what is not YAML, Refused for too many brackets."""
        try:
            return self._parser.get_event()
        except (MarkedYAMLError, Refused):
            raise
        except Exception as error:
            # ruamel trips over some malformed input, for example an escape beyond Unicode.
            raise ScannerError(None, None, f"unreadable ({error})", self._reader.get_mark()) from error

    def tokens(self) -> Iterator[Token]:
        """All tokens of the text, in place of its events. Raises MarkedYAMLError, Refused."""
        while not isinstance(token := self._scanner.get_token(), StreamEndToken):
            yield token

    def open_bracket(self) -> Mark | None:
        """The innermost bracket that is open, None outside of any."""
        for mark in reversed(self._parser.marks):
            if self.text[mark.index] in "[{":
                return mark
        return None


class _Reader(Reader):
    def forward(self, length: int = 1) -> None:
        start = self.pointer
        end = start + length
        piece = self.buffer[start:end]
        if "\n" in piece or "\r" in piece:
            super().forward(length)
            return
        self.pointer = end
        self.index += length
        self.column += length


class _Scanner(Scanner):
    def scan_to_next_token(self) -> None:
        """Passes over space and comments, and collects these."""
        reader = self.reader
        while True:
            space = _matching(_SPACE, reader)
            if space:
                if "\t" in space and not self.flow_context:
                    self._insist_on_no_indent(space.index("\t"))
                reader.forward(len(space))
            character = reader.peek()
            if character == "#":
                self._take_comment()
            elif character in "\r\n":
                self.scan_line_break()
                if not self.flow_context:
                    self.allow_simple_key = True
            else:
                return

    def _insist_on_no_indent(self, ahead: int) -> None:
        """Raises ScannerError when the tab that many characters ahead indents the line."""
        reader = self.reader
        before = reader.buffer[reader.pointer - reader.column : reader.pointer]
        if not before.strip(" \t-?") and not _BLANK_REST.match(reader.buffer, reader.pointer):
            reader.forward(ahead)
            raise ScannerError(None, None, "a tab indents", reader.get_mark())

    def _take_comment(self) -> None:
        reader = self.reader
        start = reader.get_mark()
        text = _matching(_REST_OF_LINE, reader)
        reader.forward(len(text))
        self.loader.comments.append(Piece(text, span_of(start, reader.get_mark())))

    def scan_block_scalar_ignored_line(self, start_mark: Mark) -> Any:
        line = _matching(_REST_OF_LINE, self.reader)
        space = line.partition("#")[0]
        if len(space) < len(line) and not space.strip(" "):
            mark = self.reader.get_mark()
            row, column = mark.line + 1, mark.column + 1
            span = Span(row, column + len(space), row, column + len(line))
            self.loader.comments.append(Piece(line[len(space) :], span))
        return super().scan_block_scalar_ignored_line(start_mark)

    def scan_tag(self) -> Token:
        token = super().scan_tag()
        text = self.loader.text[token.start_mark.index : token.end_mark.index]
        self.loader.tags.append(Piece(text, span_of(token.start_mark, token.end_mark)))
        return token

    def scan_directive(self) -> Token:
        """Takes the line as it is: what it asks for is refused anyway."""
        start = self.reader.get_mark()
        text = _matching(_REST_OF_LINE, self.reader)
        self.reader.forward(len(text))
        end = self.reader.get_mark()
        self.loader.directives.append(Piece(text, span_of(start, end)))
        return DirectiveToken("refused", None, start, end)

    def scan_flow_scalar(self, style: str) -> Token:
        token = super().scan_flow_scalar(style)
        self.loader.quoted = span_of(token.start_mark, token.end_mark)
        return token

    def fetch_flow_collection_start(self, TokenClass: type, to_push: str) -> None:  # noqa: N803 - ruamel's name
        if len(self.flow_context) >= MAX_DEPTH:
            raise Refused(too_deep(self.reader.get_mark()))
        super().fetch_flow_collection_start(TokenClass, to_push)


def too_deep(mark: Mark) -> Problem:
    """The problem of one level more than is allowed, at that place."""
    return Problem(
        TOO_DEEP,
        f"maps and lists are nested more than {MAX_DEPTH} levels deep",
        Span(mark.line + 1, mark.column + 1, mark.line + 1, mark.column + 2),
        help="look for brackets that are not closed",
    )


def span_of(start: Mark, end: Mark) -> Span:
    """The span between two marks, which count from 0."""
    return Span(start.line + 1, start.column + 1, end.line + 1, end.column + 1)


def _matching(pattern: re.Pattern[str], reader: Reader) -> str:
    found = pattern.match(reader.buffer, reader.pointer)
    return found.group() if found else ""
