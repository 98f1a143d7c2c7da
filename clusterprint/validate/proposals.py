"""A corrected text in place of a malformed one: what is tried, the schema itself decides."""

import re
from collections.abc import Iterator

from clusterprint import masking
from clusterprint.validate.validator import Schema, accepts
from clusterprint.words.letters import make_plain

# Longer ones are no names with a slip in them.
_LONGEST = 200
_UNITS = {"s": "s", "sec": "s", "m": "m", "min": "m", "h": "h", "hr": "h", "d": "d"}
_WORDS = ("second", "minute", "hour", "day")
_SECONDS = {"s": 1, "m": 60, "h": 3600, "d": 86_400}
_PARTS = re.compile(r"(?:[0-9]+[smhd] *)+")
_DURATION = re.compile(r"([0-9]+) *([a-z]+?)s?")
_WEEKS = re.compile(r"([0-9]+) *(?:w|weeks?)")
_ZONE = re.compile(r"([a-z]+-[a-z]+[0-9]+)([a-z])")
_ZONE_OF = re.compile(r"([a-z]+-[a-z]+[0-9]+)-[a-z]")
# Paths, expressions and assignments: no letter changed makes a name of them.
_MADE_OF_PARTS = re.compile(r"[/\\${}=]")
_ADDRESS = re.compile(r"[0-9]+(?:\.[0-9]+){3}")


def propose(text: str, schema: Schema) -> str:
    """The text that was most likely meant, as close to what was written as possible; empty if none is taken.

    Empty, too, for what looks like a secret: changed a little, it would be shown.
    """
    if len(text) > _LONGEST or masking.mask(text) != text:
        return ""
    for candidate in _candidates(make_plain(text).strip().strip("\"'")):
        if candidate and candidate != text and accepts(schema, candidate):
            return candidate
    return ""


# The name of a role of Google's without what it begins with: storage.objectViewer, editor.
_ROLE = re.compile(r"[a-z][A-Za-z]*(\.[A-Za-z]+)*")


def _candidates(text: str) -> Iterator[str]:
    yield text
    low = text.lower()
    yield low
    yield re.sub(r"\s*([/:.,@])\s*", r"\1", low)
    yield from _measures(low)
    yield _ZONE.sub(r"\1-\2", low)
    yield _ZONE_OF.sub(r"\1", low)
    if _ADDRESS.fullmatch(text) and not text.endswith(".0"):
        yield f"{text}/32"
    yield f"/{text}"
    if _ROLE.fullmatch(text):
        yield f"roles/{text}"
    without_scheme = re.sub(r"^[a-z]+://", "", low).strip("/")
    yield without_scheme
    if _MADE_OF_PARTS.search(without_scheme):
        return
    for separator in "-_":
        words = re.sub(rf"[^a-z0-9{separator}]+", separator, without_scheme)
        yield re.sub(rf"{separator}+", separator, words).strip("-_")


def _measures(text: str) -> Iterator[str]:
    """Durations as people write them."""
    if weeks := _WEEKS.fullmatch(text):
        yield f"{int(weeks[1]) * 7}d"
    elif _PARTS.fullmatch(text):
        parts = [(int(number), unit) for number, unit in re.findall(r"([0-9]+)([smhd])", text)]
        seconds = sum(number * _SECONDS[unit] for number, unit in parts)
        unit = min((unit for _, unit in parts), key=_SECONDS.__getitem__)
        yield f"{seconds // _SECONDS[unit]}{unit}"
    elif found := _DURATION.fullmatch(text):
        number, unit = found.groups()
        yield number + (unit[0] if unit in _WORDS else _UNITS.get(unit, unit))
