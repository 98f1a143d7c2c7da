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
        """What a variable says, empty where it is not there."""
        found = self.variables.get(name)
        return found.value if found else ""
