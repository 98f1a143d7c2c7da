"""Pages of documentation as what they promise: files, commands, and what those print.

A block of code is told apart by its language, and where that is not enough by a comment right above it, which
no reader sees:

    ```yaml title="team.yaml"             a file of the page's folder; a blueprint is validated
    ```console                            commands, which are run in that folder, and what they print
    <!-- not run: needs an account -->    commands that are only parsed: they exist, and so do their options
    <!-- exits with 1 -->                 the last command of the block fails, and is meant to
    <!-- wrong on purpose -->             a blueprint with problems
    <!-- part of: gke -->                 a part of a blueprint, laid over a small one of that kind
    <!-- part of: gke; with: GKE051 -->   the same, where this code says what else the whole blueprint needs
    <!-- no blueprint: a policy -->       YAML of another sort
    <!-- in a checkout -->                the folder has blueprints/, as this repository has

A line `...` of an output stands for any lines, `...` within a line for any text.
"""

import re
import shlex
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

_FENCE = re.compile(r"^( *)```(\w*)(.*)$")
_TOLD = re.compile(r"^ *<!-- (.+) -->$")
_TITLE = re.compile(r'title="([^"]+)"')
TELLINGS = {
    *("not run", "exits with", "wrong on purpose", "part of", "with", "no blueprint", "in a checkout"),
}


@dataclass(frozen=True)
class Block:
    """A block of code: where it begins, what it is, and what the comment above it tells of it."""

    line: int
    language: str
    title: str
    told: dict[str, str]
    lines: tuple[str, ...]

    @property
    def text(self) -> str:
        """Its content."""
        return "".join(f"{line}\n" for line in self.lines)


@dataclass(frozen=True)
class Command:
    """A line that a reader types, and what the page says that it prints; nothing if the page does not say."""

    line: int
    typed: str
    printed: tuple[str, ...]

    @property
    def words(self) -> list[str]:
        """As a shell splits it, without the comment at its end."""
        return shlex.split(self.typed, comments=True)


def blocks(page: Path) -> Iterator[Block]:
    """All blocks of code of a page."""
    lines = page.read_text("utf-8").splitlines()
    begun: Block | None = None
    indent = ""
    for number, line in enumerate(lines, 1):
        fence = _FENCE.match(line)
        if begun is None and fence:
            indent, language, rest = fence.groups()
            title = _TITLE.search(rest)
            begun = Block(number, language, title[1] if title else "", told_above(lines, number - 1), ())
        elif begun and line == f"{indent}```":
            yield begun
            begun = None
        elif begun:
            begun = replace(begun, lines=(*begun.lines, line.removeprefix(indent)))
    if begun:
        raise ValueError(f"{page}:{begun.line}: a block without an end")


def told_above(lines: list[str], fence: int) -> dict[str, str]:
    """The keywords of the comments right above a fence; `fence` is its index."""
    told: dict[str, str] = {}
    for line in reversed(lines[:fence]):
        comment = _TOLD.match(line)
        if comment is None and line.strip():
            break
        for each in re.split("; (?=with: )", comment[1]) if comment else ():
            key, _, value = each.partition(": ")
            if key.startswith("exits with "):
                key, value = "exits with", key.removeprefix("exits with ")
            if key not in TELLINGS:
                raise ValueError(f"nothing is known of a comment {each!r}")
            told[key] = value
    return told


def commands(block: Block) -> list[Command]:
    """The commands of a block, in their order."""
    found: list[Command] = []
    for number, line in enumerate(block.lines, block.line + 1):
        if line.startswith("$ "):
            found.append(Command(number, line.removeprefix("$ "), ()))
        elif not found:
            raise ValueError(f"line {number}: output without a command")
        elif found[-1].typed.endswith("\\") and not found[-1].printed:
            found[-1] = replace(found[-1], typed=f"{found[-1].typed[:-1]}{line.strip()}")
        else:
            found[-1] = replace(found[-1], printed=(*found[-1].printed, line))
    return found


def matches(promised: tuple[str, ...], printed: str) -> bool:
    """Whether an output is what the page shows."""
    pattern = ""
    for line in promised:
        if line.strip() == "...":
            pattern += r"(?:[^\n]*\n)*?"
        else:
            pattern += "[^\n]*".join(map(re.escape, line.rstrip().split("..."))) + r" *\n"
    ended = printed if not printed or printed.endswith("\n") else f"{printed}\n"
    return re.fullmatch(pattern, ended) is not None
