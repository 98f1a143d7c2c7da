"""A shell script, read and never run: its statements, with the variables and loops that it writes out."""

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby, islice
from typing import NamedTuple

from clusterprint.importing.findings import Finding

_TOKEN = re.compile(
    r"""(?P<join>\\\n)|(?P<space>[ \t]+)|(?P<end>&&|\|\||[\n;|&])|(?P<single>'[^']*')
    |"(?P<double>(?:[^"\\]|\\.)*)"|\\(?P<escape>.)
    |(?P<plain>\$\((?:[^()]|\([^()]*\))*\)|`[^`]*`|[0-9]*[<>]&[0-9-]*|[^\s'"\\;&|`$]+|[$`])""",
    re.VERBOSE | re.DOTALL,
)
_REFERENCE = re.compile(r"\$(?:\{([A-Za-z_]\w*)\}|([A-Za-z_]\w*))")
_ESCAPED = re.compile(r'\\(["\\$`]|\n)')
_ASSIGNMENT = re.compile(r"([A-Za-z_]\w*)=(.*)", re.DOTALL)
_DECLARES = ("export", "readonly", "local", "declare", "typeset")
_LEADS = ("do", "then", "else", "{")
_LOOPS = ("for", "while", "until", "select")
_ENDS = ("fi", "esac", "}")
# Of commands, of loops in loops, of letters that the variables of a word become, and of words and letters
# that are read again: far more than any script has.
_MOST, _DEEPEST, _LONGEST, _AGAIN = 1000, 20, 4000, 100_000


class Word(NamedTuple):
    """A word: its line, its text, and whether only a shell knows what that means."""

    line: int
    text: str
    unknown: bool = False


class _Piece(NamedTuple):
    """A part of a word; `quote` is empty, a quotation mark, or a backslash before one letter."""

    text: str
    quote: str


class _Raw(NamedTuple):
    """A word as it is written."""

    line: int
    pieces: list[_Piece]

    @property
    def plain(self) -> str:
        """Its text before anything is replaced, empty where some of it is quoted."""
        return "" if any(each.quote for each in self.pieces) else "".join(each.text for each in self.pieces)


class Reader:
    """The commands of a script in order. Those that need a shell are in `findings`."""

    def __init__(self, file: str, text: str) -> None:
        self.findings: list[Finding] = []
        self._file = file
        self._known: dict[str, str] = {}
        self._read, self._depth, self._again = 0, 0, 0
        self._statements = [*self._split(text)]
        self._ends = _ends_of_loops(self._statements)

    def statements(self) -> Iterator[list[Word]]:
        """Each statement with its words; one in a loop over words as often as it would run."""
        yield from self._run(0, len(self._statements))

    def _say(self, line: int, message: str, help_text: str) -> None:
        self.findings.append(Finding(line, "loss", message, help_text, self._file))

    def _split(self, text: str) -> Iterator[list[_Raw]]:
        words: list[_Raw] = []
        position, line, begun = 0, 1, True
        while position < len(text):
            if begun and text[position] == "#":
                end = text.find("\n", position)
                position = end if end >= 0 else len(text)
                continue
            match = _TOKEN.match(text, position)
            if match is None:
                message = "this is not a command line: No closing quotation"
                self.findings.append(Finding(line, "error", message, file=self._file))
                return
            kind = match.lastgroup
            if kind == "end":
                yield _finished(words)
                words = []
            elif kind not in ("space", "join"):
                if begun:
                    words.append(_Raw(line, []))
                _add(words[-1].pieces, match)
            # A line that goes on does not end a word, and what stands before it is still one.
            begun = kind in ("space", "end") or (kind == "join" and begun)
            line += match[0].count("\n")
            position = match.end()
        yield _finished(words)

    def _run(self, position: int, stop: int, *, maybe: bool = False) -> Iterator[list[Word]]:
        """`maybe`: a condition decides whether they run, so what they assign is not known."""
        depth = 0
        while position < stop:
            raw = _without_leads(self._statements[position])
            position += 1
            self._again += len(raw) if self._depth else 0
            head = raw[0].plain if raw else ""
            if head in _LOOPS:
                end = min(self._ends[position - 1], stop)
                yield from self._loop(raw, (position, end), maybe=maybe or depth > 0)
                position = end + 1
            elif head in ("if", "case"):
                depth += 1
                message = f"{head!r} is not evaluated: what it decides about is read as if it ran"
                self._say(raw[0].line, message, "remove what is not to run")
            elif head in _ENDS:
                depth -= 1
            elif raw and not self._assigns(raw, maybe=maybe or depth > 0):
                self._read += 1
                yield [word for each in raw for word in self._expand(each)]

    def _loop(self, raw: list[_Raw], body: tuple[int, int], *, maybe: bool) -> Iterator[list[Word]]:
        words = [*islice((word for each in raw[3:] for word in self._expand(each)), _MOST + 1)]
        literal = raw[0].plain == "for" and [each.plain for each in raw[2:3]] == ["in"]
        literal = literal and self._depth < _DEEPEST
        if not literal or any(each.unknown or _is_computed(each.text) for each in words):
            message = f"what {raw[0].plain!r} repeats here is left out: only a shell knows how often"
            self._say(
                raw[0].line, message, "write its commands one by one, or the words themselves after `in`"
            )
            return
        for word in words:
            if self._read > _MOST or self._again > _AGAIN:
                self._say(
                    raw[0].line, f"more than {_MOST:,} commands: the others are left out", "write fewer"
                )
                return
            self._known[raw[1].plain] = word.text
            self._read += 1
            self._depth += 1
            yield from self._run(*body, maybe=maybe)
            self._depth -= 1

    def _assigns(self, raw: list[_Raw], *, maybe: bool) -> bool:
        """Whether a statement only assigns variables; those with a value that is written are known."""
        declares = raw[0].plain in _DECLARES
        rest = raw[1:] if declares else raw
        found = [
            (each, _ASSIGNMENT.match(each.pieces[0].text)) for each in rest if each.pieces[0].quote == ""
        ]
        if len(found) < len(rest) or not all(match for _, match in found):
            return declares
        for each, match in found:
            name, value = (match[1], match[2]) if match else ("", "")
            whole = _Raw(each.line, [_Piece(value, ""), *each.pieces[1:]])
            text, unknown = self._joined(whole.pieces)
            if unknown or maybe or value.startswith("("):
                self._known.pop(name, None)
            else:
                self._known[name] = text
        return True

    def _joined(self, pieces: Sequence[_Piece]) -> tuple[str, bool]:
        before = self._again
        replaced = [self._replaced(each, before) for each in pieces]
        return "".join(text for text, _ in replaced), any(unknown for _, unknown in replaced)

    def _expand(self, raw: _Raw) -> Iterator[Word]:
        """The words that a word becomes: a variable that is not quoted may be several."""
        if len(raw.pieces) == 1 and not raw.pieces[0].quote and _REFERENCE.fullmatch(raw.plain):
            text, unknown = self._joined(raw.pieces)
            for each in [text] if unknown else text.split():
                yield Word(raw.line, each, unknown)
        else:
            yield Word(raw.line, *self._joined(raw.pieces))

    def _replaced(self, piece: _Piece, before: int) -> tuple[str, bool]:
        """A piece with variables that are known, and whether something else is left for a shell.

        `before`: how much was read again before the word of the piece.
        """
        if piece.quote in ("'", "\\"):
            return piece.text, False
        text = piece.text
        if piece.quote:
            text = _ESCAPED.sub(lambda match: "\0" if match[1] == "$" else match[1].strip("\n"), text)
        names = [match[1] or match[2] for match in _REFERENCE.finditer(text)]
        becomes = sum(len(self._known.get(name, "")) for name in names)
        if self._again - before + becomes > _LONGEST or self._again + becomes > _AGAIN:
            return text, True
        self._again += becomes
        text = _REFERENCE.sub(lambda match: self._known.get(match[1] or match[2], match[0]), text)
        return text.replace("\0", "$"), "$" in text or "`" in text


def _add(pieces: list[_Piece], match: re.Match[str]) -> None:
    """Add what was matched to a word; letters that are not quoted are one piece."""
    kind = str(match.lastgroup)
    text = match[0][1:-1] if kind == "single" else match[kind]
    quote = {"single": "'", "double": '"', "escape": "\\"}.get(kind, "")
    pieces.append(_Piece(text, quote))


def _finished(words: Iterable[_Raw]) -> list[_Raw]:
    return [each._replace(pieces=[*_whole(each.pieces)]) for each in words]


def _whole(pieces: Iterable[_Piece]) -> Iterator[_Piece]:
    """The parts of a word; letters that are not quoted are one."""
    for quoted, several in groupby(pieces, lambda each: bool(each.quote)):
        parts = [*several]
        yield from parts if quoted else [_Piece("".join(each.text for each in parts), "")]


def _without_leads(words: list[_Raw]) -> list[_Raw]:
    return words[1:] if words and words[0].plain in _LEADS else words


def _is_computed(text: str) -> bool:
    """Whether a shell makes several words of one: names of files, ranges."""
    inside = text.partition("{")[2].rpartition("}")[0]
    return bool(re.search(r"[*?\[]", text)) or "," in inside or ".." in inside


def _ends_of_loops(statements: Sequence[list[_Raw]]) -> dict[int, int]:
    """The statement that ends each loop, by the one that begins it."""
    ends: dict[int, int] = {}
    begun: list[int] = []
    for position, words in enumerate(statements):
        raw = _without_leads(words)
        head = raw[0].plain if raw else ""
        if head in _LOOPS:
            begun.append(position)
        elif head == "done" and begun:
            ends[begun.pop()] = position
    return {**dict.fromkeys(begun, len(statements)), **ends}
