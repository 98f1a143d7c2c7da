"""Values of Terraform variables (tfvars): literals only, as Terraform takes them, each with its line.

Libraries that read HCL lose the lines of attributes, and evaluate; this reads constants and nothing else.
"""

import re
from bisect import bisect_left
from decimal import Decimal
from typing import Any

from clusterprint.document import Place
from clusterprint.importing.findings import Finding
from clusterprint.importing.source import Source, Word

_SPACE = re.compile(r"(?:[ \t\r]|#[^\n]*|//[^\n]*|/\*.*?\*/)*", re.DOTALL)
_LINES = re.compile(r"(?:\s|#[^\n]*|//[^\n]*|/\*.*?\*/)*", re.DOTALL)
_NAME = re.compile(r"[^\W\d][\w-]*")
_NUMBER = re.compile(r"-?[0-9]+(?:\.[0-9]+)?(?:[eE][-+]?[0-9]+)?")
_STRING = re.compile(r'"((?:[^"\\\n]|\\.)*)"')
_HEREDOC = re.compile(r"<<(-?)([A-Za-z_]\w*)[ \t]*\r?\n(.*?)^[ \t]*\2[ \t]*$", re.DOTALL | re.MULTILINE)
# What is not itself in a text; what is in heredocs, which have no backslashes.
_ESCAPED = re.compile(r"\$\$\{|%%\{|\$\{|%\{|\\(?:u([0-9A-Fa-f]{4})|U([0-9A-Fa-f]{8})|.)")
_DOUBLED = re.compile(r"\$\$\{|%%\{|\$\{|%\{")
_ESCAPES = {r"\n": "\n", r"\r": "\r", r"\t": "\t", r"\"": '"', r"\\": "\\", "$${": "${", "%%{": "%{"}
# Numbers of more digits, or with a larger exponent, are nobody's.
_DIGITS = 40
_WORDS = {"true": True, "false": False, "null": None}
_DEEPEST = 20


class _Wrong(Exception):  # noqa: N818 - it is the text that is wrong
    """The expression at a position that is no value."""

    def __init__(self, position: int, message: str) -> None:
        super().__init__(message)
        self.position = position


class _Reader:
    """A text and how far it was read."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.position = 0
        self.lines: dict[Place, int] = {}
        self._ends = [match.start() for match in re.finditer("\n", text)]

    def line(self, position: int) -> int:
        """The number of a line."""
        return bisect_left(self._ends, position) + 1

    def skip(self, *, lines: bool) -> None:
        """Go past space and comments."""
        match = (_LINES if lines else _SPACE).match(self.text, self.position)
        self.position = match.end() if match else self.position

    def match(self, pattern: re.Pattern[str]) -> re.Match[str] | None:
        """The text at the position that matches a pattern; moves past it."""
        found = pattern.match(self.text, self.position)
        if found:
            self.position = found.end()
        return found

    def sign(self, sign: str) -> bool:
        """Whether a sign stands here; read on after it."""
        if self.text.startswith(sign, self.position):
            self.position += len(sign)
            return True
        return False

    def attribute(self, place: Place, signs: str) -> tuple[str, Any]:
        """`name = value`."""
        start = self.position
        name = self.match(_NAME) or self.match(_NUMBER)
        quoted = None if name else self.match(_STRING)
        if not name and not quoted:
            raise _Wrong(start, "the name of a variable is expected here")
        key = name[0] if name else _literal(start, quoted[1], _ESCAPED) if quoted else ""
        self.lines[*place, key] = self.line(start)
        self.skip(lines=False)
        if not any(self.sign(each) for each in signs):
            raise _Wrong(start, f"{key} is not a variable with a value; write {key} = ...")
        self.skip(lines=False)
        return key, self.value((*place, key))

    def file(self, data: dict[str, Any]) -> None:
        """All variables, into a map."""
        self.skip(lines=True)
        while self.position < len(self.text):
            start = self.position
            key, value = self.attribute((), "=")
            if key in data:
                raise _Wrong(start, f"{key} is here twice")
            data[key] = value
            self.end("\n")
            self.skip(lines=True)

    def end(self, signs: str) -> None:
        """Go to the end of an attribute, where one of some signs is."""
        self.skip(lines=False)
        if self.text[self.position : self.position + 1] not in signs:
            raise _Wrong(
                self.position, f"a {'comma or ' if ',' in signs else ''}new line is missing before this"
            )

    def value(self, place: Place) -> Any:
        """A value, and all that is in it."""
        start = self.position
        self.lines.setdefault(place, self.line(start))
        if len(place) > _DEEPEST:
            raise _Wrong(start, "this is nested too deeply")
        if self.sign("["):
            return self._list(place)
        if self.sign("{"):
            return self._map(place)
        if heredoc := self.match(_HEREDOC):
            return _literal(start, _heredoc(heredoc), _DOUBLED)
        if string := self.match(_STRING):
            return _literal(start, string[1], _ESCAPED)
        if number := self.match(_NUMBER):
            return _number(start, number[0])
        word = self.match(_NAME)
        if word and word[0] in _WORDS:
            return _WORDS[word[0]]
        raise _Wrong(start, "this is not a constant; texts are in double quotes")

    def _list(self, place: Place) -> list[Any]:
        found: list[Any] = []
        while True:
            self.skip(lines=True)
            if self.sign("]"):
                return found
            found.append(self.value((*place, len(found))))
            self.skip(lines=True)
            if not self.sign(",") and not self.text.startswith("]", self.position):
                raise _Wrong(self.position, "a comma or ] is missing before this")

    def _map(self, place: Place) -> dict[str, Any]:
        found: dict[str, Any] = {}
        while True:
            self.skip(lines=True)
            if self.sign("}"):
                return found
            start = self.position
            key, value = self.attribute(place, "=:")
            if key in found:
                raise _Wrong(start, f"{key} is here twice")
            found[key] = value
            self.end(",}\n")
            self.sign(",")


def _literal(position: int, text: str, marks: re.Pattern[str]) -> str:
    """The value of a text; raises _Wrong where only an evaluation would tell."""

    def meaning(match: re.Match[str]) -> str:
        if match[0] in ("${", "%{"):
            raise _Wrong(position, "this is an expression; only constants are read")
        code = next(filter(None, match.groups()), "")
        found = _letter(int(code, 16)) if code else _ESCAPES.get(match[0], "")
        if not found:
            raise _Wrong(position, f"{match[0]} stands for no character; a backslash is \\\\")
        return found

    return marks.sub(meaning, text)


def _letter(code: int) -> str:
    """A character by its number; nothing for 0, half a pair, or a number that is too large."""
    try:
        return chr(code).encode().decode().strip("\0")
    except (OverflowError, ValueError):
        return ""


def _number(position: int, text: str) -> int | float:
    """A number, which is whole if its value is, however it is written."""
    exact = Decimal(text)
    if len(text) > _DIGITS or abs(exact.adjusted()) > _DIGITS:
        raise _Wrong(position, "this number is too large or too small")
    return int(exact) if exact == exact.to_integral_value() else float(exact)


def _heredoc(match: re.Match[str]) -> str:
    lines = match[3].splitlines()
    if match[1]:
        margin = min((len(each) - len(each.lstrip()) for each in lines if each.strip()), default=0)
        lines = [each[margin:] for each in lines]
    return "".join(f"{each}\n" for each in lines)


def from_tfvars(file: str, text: str) -> tuple[Source, list[Finding]]:
    """A file of variables and its errors; the lines before the first error are read."""
    reader, data = _Reader(text.removeprefix("\ufeff")), dict[str, Any]()
    findings: list[Finding] = []
    try:
        reader.file(data)
    except _Wrong as wrong:
        findings.append(Finding(reader.line(wrong.position), "error", str(wrong), file=file))
    return Source(file, data, reader.lines), findings


def value_of(text: str) -> Any:
    """A text as `terraform apply -var` reads it: a list, a map, a quoted text or a word. Raises ValueError.

    A word is a number or a switch where its variable is.
    """
    if not text.lstrip().startswith(("[", "{", '"', "<<")):
        return Word(text)
    source, findings = from_tfvars("", f"value = {text.strip()}\n")
    if findings or len(source.data) != 1:
        raise ValueError(findings[0].message if findings else "it is more than one value")
    return source.data["value"]
