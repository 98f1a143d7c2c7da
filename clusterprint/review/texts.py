"""Long texts in arguments (scripts, cloud-init, values of charts), decoded and shown as what changed."""

import base64
import binascii
import difflib
import re
import zlib

from clusterprint.masking import mask_thoroughly
from clusterprint.nodes.vm.bundle import folded
from clusterprint.review.model import DiffLine
from clusterprint.terraform_text import plain
from clusterprint.words import counted

# Lines around a change that are shown with it.
_AROUND = 2
# Longer than this, a diff no longer helps anybody; what is left out is counted.
_MOST_LINES = 400
_LONGEST_LINE = 500
# From here on, an exact comparison takes too long.
_LONG = 4_000
_MOST_BYTES = 4_000_000

_SCRIPT_NAMES = ("startup-script", "shutdown-script", "user-data", "user_data", "custom_data", "cloud-init")
_BASE64 = re.compile(r"[A-Za-z0-9+/\s]{40,}={0,2}\s*")
_ENCODED_HERE = re.compile(r"\$\{base64(?:gzip|encode)\(\"(.*)\"\)\}", re.DOTALL)
_GZIP = b"\x1f\x8b"


def readable(text: str, name: str) -> str | None:
    """The text to compare line by line: what is encoded is decoded; None if it is an ordinary value."""
    decoded = _decoded(text)
    if decoded is not None:
        return decoded
    script = name.rpartition(".")[2] in _SCRIPT_NAMES
    return plain(text) if "\n" in text.strip("\n") or script else None


def _decoded(text: str) -> str | None:
    here = _ENCODED_HERE.fullmatch(text)
    if here:
        return plain(here[1]).replace("\\n", "\n").replace('\\"', '"')
    if not _BASE64.fullmatch(text):
        return None
    try:
        raw = base64.b64decode("".join(text.split()), validate=True)
        if raw.startswith(_GZIP):
            # Bounded: a small archive may hold a huge text.
            raw = zlib.decompressobj(wbits=31).decompress(raw, _MOST_BYTES)
        decoded = raw.decode("utf-8")
    except (binascii.Error, zlib.error, UnicodeDecodeError):
        return None
    return decoded if decoded.isprintable() or "\n" in decoded else None


def diff_lines(before: str, after: str) -> tuple[DiffLine, ...]:
    """The changed part with some context, secrets masked, and our own files of machines in a line each."""
    old, new = (mask_thoroughly(folded(text)).splitlines() for text in (before, after))
    if old == new:
        return (DiffLine(sign="gap", text="the same but for values that are masked, or for line ends"),)
    lines: list[DiffLine] = []
    end = 0
    matcher = difflib.SequenceMatcher(None, old, new, autojunk=len(old) + len(new) > _LONG)
    for group in matcher.get_grouped_opcodes(_AROUND):
        lines += _gap(group[0][1] - end)
        for tag, i1, i2, j1, j2 in group:
            if tag == "equal":
                lines += [DiffLine(sign="same", text=_cut(each)) for each in old[i1:i2]]
                continue
            lines += [DiffLine(sign="removed", text=_cut(each)) for each in old[i1:i2]]
            lines += [DiffLine(sign="added", text=_cut(each)) for each in new[j1:j2]]
        end = group[-1][2]
    lines += _gap(len(old) - end)
    if len(lines) > _MOST_LINES:
        left_out = len(lines) - _MOST_LINES
        return (
            *lines[:_MOST_LINES],
            DiffLine(sign="gap", text=f"{counted(left_out, 'more line')} not shown"),
        )
    return tuple(lines)


def _gap(lines: int) -> list[DiffLine]:
    if lines <= 0:
        return []
    return [DiffLine(sign="gap", text=counted(lines, "unchanged line"))]


def _cut(line: str) -> str:
    return line if len(line) <= _LONGEST_LINE else f"{line[:_LONGEST_LINE]} ..."
