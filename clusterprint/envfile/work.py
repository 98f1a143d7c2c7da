"""A blueprint in the making, and where each part of it is from."""

from collections.abc import Mapping
from typing import Any, NamedTuple

from clusterprint.document import Place as Keys
from clusterprint.envfile.findings import Finding
from clusterprint.envfile.read import Variable


class Translated(NamedTuple):
    """What a blueprint would say, which line each part is from, and what there is to say about lines."""

    data: dict[str, Any]
    origins: dict[Keys, Variable]
    findings: list[Finding]
    action: str


class Work:
    """A blueprint in the making."""

    def __init__(self, variables: Mapping[str, Variable]) -> None:
        self.variables = variables
        self.data: dict[str, Any] = {}
        self.origins: dict[Keys, Variable] = {}
        self.findings: list[Finding] = []
        self.action = ""

    def value(self, name: str) -> str:
        """What a variable says, empty where it is not there."""
        found = self.variables.get(name)
        return found.value if found else ""

    def say(self, variable: Variable, severity: Any, message: str, help_text: str = "") -> None:
        """Say something about the line of a variable."""
        self.findings.append(Finding(variable.line, severity, message, help_text))

    def put(self, variable: Variable, keys: tuple[str, ...], value: Any) -> None:
        """Write a value at a path of keys, and remember where it is from."""
        place = self.data
        for key in keys[:-1]:
            place = place.setdefault(key, {})
        place[keys[-1]] = value
        self.origins[keys] = variable

    def done(self) -> Translated:
        """All of it, in order."""
        return Translated(self._ordered(), self.origins, sorted(self.findings), self.action)

    def _ordered(self) -> dict[str, Any]:
        """The keys in the order of other blueprints."""
        first = ("project", "region", "zone", "labels", "backend", "nodes")
        head = {"clusterprint": "v1", "kind": "vm", "name": self.data.get("name", "")}
        rest = {key: self.data[key] for key in (*first, *self.data) if key in self.data}
        return {**head, **rest}
