"""Parts of a page in Markdown."""

import re
from collections.abc import Iterable, Sequence
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent


def page(parts: Iterable[str], *sources: str, up: str = "../..") -> str:
    """A page that names its sources at its end; `up` is the path from it to the repository."""
    links = " and ".join(f"[{source}]({up}/{source})" for source in sources)
    footer = f"---\n\n*Generated from {links}.*"
    return "\n\n".join([*(part for part in parts if part), footer]) + "\n"


def table(heading: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """Rows as a Markdown table."""
    lines = [heading, ["---"] * len(heading), *rows]
    return "\n".join(f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in line)} |" for line in lines)


def code_block(text: str, language: str) -> str:
    """Text as it is."""
    return f"```{language}\n{text.rstrip()}\n```"


def prose(text: str) -> str:
    """Plain text as Markdown: what looks like markup outside of `code` is none."""
    parts = text.split("`")
    parts[::2] = [re.sub(r"([*<\[])", r"\\\1", part) for part in parts[::2]]
    return "`".join(parts)
