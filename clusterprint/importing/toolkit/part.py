"""A map inside a setting: keys that are read have a counterpart, all others are lost.

A key that is dropped because something else determines it needs a reason, which the blueprint's comment
shows.
"""

from typing import Any

from clusterprint.document import Place
from clusterprint.importing.source import Source
from clusterprint.importing.toolkit.deployment import Deployment
from clusterprint.importing.toolkit.expressions import Unresolved, referred
from clusterprint.importing.work import Line
from clusterprint.importing.write import quoted

#: What a switch may say.
SWITCH = (None, False, True, "false", "true")


class Part:
    """A map that keeps account of what was asked for; its values may be expressions."""

    def __init__(
        self, deployment: Deployment, origin: tuple[Source, Place], name: str, data: dict[str, Any]
    ) -> None:
        self._deployment = deployment
        self._source, self._place = origin
        self._name = name
        self._data = data
        self._asked: set[str] = set()
        self._parts: dict[str, list[Part]] = {}

    def __bool__(self) -> bool:
        return bool(self._data)

    def line(self, *below: str | int) -> Line:
        """Where a key stands, or the whole map."""
        return self._source.at((*self._place, *below))

    def _ask(self, key: str) -> Any:
        self._asked.add(key)
        found = self._data.get(key)
        self._deployment.used |= referred(found)
        return found

    def get(self, key: str, default: Any = None) -> Any:
        """The value of a key: a text, a number, a switch or a list of them."""
        try:
            found = self._deployment.values.resolve(self._ask(key))
        except Unresolved as why:
            message = f"{key} of {self._name}: {why}"
            self._deployment.work.say(self.line(key), "error", message, why.help)
            return default
        if isinstance(found, dict):
            self._deployment.work.say(self.line(key), "error", f"{key} of {self._name} is a map")
            return default
        return default if found is None else found

    def on(self, key: str) -> bool:
        """Whether a switch is on; off where it is left out."""
        found = self.get(key)
        if isinstance(found, list) or found not in SWITCH:
            message = f"{key} of {self._name} is neither true nor false"
            self._deployment.work.say(self.line(key), "error", message)
        return found in (True, "true")

    def raw(self, key: str) -> Any:
        """The value of a key with its variables inserted; as written if it has other expressions."""
        found = self._ask(key)
        try:
            return self._deployment.values.resolve(found)
        except Unresolved:
            return found

    @property
    def names(self) -> list[str]:
        """All keys, where they are names that somebody chose."""
        return [*self._data]

    def part(self, key: str) -> "Part":
        """The map that a key is, an empty one where it is none. Asked again, it is the same."""
        if key not in self._parts:
            found = self._ask(key)
            if found is not None and not isinstance(found, dict):
                self._deployment.work.say(self.line(key), "error", f"{key} of {self._name} is not a map")
                found = None
            self._parts[key] = [self._below(key, found or {}, ())]
        return self._parts[key][0]

    def parts(self, key: str) -> list["Part"]:
        """The maps that a key lists."""
        if key not in self._parts:
            found = self._ask(key)
            if found is not None and not (
                isinstance(found, list) and all(isinstance(each, dict) for each in found)
            ):
                self._deployment.work.say(
                    self.line(key), "error", f"{key} of {self._name} is not a list of maps"
                )
                found = None
            self._parts[key] = [self._below(key, each, (number,)) for number, each in enumerate(found or [])]
        return self._parts[key]

    def _below(self, key: str, data: dict[str, Any], number: Place) -> "Part":
        origin = (self._source, (*self._place, key, *number))
        return Part(self._deployment, origin, f"{key} of {self._name}", data)

    def same(self, key: str, *ours: Any) -> None:
        """A key that may only say what holds here anyway; anything else is a loss."""
        found = self.get(key)
        if found is not None and found not in ours:
            self.lose(key, found)

    def lose(self, key: str, found: Any, why: str = "") -> None:
        """Say of a key that what it says has no counterpart."""
        told = why or f"has no counterpart: {quoted(self._deployment.shown(found))}"
        self._deployment.work.say(self.line(key), "loss", f"{key} of {self._name} {told}")

    def follows(self, why: str, *keys: str) -> None:
        """Keys that cannot be said, as something else decides: the blueprint's comment names them."""
        for key in keys:
            if self._ask(key) is not None:
                self._deployment.follows(why, f"{key} of {self._name}")

    def left(self) -> None:
        """Say of all keys that nobody asked for that they have no counterpart."""
        for key, value in self._data.items():
            if key not in self._asked and value not in (None, "", [], {}):
                self._deployment.used |= referred(value)
                self.lose(key, value)
        for parts in self._parts.values():
            for part in parts:
                part.left()
