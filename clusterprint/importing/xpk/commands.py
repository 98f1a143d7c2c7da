"""The commands of a script that calls XPK, read and never run."""

import re
from collections.abc import Container, Sequence
from typing import Any, NamedTuple

from clusterprint.importing.findings import Finding
from clusterprint.importing.source import Source
from clusterprint.importing.write import quoted
from clusterprint.importing.xpk.shell import Reader, Word

_XPK = re.compile(r"(?:.*/)?xpk(?:\.py)?")
_BEFORE = re.compile(r"(?:.*/)?python[0-9.]*|[A-Za-z_][A-Za-z0-9_]*=.*", re.DOTALL)
_VERB = 3  # words before the options: `xpk cluster create`
_SHELL = ("set", "cd", "echo", "sleep", "exit")  # words of a script that say nothing about a cluster
#: Options that may stand several times, each with a value of its own.
SEVERAL = ("env",)


class Command(NamedTuple):
    """A command of XPK, such as `cluster create`, with its options by name."""

    verb: str
    line: int
    source: Source


def read(file: str, text: str, given: Container[str]) -> tuple[list[Command], list[Finding]]:
    """The commands in the order of the script; what is none of XPK is lost, at its line.

    Options whose names are `given` have their values from elsewhere.
    """
    commands: list[Command] = []
    findings: list[Finding] = []
    reader = Reader(file, text.replace("\r\n", "\n"))
    for words in reader.statements():
        if not words or words[0].text in _SHELL:
            continue
        start = next((at for at, word in enumerate(words) if not _BEFORE.fullmatch(word.text)), 0)
        if not _XPK.fullmatch(words[start].text):
            message = f"{quoted(words[0].text)} is not a command of XPK"
            findings.append(
                Finding(words[0].line, "loss", message, "do what it does beside the cluster", file)
            )
            continue
        verb = " ".join(word.text for word in words[start + 1 : start + _VERB])
        source, more = _options(words[start:], file)
        findings += (each for name, each in more if name not in given)
        commands.append(Command(verb, words[start].line, source))
    return commands, [*findings, *reader.findings]


def _options(words: Sequence[Word], file: str) -> tuple[Source, list[tuple[str, Finding]]]:
    """The options by name, and what is wrong with each."""
    data: dict[str, Any] = {}
    lines: dict[tuple[str | int, ...], int] = {(): words[0].line}
    findings: list[tuple[str, Finding]] = []
    taken = -1
    for position, word in enumerate(words):
        if position in (*range(_VERB), taken):
            continue
        if not word.text.startswith("--"):
            findings.append(("", Finding(word.line, "loss", f"{word.text!r} is not an option", file=file)))
            continue
        name, sign, value = word.text[2:].partition("=")
        unknown = word.unknown
        follows = words[position + 1 : position + 2]
        if not sign and follows and not follows[0].text.startswith("-"):
            value, taken, unknown = follows[0].text, position + 1, follows[0].unknown
        if name in SEVERAL:
            data.setdefault(name, []).append(value)
            lines[name, len(data[name]) - 1] = word.line
        else:
            data[name] = value or True
        lines.setdefault((name,), word.line)
        if unknown:
            message = f"--{name} is {value}, which a shell would evaluate"
            help_text = f"write its value, or give it with --var {name}=..."
            findings.append((name, Finding(word.line, "error", message, help_text, file)))
    return Source(file, data, lines), findings
