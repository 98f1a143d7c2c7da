"""Text from a blueprint, made safe to print.

A blueprint is input: it must not move the cursor, recolour the terminal, reverse the order of letters or
begin a line of output.
"""

from functools import cache
from unicodedata import category, combining, east_asian_width

TAB = "    "

# Control, format (bidirectional overrides, zero width), surrogates, line and paragraph separators.
_HIDDEN = {"Cc", "Cf", "Cs", "Zl", "Zp"}


def visible(text: str) -> str:
    """The text in one line, with everything that cannot be seen written as an escape."""
    return text if text.isascii() and text.isprintable() else "".join(map(shown, text))


@cache
def shown(character: str) -> str:
    """How one character is shown."""
    if character.isprintable():
        return character
    if category(character) in _HIDDEN:
        return character.encode("unicode_escape").decode("ascii")
    return character


@cache
def width(character: str) -> int:
    """How many columns of a terminal a character takes, as it is shown."""
    if shown(character) != character:
        return len(shown(character))
    if combining(character) or category(character) in ("Mn", "Me"):
        return 0
    return 2 if east_asian_width(character) in ("W", "F") else 1
