"""The commands of a script that calls XPK, read and never run."""

import re
import shlex
from collections.abc import Container, Iterator
from typing import Any, NamedTuple

from clusterprint.importing.findings import Finding
from clusterprint.importing.source import Source

_XPK = re.compile(r"(?:.*/)?xpk(?:\.py)?")
_BEFORE = re.compile(r"(?:.*/)?python[0-9.]*|[A-Za-z_][A-Za-z0-9_]*=.*", re.DOTALL)
_VERB = 3  # words before the options: `xpk cluster create`
_SHELL = ("set", "cd")  # words of a script that say nothing about a cluster
#: Options that may stand several times, each with a value of its own.
_SEVERAL = ("env",)
#: Options whose value is a program for the pods: in single quotes, its variables are theirs.
_PROGRAMS = ("command",)


class Command(NamedTuple):
    """What is asked of XPK, `cluster create` for instance, with its options by name."""

    verb: str
    line: int
    source: Source


def read(file: str, text: str, given: Container[str]) -> tuple[list[Command], list[Finding]]:
    """The commands in the order of the script; what is none of XPK is lost, at its line.

    Options whose names are `given` have their values from elsewhere.
    """
    commands: list[Command] = []
    findings: list[Finding] = []
    for rows in _logical(text.replace("\r\n", "\n")):
        try:
            words = [(number, word) for number, row in rows for word in shlex.split(row, comments=True)]
        except ValueError as error:
            findings.append(Finding(rows[0][0], "error", f"this is not a command line: {error}", file=file))
            continue
        if not words or words[0][1] in _SHELL:
            continue
        start = next((at for at, (_, word) in enumerate(words) if not _BEFORE.fullmatch(word)), 0)
        if not _XPK.fullmatch(words[start][1]):
            message = f"{words[0][1]!r} is not a command of XPK"
            findings.append(Finding(rows[0][0], "loss", message, "do what it does beside the cluster", file))
            continue
        verb = " ".join(word for _, word in words[start + 1 : start + _VERB])
        source, more = _options(words[start:], file, "\n".join(row for _, row in rows))
        findings += (each for name, each in more if name not in given)
        commands.append(Command(verb, words[start][0], source))
    return commands, findings


def _logical(text: str) -> Iterator[list[tuple[int, str]]]:
    """Lines that belong to one command, by a backslash or an open quote; each row can be split by itself."""
    rows: list[tuple[int, str]] = []
    quoted: tuple[int, str] | None = None
    for number, line in enumerate(text.split("\n"), 1):
        begun, row = (quoted[0], f"{quoted[1]}\n{line}") if quoted else (number, line)
        quoted = None
        if _is_open(row):
            quoted = begun, row
            continue
        goes_on = row.endswith("\\") and not row.endswith("\\\\")
        rows.append((begun, row[:-1] if goes_on else row))
        if not goes_on:
            yield rows
            rows = []
    if rows or quoted:
        yield [*rows, *([quoted] if quoted else [])]


def _is_open(row: str) -> bool:
    """Whether a quote is not closed yet."""
    try:
        shlex.split(row.removesuffix("\\"), comments=True)
    except ValueError:
        return True
    return False


def _options(words: list[tuple[int, str]], file: str, raw: str) -> tuple[Source, list[tuple[str, Finding]]]:
    """The options by name, and what is wrong with each."""
    data: dict[str, Any] = {}
    lines: dict[tuple[str | int, ...], int] = {(): words[0][0]}
    findings: list[tuple[str, Finding]] = []
    taken = -1
    for position, (number, word) in enumerate(words):
        if position in (*range(_VERB), taken):
            continue
        if not word.startswith("--"):
            findings.append(("", Finding(number, "loss", f"{word!r} is not an option", file=file)))
            continue
        name, sign, value = word[2:].partition("=")
        follows = words[position + 1 :][:1]
        if not sign and follows and not follows[0][1].startswith("-"):
            value, taken = follows[0][1], position + 1
        if name in _SEVERAL:
            data.setdefault(name, []).append(value)
            lines[name, len(data[name]) - 1] = number
        else:
            data[name] = value or True
        lines.setdefault((name,), number)
        findings += ((name, each) for each in _unknown_to_us(name, value, number, file, raw))
    return Source(file, data, lines), findings


def _unknown_to_us(name: str, value: str, number: int, file: str, raw: str) -> Iterator[Finding]:
    """A value with variables is known only to the shell, unless it is for another one."""
    literal = name in _PROGRAMS and re.search(rf"--{name}(?:=|\s+)'", raw)
    if ("$" in value or "`" in value) and not literal:
        help_text = f"write its value, or give it with --var {name}=..."
        yield Finding(number, "error", f"--{name} is {value}, which a shell would evaluate", help_text, file)
