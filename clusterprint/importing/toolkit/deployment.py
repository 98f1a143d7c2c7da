"""The variables of a blueprint of Cluster Toolkit and of its deployment file, and the work on both."""

import re
from typing import TYPE_CHECKING, Any

from clusterprint.document import Place
from clusterprint.importing.source import Source
from clusterprint.importing.toolkit.expressions import Unresolved, Variables, variable_of
from clusterprint.importing.work import Line, Work

if TYPE_CHECKING:
    from clusterprint.importing.toolkit.module import Module

_STAGED = re.compile(r"""\$\(ghpc_stage\(["']([^"']*)["']\)\)""")


class Deployment:
    """The variables that all modules share."""

    def __init__(self, work: Work, origins: dict[str, tuple[Source, Place]], values: dict[str, Any]) -> None:
        self.work = work
        self.origins = origins
        self.values = Variables(values)
        self.used: set[str] = set()
        self.modules: list[Module] = []
        #: The groups that each set of nodes of Slurm became.
        self.groups: dict[str, list[str]] = {}
        self._following: dict[str, list[str]] = {}

    def at(self, name: str) -> Line:
        """Where a variable has its value."""
        found = self.origins.get(name)
        return found[0].at(found[1]) if found else Line(0)

    def variable(self, name: str, default: Any = None) -> Any:
        """The value of a variable, else its default."""
        self.used.add(name)
        if self.values.get(name) is None:
            return default
        try:
            return self.values.resolve(self.values[name])
        except Unresolved as why:
            self.work.say(self.at(name), "error", f"vars.{name}: {why}", f"give it with --var {name}=...")
            return default

    def named(self, name: Any) -> "Module | None":
        """The module with an id."""
        return next((each for each in self.modules if each.id == name), None)

    def of(self, kind: str) -> "list[Module]":
        """The modules of a kind."""
        return [each for each in self.modules if each.kind == kind]

    def shown(self, raw: Any) -> Any:
        """An input as messages show it: its value, the path of a staged file, or as written."""
        try:
            return self.values.resolve(raw)
        except Unresolved:
            found = self.values.get(variable_of(raw), raw)
            staged = _STAGED.fullmatch(str(found).strip())
            return staged[1] if staged else found

    def follows(self, why: str, what: str) -> None:
        """Remember a setting that is not carried over, as something else decides."""
        self._following.setdefault(why, []).append(what)

    def decide(self) -> None:
        """Write down, for each reason, which settings something else decides."""
        for why, settings in self._following.items():
            self.work.decide(f"{why}; not carried over: {', '.join(dict.fromkeys(settings))}")
