"""An env file, as `docker run --env-file` takes it: a variable on each line."""

import re
from collections.abc import Iterator
from typing import NamedTuple

from clusterprint.importing.findings import Finding

_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_QUOTES = "\"'"


class Variable(NamedTuple):
    """A variable that has a value, and the line that it stands on."""

    name: str
    value: str
    line: int
    file: str = ""


def read(text: str) -> tuple[dict[str, Variable], list[Finding]]:
    """The variables of a file, each once, and the lines that make no sense."""
    found: dict[str, Variable] = {}
    findings: list[Finding] = []
    for each in _lines(text.removeprefix("\ufeff")):
        if isinstance(each, Finding):
            findings.append(each)
        elif each.name in found:
            first = found[each.name].line
            findings.append(Finding(each.line, "error", f"{each.name} is on line {first} already"))
        elif each.value:
            found[each.name] = each
    return found, findings


def _lines(text: str) -> Iterator[Variable | Finding]:
    for number, line in enumerate(text.splitlines(), 1):
        stripped = line.strip()
        if not stripped or stripped.startswith("#"):
            continue
        name, sign, value = stripped.removeprefix("export ").partition("=")
        name = name.strip()
        if not _NAME.fullmatch(name):
            yield Finding(number, "error", "this is not NAME=value", "write one variable on each line")
        elif not sign:
            # docker would take it from the environment, which is another one on each machine
            yield Finding(number, "error", f"{name} has no value here", f"write {name}=...")
        else:
            yield Variable(name, bare(value.strip()), number)


def bare(value: str) -> str:
    """A value without the quotes around it, which docker would take for a part of it."""
    quoted = len(value) > 1 and value[0] == value[-1] and value[0] in _QUOTES
    return value[1:-1] if quoted else value
