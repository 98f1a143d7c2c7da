"""A module of a blueprint of Cluster Toolkit, and what a reader asks it."""

import re
from collections.abc import Iterator
from typing import Any

from clusterprint.document import Place
from clusterprint.importing.source import Source
from clusterprint.importing.toolkit.deployment import Deployment
from clusterprint.importing.toolkit.expressions import Unresolved, referred, variable_of
from clusterprint.importing.toolkit.part import SWITCH, Part
from clusterprint.importing.work import Line
from clusterprint.importing.write import quoted

_SOURCE = re.compile(r"(?:^|/)(?:community/)?modules/([-\w]+/[-\w]+)/?(?:\?.*)?$")
#: What a module does where neither its settings nor a variable say anything, as far as we would do otherwise.
_DEFAULTS: dict[str, dict[str, Any]] = {
    "scheduler/gke-cluster": {
        "release_channel": "UNSPECIFIED",
        "maintenance_start_time": "09:00",
        "enable_private_endpoint": True,
        "system_node_pool_node_count": {"total_min_nodes": 2, "total_max_nodes": 10},
    },
    "compute/gke-node-pool": {"disk_size_gb": 100, "threads_per_core": 0, "auto_upgrade": False},
    "compute/vm-instance": {
        "instance_image": {"project": "cloud-hpc-image-public", "family": "hpc-rocky-linux-8"},
        "disk_type": "pd-standard",
        "threads_per_core": 0,
    },
    "compute/schedmd-slurm-gcp-v6-nodeset": {"disk_type": "pd-standard", "disk_size_gb": 50},
    "scheduler/schedmd-slurm-gcp-v6-controller": {"disk_type": "pd-ssd", "disk_size_gb": 50},
    "scheduler/schedmd-slurm-gcp-v6-login": {"disk_type": "pd-ssd", "disk_size_gb": 50},
}
# What a variable of the deployment says for every module; the head of the blueprint has it.
_EVERYWHERE = ("project_id", "region", "zone", "deployment_name", "labels")


class Module:
    """One module. Whatever nobody asks of it is a loss, and told so by `left`: nothing can be forgotten."""

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
        self._asked: set[str] = set()
        self._parts: dict[str, list[Part]] = {}

    def uses(self, *kinds: str) -> "Iterator[Module]":
        """The modules of some kinds that this one uses."""
        for name in self.use:
            found = self.deployment.named(name)
            if found and found.kind in kinds:
                yield found

    def has(self, other: "Module") -> bool:
        """Whether this one uses another, or names an output of it."""
        return other.id in self.use or f"({other.id}." in str(self.settings)

    # ---- where something stands

    def _origin(self, name: str) -> tuple[Source, Place]:
        """Where the value of a setting is written: here, or in the variable that it names."""
        place = (*self.place, "settings", name)
        variable = variable_of(self.settings[name]) if name in self.settings else name
        return self.deployment.origins.get(variable, (self.source, place))

    def line(self, name: str) -> Line:
        """Where a setting stands: in the module, or as a variable of its name."""
        if name in self.settings or name not in self.deployment.origins:
            return self.source.at((*self.place, "settings", name))
        return self.deployment.at(name)

    def says(self, name: str) -> bool:
        """Whether a setting has a value, be it an expression."""
        return self.settings.get(name) is not None

    def leaves_out(self, name: str) -> bool:
        """Whether neither the module nor a variable of its name says anything, so that its default holds."""
        return not self.says(name) and self.deployment.values.get(name) is None

    # ---- what it says

    def _ask(self, name: str) -> Any:
        """The value written for a setting, with its references; a variable of its name counts."""
        self._asked.add(name)
        raw = self.settings.get(name) if name in self.settings else self.deployment.values.get(name)
        self.deployment.used |= {name, *referred(raw)}
        return _DEFAULTS.get(self.kind, {}).get(name) if raw is None else raw

    def get(self, name: str, default: Any = None) -> Any:
        """A text, number, switch or list of them; the default where a setting is left out."""
        found = self._resolved(name, self._ask(name))
        if isinstance(found, dict) or (
            isinstance(found, list) and any(isinstance(each, dict | list) for each in found)
        ):
            self._refuse(name, "is neither a value nor a list of values")
            return default
        return default if found is None else found

    def texts(self, name: str) -> list[str]:
        """The texts that a setting lists; another shape is an error."""
        found = self.get(name, [])
        if isinstance(found, list) and all(isinstance(each, str) for each in found):
            return found
        self._refuse(name, "is not a list of texts")
        return []

    def on(self, name: str) -> bool:
        """Whether a switch is on; off where it is left out. A text may say so, as in Terraform."""
        found = self.get(name)
        if isinstance(found, list) or found not in SWITCH:
            self._refuse(name, "is neither true nor false")
        return found in (True, "true")

    def _resolved(self, name: str, raw: Any) -> Any:
        try:
            return None if raw is None else self.deployment.values.resolve(raw)
        except Unresolved as why:
            self._refuse(name, f": {why}", why.help)
            return None

    def _refuse(self, name: str, why: str, help_text: str = "") -> None:
        message = f"{name} of {self.id}{why if why.startswith(':') else f' {why}'}"
        self.deployment.work.say(self.line(name), "error", message, help_text)

    def part(self, name: str) -> Part:
        """The map that a setting is, an empty one where it is left out. Asked again, it is the same."""
        if name not in self._parts:
            raw = self._structure(name)
            if raw is not None and not isinstance(raw, dict):
                self._refuse(name, "is not a map")
                raw = None
            self._parts[name] = [self._part(name, raw or {}, ())]
        return self._parts[name][0]

    def parts(self, name: str) -> list[Part]:
        """The maps that a setting lists."""
        if name not in self._parts:
            raw = self._structure(name)
            if raw is not None and not (
                isinstance(raw, list) and all(isinstance(each, dict) for each in raw)
            ):
                self._refuse(name, "is not a list of maps")
                raw = None
            self._parts[name] = [self._part(name, each, (number,)) for number, each in enumerate(raw or [])]
        return self._parts[name]

    def _structure(self, name: str) -> Any:
        """A map or list as it is written: here, or in the variable that is named."""
        found = self._ask(name)
        variable = variable_of(found)
        return self.deployment.values.raw(variable) if variable else found

    def _part(self, name: str, data: dict[str, Any], below: Place) -> Part:
        source, place = self._origin(name)
        return Part(self.deployment, (source, (*place, *below)), f"{name} of {self.id}", data)

    def refers(self, name: str) -> Any:
        """The references of a setting that only names other modules."""
        return self._ask(name)

    def settle(self, name: str) -> None:
        """Take the maps of a setting as a whole: what is said of it is said of all that is in them."""
        self._parts.pop(name, None)

    # ---- what becomes of it

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

    def follows(self, why: str, *names: str) -> None:
        """Settings that cannot be said, as something else decides: the blueprint's comment names them."""
        for name in names:
            self._ask(name)
            if self.says(name):
                self.deployment.follows(why, f"{name} of {self.id}")

    def same(self, name: str, *ours: Any, why: str = "", help_text: str = "") -> None:
        """A setting that may only say what holds here anyway; anything else is a loss."""
        found = self.get(name)
        if found is not None and found not in ours:
            told = f": {why}" if why else f" has no counterpart: {quoted(found)}"
            message = f"{name} of {self.id}{told}"
            self.deployment.work.say(self.line(name), "loss", message, help_text)

    def off(self, *names: str) -> None:
        """Switches of what there is not here: off is the same, on is a loss."""
        for name in names:
            self.same(name, False, "", [])

    def lost(self, name: str, why: str, help_text: str = "") -> None:
        """Say of a setting that it has no counterpart, whatever it says."""
        if self._ask(name) is not None:
            self.deployment.work.say(self.line(name), "loss", f"{name} of {self.id}: {why}", help_text)

    def gone(self, why: str, help_text: str = "") -> None:
        """Say of the whole module that it has no counterpart."""
        self.source.take(self.place)
        self._asked |= {*self.settings}
        self._parts.clear()
        self.deployment.used |= referred(self.settings)
        self.deployment.work.say(self.at, "loss", f"{self.id} ({self.kind}): {why}", help_text)

    def left(self) -> None:
        """Say of all settings that nobody asked for that they have no counterpart."""
        for name in _EVERYWHERE:
            if name in self.settings and name not in self._asked:
                self._own(name)
        for name, value in self.settings.items():
            self.deployment.used |= referred(value)
            if name not in self._asked and not self._is_nothing(value):
                shown = quoted(self.deployment.shown(value))
                message = f"{name} of {self.id} ({self.kind}) has no counterpart: {shown}"
                self.deployment.work.say(self.line(name), "loss", message)
        for parts in self._parts.values():
            for part in parts:
                part.left()
        self._keys()

    def _is_nothing(self, value: Any) -> bool:
        """Whether a setting says nothing, be it through a variable."""
        try:
            return self.deployment.values.resolve(value) in (None, "", [], {})
        except Unresolved:
            return variable_of(value).partition(".")[0] in self.deployment.values

    def _own(self, name: str) -> None:
        """Compare a module's own value with the deployment variable; report a loss if they differ."""
        everywhere, own = self.deployment.variable(name), self._resolved(name, self._ask(name))
        if own is not None and own != everywhere:
            told = f"{name} of {self.id}"
            if everywhere:
                message = f"{told}: it is that of the whole blueprint: {quoted(everywhere)}"
            else:
                message = f"{told} has no counterpart: {quoted(own)}"
            self.deployment.work.say(self.line(name), "loss", message)

    def _keys(self) -> None:
        """Keys of the module besides its settings: outputs and the kind say nothing about what is made."""
        for key, value in self.source.look(self.place).items():
            known = key in ("id", "source", "use", "settings", "outputs")
            if not known and not (key == "kind" and value == "terraform"):
                line = self.source.at((*self.place, key))
                message = f"{key} of {self.id} has no counterpart: {quoted(value)}"
                self.deployment.work.say(line, "loss", message)
