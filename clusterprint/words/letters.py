"""Characters that look like others: typographic quotes, Cyrillic letters, spaces that are none.

They come from word processors, chats and web pages. A reader cannot tell them apart, a parser does.
"""

import re
import unicodedata
from typing import NamedTuple

DOUBLE_QUOTES = "\u201c\u201d\u201e\u201f\u00ab\u00bb"
SINGLE_QUOTES = "\u2018\u2019\u201a\u201b\u2032"
#: Nobody sees them, and some of them turn around what people see: no text that people write needs them.
INVISIBLE = "\u00ad\u180e\u200b\u200e\u200f\u202a-\u202e\u2060-\u2064\u2066-\u2069\ufeff"

_DASHES = "\u2010\u2011\u2012\u2013\u2014\u2212"
# The letters of other alphabets that most typefaces draw like Latin ones (Unicode's list of confusables).
_CYRILLIC = dict(zip("авеорсухкмтніјѕԁһԛԝАВЕКМНОРСТХІЈЅУ", "abeopcyxkmthijsdhqwABEKMHOPCTXIJSY", strict=True))
_GREEK = dict(zip("οανρικυτΑΒΕΖΗΙΚΜΝΟΡΤΥΧ", "oavpikutABEZHIKMNOPTYX", strict=True))
_PLAIN = {
    **dict.fromkeys(DOUBLE_QUOTES, '"'),
    **dict.fromkeys(SINGLE_QUOTES, "'"),
    **dict.fromkeys(_DASHES, "-"),
    **_CYRILLIC,
    **_GREEK,
}
_SPECIAL = re.compile(r"[^\x00-\x7f]")


class Odd(NamedTuple):
    """A character that looks like another one, at a position (from 1) in a text.

    `plain` is what it looks like: a space or one character of ASCII, or nothing if it cannot be seen.
    """

    position: int
    character: str
    plain: str

    @property
    def described(self) -> str:
        """The character, its code and its name in Unicode."""
        name = unicodedata.name(self.character, "a character without a name").lower()
        code = f"U+{ord(self.character):04X}"
        return f"`{self.character}` ({code}, {name})" if self.character.isprintable() else f"{code} ({name})"

    @property
    def help_text(self) -> str:
        """The help, as a sentence with its place."""
        does = {"": "remove it", " ": "write a plain space"}.get(self.plain, f"write a plain `{self.plain}`")
        return f"character {self.position} is {self.described}: {does}"


def find_odd(text: str) -> Odd | None:
    """The first character of a text that looks like a plain one, or like nothing, and is not."""
    for found in _SPECIAL.finditer(text):
        plain = _plain_of(found.group())
        if plain is not None:
            return Odd(found.start() + 1, found.group(), plain)
    return None


def make_plain(text: str) -> str:
    """The text as it looks: every character that looks like a plain one is that one."""
    return _SPECIAL.sub(lambda found: _or_itself(found.group()), text)


def _or_itself(character: str) -> str:
    plain = _plain_of(character)
    return character if plain is None else plain


def _plain_of(character: str) -> str | None:
    if character in _PLAIN:
        return _PLAIN[character]
    category = unicodedata.category(character)
    if category == "Cf":
        return ""
    if category == "Zs":
        return " "
    # Full-width letters and digits, and letters of mathematics.
    compatible = unicodedata.normalize("NFKC", character)
    return compatible if len(compatible) == 1 and compatible.isascii() else None
