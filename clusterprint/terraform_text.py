"""Text that Terraform and the engine take literally, whatever it looks like."""

import re
import struct

# Expressions for their own characters: what `literal` puts where nothing else keeps the engine's hands off.
_OWN = re.compile(r'\$\{"([^"\\]*)"\}')
_ESCAPED = re.compile(rf"\$\$\{{|%%\{{|{_OWN.pattern}")

# The engine's marks for values of its own: in texts, as elements of lists, as keys of maps.
_MARK = "{TfToken["
_WHOLE = frozenset({"String Map Token Value", "Any Map Token Value"})
# jsii encodes number tokens this way; see _NUMBER_MARKS for the two reserved ranges.
_NUMBER = re.compile(r"(?<![-|0-9.+])[-|0-9.+]+e[-|0-9.eE+]+")
_LEADING_NUMBER = re.compile(r"[-+]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][-+]?[0-9]+)?")
_NUMBER_MARKS = frozenset({0xFDFF, 0xFBFF})
# Its search starts again at each digit; a million of them in a row would take it an hour.
_LONG_RUN = re.compile(r"[-|0-9.+]{1000}")


def literal(text: str) -> str:
    """A text as a template that yields this text.

    To Terraform, `${` and `%{` begin expressions unless they are doubled. To the engine, its own marks stand
    for values even then; so those are written with an expression for a part of them.
    """
    if text in _WHOLE:
        return f'${{"{text}"}}'
    escaped = text.replace("${", "$${").replace("%{", "%%{")
    escaped = _LONG_RUN.sub(r'\g<0>${""}', escaped.replace(_MARK, f'{{${{"{_MARK[1:]}"}}'))
    return without_number_marks(escaped)


def without_number_marks(text: str) -> str:
    """The same text with no number in it that the engine takes for a value of its own."""
    return _NUMBER.sub(lambda found: _broken_up(found[0]), text)


def _broken_up(text: str) -> str:
    number = _LEADING_NUMBER.match(text)
    if (
        number is None
        or struct.unpack("<Q", struct.pack("<d", float(number[0])))[0] >> 48 not in _NUMBER_MARKS
    ):
        return text
    return text.replace("e", '${"e"}')


def plain(text: str) -> str:
    """The text that Terraform makes of a literal."""
    return _ESCAPED.sub(lambda found: found[1] if found[1] is not None else found[0][1:], text)
