"""A module of a blueprint of Cluster Toolkit, and what a reader asks it."""

import re
from collections.abc import Iterator
from typing import Any

from clusterprint.document import Place
from clusterprint.importing.source import Source
from clusterprint.importing.toolkit.expressions import Unresolved, referred, resolve
from clusterprint.importing.work import Line, Work
from clusterprint.importing.write import quoted

_SOURCE = re.compile(r"(?:^|/)(?:community/)?modules/([-\w]+/[-\w]+)/?(?:\?.*)?$")


class Deployment:
    """The variables of a blueprint and of its deployment file, and the work that is done on both."""

    def __init__(self, work: Work, origins: dict[str, tuple[Source, Place]], values: dict[str, Any]) -> None:
        self.work = work
        self.origins = origins
        self.values = values
        self.used: set[str] = set()
        self.modules: list[Module] = []

    def at(self, name: str) -> Line:
        """Where a variable has its value."""
        found = self.origins.get(name)
        return found[0].at(found[1]) if found else Line(0)

    def variable(self, name: str, default: Any = None) -> Any:
        """What a variable says, the default where it has no value."""
        self.used.add(name)
        if self.values.get(name) is None:
            return default
        try:
            return resolve(self.values[name], self.values)
        except Unresolved as why:
            self.work.say(self.at(name), "error", f"vars.{name}: {why}", f"give it with --var {name}=...")
            return default

    def named(self, name: Any) -> "Module | None":
        """The module with an id."""
        return next((each for each in self.modules if each.id == name), None)


class Module:
    """One module; whatever is not asked of it is left, and told so by `left`."""

    def __init__(self, deployment: Deployment, source: Source, place: Place) -> None:
        self.deployment = deployment
        self.source = source
        self.place = place
        data = source.look(place)
        self.id = str(source.take((*place, "id")) or "")
        self.at = source.at((*place, "id"))
        text = str(source.take((*place, "source")) or "")
        match = _SOURCE.search(text)
        self.kind = match[1] if match else text
        use = source.take((*place, "use"))
        self.use = [str(each) for each in use] if isinstance(use, list) else []
        settings = data.get("settings")
        self.settings: dict[str, Any] = settings if isinstance(settings, dict) else {}
        source.take((*place, "outputs"))
        source.take((*place, "kind"))

    def uses(self, *kinds: str) -> "Iterator[Module]":
        """The modules of some kinds that this one uses."""
        for name in self.use:
            found = self.deployment.named(name)
            if found and found.kind in kinds:
                yield found

    def _place(self, name: str) -> Place:
        return (*self.place, "settings", name)

    def line(self, name: str) -> Line:
        """Where a setting stands: in the module, or as a variable of its name."""
        if name in self.settings or name not in self.deployment.origins:
            return self.source.at(self._place(name))
        return self.deployment.at(name)

    def get(self, name: str, default: Any = None) -> Any:
        """What a setting says; where it is left out, a variable of its name counts."""
        if name not in self.settings:
            return self.deployment.variable(name, default) if name in self.deployment.values else default
        raw = self.source.take(self._place(name))
        self.deployment.used |= referred(raw)
        if raw is None:
            return default
        try:
            found = resolve(raw, self.deployment.values)
        except Unresolved as why:
            names = [each for each in referred(raw) if self.deployment.values.get(each) is None]
            help_text = (
                f"give it with --var {min(names)}=..., or in a deployment file"
                if names
                else "write what comes of it"
            )
            self.deployment.work.say(self.line(name), "error", f"{name} of {self.id}: {why}", help_text)
            return default
        return default if found is None else found

    def maps(self, name: str) -> list[dict[str, Any]]:
        """The maps that a setting lists; another shape is an error."""
        return self._shaped(name, dict)

    def map(self, name: str) -> dict[str, Any]:
        """The map that a setting is; another shape is an error."""
        found = self.get(name, {})
        if isinstance(found, dict):
            return found
        self.deployment.work.say(self.line(name), "error", f"{name} of {self.id} is no map")
        return {}

    def texts(self, name: str) -> list[str]:
        """The texts that a setting lists; another shape is an error."""
        return self._shaped(name, str)

    def _shaped(self, name: str, shape: type) -> list[Any]:
        found = self.get(name, [])
        if isinstance(found, list) and all(isinstance(each, shape) for each in found):
            return found
        what = "maps" if shape is dict else "texts"
        self.deployment.work.say(self.line(name), "error", f"{name} of {self.id} is no list of {what}")
        return []

    def raw(self, name: str) -> Any:
        """What is written for a setting, with its references."""
        found = self.source.take(self._place(name))
        self.deployment.used |= referred(found)
        return found

    def follows(self, *names: str) -> None:
        """Settings that say what follows from something else anyway."""
        for name in names:
            if name in self.settings:
                self.raw(name)
            else:
                self.deployment.used.add(name)

    def put(self, name: str, keys: Place, change: Any = None) -> None:
        """Write what a setting says, if it says anything; `change` makes our word of theirs."""
        found = self.get(name)
        if found is not None:
            self.deployment.work.put(self.line(name), keys, change(found) if change else found)

    def into(self, data: dict[str, Any], name: str, key: str, change: Any = None) -> None:
        """The same, into a part that is written later."""
        found = self.get(name)
        if found is not None:
            data[key] = change(found) if change else found

    def lose(self, name: str, why: str, help_text: str = "") -> None:
        """Say of a setting that it has no counterpart, if it says anything."""
        found = self.get(name)
        if found not in (None, False, "", [], {}):
            self.deployment.work.say(self.line(name), "loss", f"{name} of {self.id}: {why}", help_text)

    def gone(self, why: str, help_text: str = "") -> None:
        """Say of the whole module that it has no counterpart."""
        self.source.take(self.place)
        self.deployment.used |= referred(self.settings)
        self.deployment.work.say(self.at, "loss", f"{self.id} ({self.kind}): {why}", help_text)

    def left(self) -> None:
        """Say of all settings that nobody asked for that they have no counterpart."""
        for name in self.settings:
            place = self._place(name)
            for each in self.source.left(place):
                value = self.source.look(each)
                self.deployment.used |= referred(value)
                if value in (False, "") or self._is_off(value):
                    continue
                below = ".".join(str(key) for key in each[len(self.place) + 1 :])
                message = f"{below} of {self.id} ({self.kind}) has no counterpart: {quoted(value)}"
                self.deployment.work.say(self.source.at(each), "loss", message)

    def _is_off(self, value: Any) -> bool:
        try:
            return resolve(value, self.deployment.values) in (False, None, "", [], {})
        except Unresolved:
            return False
