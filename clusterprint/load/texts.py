"""Bytes to text: UTF-8, and nothing invisible that could deceive a reader or a terminal."""

import re
import unicodedata
from codecs import BOM_UTF8

from clusterprint.diagnostic import Span
from clusterprint.load.codes import FORBIDDEN_CHARACTER, NOT_UTF8
from clusterprint.load.problem import Problem, Refused
from clusterprint.words.letters import INVISIBLE

LINE_END = re.compile("\r\n|\r|\n")

# Not printable in YAML, or what some programs take for a line end and others do not (U+0085, U+2028,
# U+2029), or what nobody sees: with it, a reviewer and a parser read different texts.
# (Python needs ten times as long to compile the same set told by what is allowed.)
_FORBIDDEN = re.compile(
    f"[\0-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff\ufffe\uffff{INVISIBLE}]"
)

_OTHER_ENCODINGS = (
    (b"\xff\xfe\x00\x00", "UTF-32"),
    (b"\x00\x00\xfe\xff", "UTF-32"),
    (b"\xff\xfe", "UTF-16"),
    (b"\xfe\xff", "UTF-16"),
)
_PLAIN_NAMES = {"\0": "NUL", "\x1b": "ESC", "\x7f": "DEL", "\ufeff": "byte order mark", "\x08": "backspace"}


def decode(raw: bytes) -> str:
    """The text of a file, without a byte order mark; raises Refused when it is not clean UTF-8."""
    for mark, name in _OTHER_ENCODINGS:
        if raw.startswith(mark):
            raise Refused(_other_encoding(name))
    raw = raw.removeprefix(BOM_UTF8)
    try:
        text = raw.decode("utf-8")
    except UnicodeDecodeError as error:
        raise Refused(_not_utf8(raw, error.start)) from None
    found = _FORBIDDEN.search(text)
    if found:
        raise Refused(_forbidden(text, found))
    return text


def decode_for_display(raw: bytes) -> str:
    """The text of a file that may not be UTF-8, good enough to show lines of it."""
    return raw.decode("utf-8-sig", errors="replace")


def position(text: str, index: int) -> tuple[int, int]:
    """Line and column, both from 1, of a place in the text."""
    ends = list(LINE_END.finditer(text, 0, index))
    return len(ends) + 1, index - (ends[-1].end() if ends else 0) + 1


def _other_encoding(name: str) -> Problem:
    return Problem(
        NOT_UTF8, f"the file is saved as {name}, a blueprint must be UTF-8", help="save it as UTF-8"
    )


def _not_utf8(raw: bytes, start: int) -> Problem:
    before = raw[:start].decode("utf-8")
    line, column = position(before, len(before))
    byte = raw[start]
    # What the byte most likely was before: the commonest other encoding of Western text.
    guess = bytes([byte]).decode("cp1252", errors="replace")
    was = f"; in Windows-1252 it would be `{guess}`" if guess.isprintable() and guess != "\ufffd" else ""
    return Problem(
        NOT_UTF8,
        f"byte 0x{byte:02X} is not valid UTF-8{was}",
        Span(line, column, line, column + 1),
        help="save the file as UTF-8",
    )


def _forbidden(text: str, found: re.Match[str]) -> Problem:
    character = found.group()
    if character == "\0" and text.count("\0") * 3 > len(text):
        return _other_encoding("UTF-16")
    line, column = position(text, found.start())
    name = _PLAIN_NAMES.get(character) or unicodedata.name(character, "").lower() or "a control character"
    return Problem(
        FORBIDDEN_CHARACTER,
        f"invisible character U+{ord(character):04X} ({name})",
        Span(line, column, line, column + 1),
        help=f'delete it; where it is meant, write "\\u{ord(character):04x}" in double quotes',
    )
