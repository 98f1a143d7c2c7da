"""Shared by readers of flat lists of variables."""

from collections.abc import Callable, Mapping
from typing import Any

from clusterprint.document import Place
from clusterprint.importing.source import Source, Word
from clusterprint.importing.work import Line, Work
from clusterprint.importing.write import quoted


class Fields:
    """The variables of one file, and the work that is done on them."""

    def __init__(self, work: Work, source: Source, given: Mapping[str, Any]) -> None:
        self.work = work
        self.source = source
        source.give(given)

    def at(self, name: str) -> Line:
        """Where a variable stands."""
        return self.source.at((name,))

    def get(self, name: str, shape: type | tuple[type, ...] = str, default: Any = None) -> Any:
        """The value of a variable, else the default; another type is an error."""
        found = self.source.take((name,))
        if found is None or found == "":
            return default
        # Terraform converts between texts, numbers and switches.
        if isinstance(found, str):
            found = Word(found).read_as(shape)
        elif shape is str and isinstance(found, bool | int):
            found = str(found).lower()
        if not isinstance(found, shape) or (isinstance(found, bool) and shape is int):
            self.work.say(self.at(name), "error", f"{name} has the wrong type: {quoted(found)}")
            return default
        return found

    def put(
        self,
        name: str,
        keys: Place,
        shape: type | tuple[type, ...] = str,
        change: Callable[[Any], Any] | None = None,
    ) -> None:
        """Write what a variable says, if it says anything."""
        found = self.get(name, shape)
        if found is not None:
            self.work.put(self.at(name), keys, change(found) if change else found)

    def required(self, name: str, keys: Place) -> None:
        """Write what a variable says; without it there is no blueprint."""
        if self.get(name) is None:
            self.work.say(
                self.at(name), "error", f"{name} is missing", f"add it, or give it with --var {name}=..."
            )
            return
        self.put(name, keys)

    def lose(self, name: str, why: str, help_text: str = "") -> None:
        """Say that a variable has no counterpart, if it says anything."""
        if self.source.take((name,)) not in (None, "", False, [], {}):
            self.work.say(self.at(name), "loss", f"{name} has no counterpart: {why}", help_text)

    def follows(self, why: str, *places: Place) -> None:
        """A setting that another one decides: the blueprint's comment shows it."""
        for place in places:
            found = self.source.take(place)
            if found not in (None, "", [], {}):
                name = ".".join(map(str, place))
                self.work.decide(f"{why}; not carried over: {name}: {quoted(found)}")

    def left(self) -> None:
        """Say of all that nobody asked for that it has no counterpart."""
        for place in self.source.left():
            name = ".".join(map(str, place))
            message = f"{name} has no counterpart: {quoted(self.source.look(place))}"
            self.work.say(self.source.at(place), "loss", message)

    def state(self, project: str) -> None:
        """The bucket for the state, which such files never name."""
        bucket = f"{self.work.data.get(project) or 'my-project'}-terraform-state"
        self.work.put(Line(0, self.source.file), ("backend", "gcs", "bucket"), bucket)
        self.work.decide(f"state is kept in the bucket {bucket}, which `clusterprint init state` creates")
