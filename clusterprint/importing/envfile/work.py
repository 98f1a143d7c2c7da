"""A blueprint in the making, from variables."""

from collections.abc import Mapping

from clusterprint.importing import work
from clusterprint.importing.envfile.read import Variable


class Work(work.Work):
    """A blueprint of kind vm in the making, from variables."""

    def __init__(self, variables: Mapping[str, Variable]) -> None:
        super().__init__("vm")
        self.variables = variables

    def value(self, name: str) -> str:
        """The value of a variable, empty if it is not set."""
        found = self.variables.get(name)
        return found.value if found else ""
