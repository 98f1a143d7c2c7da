"""A blueprint in the making, and where each part of it is from."""

from typing import Any, NamedTuple, Protocol

from clusterprint.document import Place as Keys
from clusterprint.importing.findings import Finding, Severity

# The keys of the first level in the order of other blueprints.
_ORDER = (
    *(
        "clusterprint",
        "kind",
        "name",
        "project",
        "subscription",
        "region",
        "location",
        "zone",
        "resource_group",
    ),
    *("labels", "tags", "backend", "cluster", "network", "system_pool", "nodes", "node_groups", "node_pools"),
)


class Origin(Protocol):
    """A line of a file."""

    @property
    def line(self) -> int:
        """Its number, from 1; 0 for a whole file."""

    @property
    def file(self) -> str:
        """The name of the file, empty where there is only one."""


class Line(NamedTuple):
    """An `Origin` and nothing else."""

    line: int
    file: str = ""


class Translated(NamedTuple):
    """The content of a blueprint, the line that each part is from, and findings about lines.

    `decisions` are sentences about what the input left open.
    """

    data: dict[str, Any]
    origins: dict[Keys, Origin]
    findings: list[Finding]
    decisions: list[str]
    action: str = ""


class Work:
    """A blueprint in the making."""

    def __init__(self, kind: str) -> None:
        self.data: dict[str, Any] = {"clusterprint": "v1", "kind": kind, "name": ""}
        self.origins: dict[Keys, Origin] = {}
        self.findings: list[Finding] = []
        self.decisions: list[str] = []
        self.action = ""

    def say(self, origin: Origin, severity: Severity, message: str, help_text: str = "") -> None:
        """Say something about a line."""
        self.findings.append(Finding(origin.line, severity, message, help_text, origin.file))

    def put(self, origin: Origin, keys: Keys, value: Any) -> None:
        """Write a value at a path of keys, and remember where it is from."""
        place = self.data
        for key in keys[:-1]:
            place = place.setdefault(str(key), {})
        place[str(keys[-1])] = value
        self.origins[keys] = origin

    def append(self, origin: Origin, keys: Keys, value: Any) -> None:
        """Write a value at the end of the list at a path of keys, and remember where it is from."""
        place = self.data
        for key in keys[:-1]:
            place = place.setdefault(str(key), {})
        items = place.setdefault(str(keys[-1]), [])
        items.append(value)
        self.origins[*keys, len(items) - 1] = origin

    def decide(self, sentence: str) -> None:
        """Remember what was decided, once."""
        if sentence not in self.decisions:
            self.decisions.append(sentence)

    def done(self) -> Translated:
        """All of it, in order."""
        order = {key: number for number, key in enumerate(_ORDER)}
        keys = sorted(self.data, key=lambda key: order.get(key, len(order)))
        data = {key: self.data[key] for key in keys}
        findings = sorted({*self.findings}, key=lambda each: (each.file, *each[:4]))
        return Translated(data, self.origins, findings, self.decisions, self.action)
