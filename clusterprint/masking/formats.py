"""Formats of secrets, in `formats.json`, which hardly ever match anything else.

Why a table of our own: detect-secrets 1.5 takes 0.21 s to import (a whole `validate` takes 0.3 s), brings an
HTTP client, knows none of the forms of Azure (but one), Google, NVIDIA and Hugging Face, and its detectors of
entropy and of keywords report digests and names of secrets. The forms are written after what the issuers
publish and checked against collections that are well kept: the configuration of gitleaks 8, the detectors of
trufflehog 3 (read on 2026-11-26 and 2026-11-27) and the patterns of Microsoft's security-utilities (read on
2026-11-22). Forms of fixed length are taken from a lower length on, so that what was cut short, or is issued
longer one day, is recognized too.

Not here, because nothing tells them from ordinary text: bare hexadecimal or base64 (also a bare AWS secret
key or an old Azure key, which are recognized beside their name), passwords beside no name, and secrets inside
of base64 other than keys in PEM or JSON.
"""

import json
import re
from pathlib import Path
from typing import Any, NamedTuple


class Format(NamedTuple):
    """One form of a secret.

    `words` complete "what looks like ...". `marks` are how a match begins, in lower case: the pattern is
    compiled and tried only there, which keeps `validate` fast; with `anywhere` the mark is somewhere in the
    match. In the pattern the group `secret` is what must not be seen, by default everything. `source` is who
    says so.
    """

    words: str
    marks: tuple[str, ...]
    pattern: str
    source: str
    anywhere: bool = False


_DATA: dict[str, Any] = json.loads(Path(__file__).with_suffix(".json").read_text("utf-8"))
# What patterns are made of, by their names in braces; all are bounded, because hostile texts are long.
# - Nothing of a word stands before: WORD, DASHED (a task is no `sk-`, nor is `the-sk-`; the dashes of an
#   option are no word), BASE64 (a slash may be the one of a path before it); and END after it.
# - IS is between a name and its value: `=`, `:`, a comma in a list of arguments, or (as in a container's
#   environment) the name and the value as two keys. KEY ends the name of a key.
# - RANDOM is the value of a name that says whose secret it is: random to the eye, and no reference to one.
# - GAP, SEP, VALUE are the words of a command before an option, what follows it, and what is no variable.
_PARTS: dict[str, str] = _DATA["parts"]
_PART = re.compile(r"\{([A-Z][A-Z0-9]*)\}")


def written_out(pattern: str) -> str:
    """A pattern of the table as a regular expression."""
    return _PART.sub(lambda match: written_out(_PARTS[match[1]]), pattern)


def _format(entry: dict[str, Any]) -> Format:
    """`names` stands for a random value beside one of these names (and `_API_KEY`, `_TOKEN` and so on)."""
    names = entry.get("names", ())
    pattern = entry.get("pattern") or f"{{WORD}}(?i:(?:{'|'.join(names)}){{KEY}}){{IS}}{{RANDOM}}"
    marks = tuple(entry.get("begins") or entry.get("contains") or names)
    return Format(entry["what"], marks, pattern, entry["source"], "contains" in entry)


FORMATS = tuple(map(_format, _DATA["formats"]))
