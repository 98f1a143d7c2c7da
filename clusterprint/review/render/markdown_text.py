"""Text that others wrote, made harmless in Markdown: it ends no fence, no cell, no tag, and calls nobody."""

import re
from collections.abc import Callable, Iterable, Sequence

from clusterprint.render.visible import visible

_MARKUP = re.compile(r"([\\`*_\[\]#|~$])")
# Forges look for names after @, for issues after # and !, and for addresses, in the text that comes out of
# Markdown: no escape of Markdown's helps, but in code they look for nothing. `://` and `www.` are looked for
# as they are, and what comes after may be nearly anything; so a whole word becomes code.
_CALL = re.compile(r"[@#!]\w|GH-\d|://|www\.", re.IGNORECASE)
_WORD = re.compile(r"\S+")
_BEFORE, _AFTER = "([\"'", ".,:;)]\"'"


def prose(text: str) -> str:
    """Plain text as Markdown: what looks like markup is none, on one line; addresses are code."""
    return _calm(text, lambda part: _MARKUP.sub(r"\\\1", _escaped(part)), code)


def html(text: str) -> str:
    """Plain text inside of HTML, where Markdown is not read; addresses are code."""
    made = _calm(text, _escaped, lambda word: f"<code>{_escaped(word)}</code>")
    return made.replace('"', "&quot;")


def _calm(text: str, plain: Callable[[str], str], quiet: Callable[[str], str]) -> str:
    shown = visible(text)
    parts: list[str] = []
    end = 0
    for match in _WORD.finditer(shown):
        word = match[0].lstrip(_BEFORE)
        start = match.end() - len(word)
        word = word.rstrip(_AFTER)
        if _CALL.search(word):
            parts += (plain(shown[end:start]), quiet(word))
            end = start + len(word)
    return "".join([*parts, plain(shown[end:])])


def _escaped(text: str) -> str:
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def code(text: str) -> str:
    """Text as code within a line or a cell; empty stays empty."""
    shown = visible(text)
    if not shown.strip():
        return ""
    ticks = _ticks(shown, 1)
    pad = " " if shown.startswith(("`", " ")) or shown.endswith(("`", " ")) else ""
    # A cell ends at a bar, even inside of code.
    return f"{ticks}{pad}{shown}{pad}{ticks}".replace("|", "\\|")


def fence(text: str, language: str) -> str:
    """Lines as a block of code that nothing in them can end."""
    lines = "\n".join(visible(line) for line in text.split("\n"))
    ticks = _ticks(lines, 3)
    return f"{ticks}{language}\n{lines}\n{ticks}"


def _ticks(text: str, least: int) -> str:
    longest = max((len(run) for run in re.findall("`+", text)), default=0)
    return "`" * max(least, longest + 1)


def table(heading: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """Cells that are Markdown already, as a table."""
    lines = [heading, ["---"] * len(heading), *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)
