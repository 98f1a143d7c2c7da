"""The values of unquoted scalars: the core schema of YAML 1.2, and nothing of YAML 1.1.

`yes`, `on`, `1_000`, `12:30`, `2026-11-20` and `017` are text here; the schema step explains.
"""

import re
from math import isinf

from clusterprint.load.limits import MAX_INT, MIN_INT

Plain = str | int | float | bool | None

_WORDS: dict[str, bool | None] = {
    "": None,
    "~": None,
    "null": None,
    "Null": None,
    "NULL": None,
    "true": True,
    "True": True,
    "TRUE": True,
    "false": False,
    "False": False,
    "FALSE": False,
}
_MAY_BE_NUMBER = frozenset("+-.0123456789")
_DECIMAL = re.compile(r"[-+]?(?:0|[1-9][0-9]*)\Z")
_BASED = re.compile(r"0o[0-7]+\Z|0x[0-9a-fA-F]+\Z")
# A leading zero makes text of a decimal; then it makes text of a fraction, too.
_FLOAT = re.compile(r"[-+]?(?:\.[0-9]+|(?:0|[1-9][0-9]*)(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?\Z")
_NO_NUMBER = re.compile(r"[-+]?\.(?:inf|Inf|INF)\Z|\.(?:nan|NaN|NAN)\Z")
# Longer than any 64-bit number in any base; Python refuses to convert thousands of digits.
_LONGEST_INT = 66


class UnusableNumberError(ValueError):
    """A number that no cloud takes; the message completes "`123...` is ..."."""


def resolve(text: str) -> Plain:
    """The value of unquoted text; raises UnusableNumberError for .inf, .nan and numbers past 64 bits."""
    if text in _WORDS:
        return _WORDS[text]
    if text[0] not in _MAY_BE_NUMBER:
        return text
    if _DECIMAL.match(text):
        return _whole(text, 10)
    if _BASED.match(text):
        return _whole(text, 0)
    if _FLOAT.match(text):
        value = float(text)
        if isinf(value):
            raise UnusableNumberError("larger than a number can be")
        return value
    if _NO_NUMBER.match(text):
        raise UnusableNumberError("not a number that a blueprint can use")
    return text


def _whole(text: str, base: int) -> int:
    value = int(text, base) if len(text) <= _LONGEST_INT else MAX_INT + 1
    if not MIN_INT <= value <= MAX_INT:
        raise UnusableNumberError("a whole number that does not fit into 64 bits")
    return value
