"""Events to nodes: keys, anchors, aliases and merges, within the limits.

Works on a stack of its own, not by recursion, so no file can exhaust the interpreter's.
"""

import re
from typing import TypeAlias

from ruamel.yaml.events import (
    AliasEvent,
    DocumentStartEvent,
    MappingStartEvent,
    ScalarEvent,
    SequenceStartEvent,
)

from clusterprint.diagnostic import Span
from clusterprint.load.codes import (
    EMPTY,
    FORBIDDEN_CHARACTER,
    RECURSIVE_ALIAS,
    SEVERAL_DOCUMENTS,
    TOO_DEEP,
    TOO_MANY_VALUES,
    TYPOGRAPHIC_QUOTES,
    UNKNOWN_ALIAS,
    UNUSABLE_NUMBER,
)
from clusterprint.load.events import Event, Events, Mark, span_of, too_deep
from clusterprint.load.limits import MAX_DEPTH, MAX_VALUES
from clusterprint.load.maps import make_map
from clusterprint.load.nodes import ListNode, MapNode, Node, ScalarNode
from clusterprint.load.problem import Problem, Refused, short
from clusterprint.load.scalars import Plain, UnusableNumberError, resolve
from clusterprint.words.letters import DOUBLE_QUOTES, SINGLE_QUOTES, find_odd

# What may stand between the place of a value and its content: anchor, tag, space and comments.
_PROPERTIES = re.compile(r"(?:&[^\s,\[\]{}]+|!\S*|\s|#[^\r\n]*)+")
_LISTED = 20


class _Open:
    """A list or map whose end has not come yet."""

    def __init__(self, event: Event, start: tuple[int, int]) -> None:
        self.is_map = isinstance(event, MappingStartEvent)
        self.is_flow = bool(event.flow_style)
        self.anchor: str | None = event.anchor
        self.start = start
        self.parts: list[Node] = []
        self.size = 1


_Anchors: TypeAlias = dict[str, Node | _Open]


class Composer:
    """Makes the node of the one document of a text; `problems` are those that leave something to check."""

    def __init__(self, events: Events) -> None:
        self.events = events
        self.problems: list[Problem] = []
        self.anchors: _Anchors = {}
        self.stack: list[_Open] = []

    def document(self) -> Node:
        """The first document with anything in it. Raises Refused, or ruamel's MarkedYAMLError."""
        root: Node | None = None
        self.events.next()
        while isinstance(event := self.events.next(), DocumentStartEvent):
            if root is not None:
                if self._is_more(root, event.start_mark):
                    break
                continue
            node = self._node()
            # A separator at the top or the end of a file, with nothing before or after it, is a habit.
            root = None if isinstance(node, ScalarNode) and node.plain == "" else node
            self.events.next()
        if root is None:
            message = "the file is empty" + (", but for comments" if self.events.comments else "")
            raise Refused(Problem(EMPTY, message, help="start with `clusterprint: v1` and `kind: vm`"))
        return root

    def _is_more(self, root: Node, start: Mark) -> bool:
        event = self.events.next()
        if isinstance(event, ScalarEvent) and event.value == "" and event.implicit[0]:
            self.events.next()
            return False
        self.problems.append(
            Problem(
                SEVERAL_DOCUMENTS,
                "the file holds more than one document; another starts here",
                Span(start.line + 1, start.column + 1, start.line + 1, start.column + 4),
                "move each document into a file of its own",
                ((root.span._replace(end_line=root.span.line, end_column=root.span.column), "the first"),),
            )
        )
        return True

    def _node(self) -> Node:
        """The next whole value."""
        while True:
            event = self.events.next()
            node: Node | None
            if isinstance(event, ScalarEvent):
                node = self._scalar(event)
            elif isinstance(event, AliasEvent):
                node = self._alias(event)
            elif isinstance(event, MappingStartEvent | SequenceStartEvent):
                self._open(event)
                continue
            else:
                node = self._close(event)
            if not self.stack:
                return node
            self._add(node)

    def _open(self, event: Event) -> None:
        if len(self.stack) >= MAX_DEPTH:
            raise Refused(too_deep(event.start_mark))
        opened = _Open(event, self._content_start(event))
        if opened.anchor is not None:
            self.anchors[opened.anchor] = opened
        self.stack.append(opened)

    def _add(self, node: Node) -> None:
        parent = self.stack[-1]
        parent.parts.append(node)
        parent.size += node.size
        if parent.size > MAX_VALUES:
            raise Refused(
                Problem(
                    TOO_MANY_VALUES,
                    f"the blueprint holds more than {MAX_VALUES:,} keys and values, with aliases written out",
                    node.span,
                    "repeat less, or split the blueprint",
                )
            )

    def _close(self, event: Event) -> Node:
        opened = self.stack.pop()
        end = (event.end_mark.line + 1, event.end_mark.column + 1)
        if not opened.is_flow and opened.parts:
            # A block ends where its last value ends; ruamel only notices at the next token.
            end = (opened.parts[-1].span.end_line, opened.parts[-1].span.end_column)
        span = Span(*opened.start, *end)
        node: Node
        if opened.is_map:
            node = make_map(span, opened.parts, self.problems)
        else:
            node = ListNode(span, opened.parts)
            node.height = 1 + max((item.height for item in opened.parts), default=0)
        node.size = opened.size
        if opened.anchor is not None:
            self.anchors[opened.anchor] = node
        return node

    def _scalar(self, event: Event) -> ScalarNode:
        span = self._scalar_span(event)
        text = event.value
        value: Plain = text
        plain = text if event.implicit[0] else None
        if plain is not None and _is_typographic(text):
            return self._typographic(event, span)
        # A tag was reported when it was scanned; what it would make of the text is not known.
        broken = event.ctag is not None
        if plain is not None and not broken:
            try:
                value = resolve(text)
            except UnusableNumberError as error:
                help_text = "write a smaller number, or quotes if it is a text"
                self.problems.append(Problem(UNUSABLE_NUMBER, f"`{short(text)}` is {error}", span, help_text))
                broken = True
        elif "\\" in self.events.text[event.start_mark.index : event.end_mark.index]:
            value, broken = self._paired(text, span, broken=broken)
        node = ScalarNode(span, None if broken else value, plain, broken)
        if event.anchor is not None:
            self.anchors[event.anchor] = node
        return node

    def _typographic(self, event: Event, span: Span) -> ScalarNode:
        """A text in quotes that are none to YAML. Of a key it is clear what was meant."""
        odd = find_odd(event.value[0])
        opened = odd.described if odd else ""
        message = f"the text is in typographic quotes: it begins with {opened}"
        help_text = 'write plain quotes (`"`), or none'
        self.problems.append(Problem(TYPOGRAPHIC_QUOTES, message, span, help_text))
        is_key = bool(self.stack) and self.stack[-1].is_map and len(self.stack[-1].parts) % 2 == 0
        node = ScalarNode(span, event.value[1:-1], None, broken=not is_key)
        if event.anchor is not None:
            self.anchors[event.anchor] = node
        return node

    def _paired(self, text: str, span: Span, *, broken: bool) -> tuple[str, bool]:
        r"""Joins escapes of two halves ("\ud83d\ude00", as JSON writes them) to one character."""
        try:
            return text.encode("utf-16", "surrogatepass").decode("utf-16"), broken
        except UnicodeDecodeError:
            message = "an escape in this text stands for half a character"
            self.problems.append(Problem(FORBIDDEN_CHARACTER, message, span, "write the character itself"))
            return "", True

    def _alias(self, event: Event) -> Node:
        span = span_of(event.start_mark, event.end_mark)
        known = self.anchors.get(event.anchor)
        if isinstance(known, _Open):
            line, column = known.start
            problem = Problem(
                RECURSIVE_ALIAS,
                f"`*{short(event.anchor)}` is inside the value that it repeats",
                span,
                "remove it, or move the anchor to the part that is meant",
                ((Span(line, column, line, column + 1), f"`&{short(event.anchor)}` begins here"),),
            )
            raise Refused(problem)
        if known is None:
            self.problems.append(Problem(UNKNOWN_ALIAS, *self._unknown(event.anchor, span)))
            return ScalarNode(span, None, None, broken=True)
        if len(self.stack) + known.height > MAX_DEPTH:
            message = (
                f"with `*{short(event.anchor)}` written out, the nesting is more than {MAX_DEPTH} levels deep"
            )
            raise Refused(Problem(TOO_DEEP, message, span, "use fewer aliases of aliases"))
        return _at(known, span)

    def _unknown(self, name: str, span: Span) -> tuple[str, Span, str]:
        known = ", ".join(f"`&{short(anchor)}`" for anchor in list(self.anchors)[:_LISTED])
        if known:
            help_text = f"anchors above this line: {known}; a text that begins with `*` needs quotes"
        else:
            help_text = (
                f"write `&{short(name)}` before the value to repeat; a text that begins with `*` needs quotes"
            )
        return f"`*{short(name)}` repeats an anchor that is not written above it", span, help_text

    def _content_start(self, event: Event) -> tuple[int, int]:
        """Where a value starts, without its anchor and tag; line and column from 1."""
        mark = event.start_mark
        if event.anchor is None and event.ctag is None:
            return mark.line + 1, mark.column + 1
        found = _PROPERTIES.match(self.events.text, mark.index)
        return _after(self.events.text, mark, found.end() if found else mark.index)

    def _scalar_span(self, event: Event) -> Span:
        start, end = event.start_mark, event.end_mark
        if event.anchor is not None or event.ctag is not None:
            found = _PROPERTIES.match(self.events.text, start.index)
            begin = _after(self.events.text, start, min(found.end() if found else start.index, end.index))
        else:
            begin = (start.line + 1, start.column + 1)
        if event.style in ("|", ">"):
            # The scanner has gone on to the next line; the text ends where its last word ends.
            body = self.events.text[start.index : end.index].rstrip()
            return Span(*begin, *_after(self.events.text, start, start.index + len(body)))
        return Span(*begin, end.line + 1, end.column + 1)


def _is_typographic(text: str) -> bool:
    return len(text) > 1 and any(
        text[0] in quotes and text[-1] in f"{quotes}{plain}"
        for quotes, plain in ((DOUBLE_QUOTES, '"'), (SINGLE_QUOTES, "'"))
    )


def _after(text: str, mark: Mark, index: int) -> tuple[int, int]:
    """Line and column of an index at or after a mark."""
    between = text[mark.index : index].replace("\r\n", "\n").replace("\r", "\n")
    lines = between.count("\n")
    if not lines:
        return mark.line + 1, mark.column + 1 + len(between)
    return mark.line + 1 + lines, len(between) - between.rindex("\n")


def _at(node: Node, span: Span) -> Node:
    """The same value, standing elsewhere: an alias points at itself, what is in it at where it is written."""
    if isinstance(node, ScalarNode):
        return ScalarNode(span, node.value, node.plain, node.broken)
    if isinstance(node, ListNode):
        return ListNode(span, node.items, node.broken, node.size, node.height)
    return MapNode(span, node.entries, node.broken, node.size, node.height)
