"""Texts that look like secrets, and texts that do not, made up when they are needed.

`tests/data/secrets.json` has one entry for each form, with places for the parts that would be random:
`{mixed:36}` is 36 letters and digits. So no scanner of secrets ever finds one in this repository. `{|}` is
nothing, and only keeps two words apart in the file.
"""

import base64
import json
import random
import re
import string
from functools import cache, lru_cache
from pathlib import Path
from typing import NamedTuple

_DATA = Path(__file__).parent / "data"
_ALPHABETS = {
    "mixed": string.ascii_letters + string.digits,
    "letters": string.ascii_letters,
    "lower": string.ascii_lowercase + string.digits,
    "upper": string.ascii_uppercase + string.digits,
    "digits": string.digits,
    "hex": "0123456789abcdef",
    "base64": string.ascii_letters + string.digits + "+/",
    "url": string.ascii_letters + string.digits + "-_",
    "b32": string.ascii_lowercase + "234567",
}
_PLACE = re.compile(r"\{(?:(?P<alphabet>[a-z0-9]+):(?P<length>[0-9]+)|encoded:(?P<encoded>[^}]*)|\|)\}")
# A random part that is shorter may stand in a report by chance.
SHORTEST = 10


class Secret(NamedTuple):
    """One made-up secret: what form, the text, the words for it, and the parts that nobody may see."""

    name: str
    text: str
    word: str
    hidden: tuple[str, ...]


@cache
def secrets() -> tuple[Secret, ...]:
    """A secret of each form."""
    return tuple(_secret(each) for each in _read("secrets.json"))


@cache
def others() -> tuple[tuple[str, str], ...]:
    """Names and texts of what is no secret."""
    return tuple((each["name"], _made(each["text"], each["name"])[0]) for each in _read("not_secrets.json"))


def seen(secret: Secret, output: str) -> list[str]:
    """The visible parts of a secret in an output: stretches of its random parts."""
    there = _stretches(output)
    return [each for part in secret.hidden for each in sorted(_stretches(part) & there)]


@lru_cache(maxsize=1_000)
def _stretches(text: str) -> frozenset[str]:
    """Every stretch of a text that is long enough to tell something."""
    return frozenset(text[start : start + SHORTEST] for start in range(len(text) - SHORTEST + 1))


def _read(name: str) -> list[dict[str, str]]:
    data: list[dict[str, str]] = json.loads((_DATA / name).read_text("utf-8"))
    return data


def _secret(entry: dict[str, str]) -> Secret:
    text, parts = _made(entry["example"], entry["name"])
    return Secret(entry["name"], text, entry["word"], tuple(each for each in parts if len(each) >= SHORTEST))


def _made(text: str, seed: str) -> tuple[str, list[str]]:
    """The text with its random parts, the same each time, and those parts."""
    source = random.Random(seed)  # noqa: S311 - it is no secret
    parts: list[str] = []

    def fill(match: re.Match[str]) -> str:
        if match["encoded"] is not None:
            return base64.b64encode(match["encoded"].encode()).decode()
        if match["alphabet"] is None:
            return ""
        parts.append(_body(source, match["alphabet"], int(match["length"])))
        return parts[-1]

    return _PLACE.sub(fill, text), parts


def _body(source: random.Random, alphabet: str, length: int) -> str:
    letters = _ALPHABETS[alphabet]
    body = [source.choice(letters) for _ in range(length)]
    if alphabet in {"mixed", "url"} and length >= SHORTEST:
        # As real ones nearly always have: a small letter, a capital one and a digit; and no sign at the ends.
        body[0], body[1], body[2], body[-1] = "k", "Q", "7", "z"
    return "".join(body)
