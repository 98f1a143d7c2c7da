"""The contents of a state: resources, which of them hold data, and which are protected."""

import shlex
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from copy import deepcopy
from typing import Any, NamedTuple

from clusterprint.lifecycle.state_input import check_state
from clusterprint.resource_types import resource_type
from clusterprint.review.delta import blocks, get
from clusterprint.review.known import is_elsewhere

# A protection in the state that many types have.
_POLICY, _KEEPS, _LETS_GO = "deletion_policy", "PREVENT", "DELETE"


# What keeps data, where no provider does, says whether it may be lost (stacks/kept_data.py).
_GUARD, _MAY_BE_LOST = "terraform_data", "may_be_lost"

# What lies inside of a cluster, and goes with it.
_INSIDE = ("kubernetes_", "helm_")


class Resource(NamedTuple):
    """A resource in a state: the attributes of each of its instances, and what addresses it depends on."""

    address: str
    type: str
    instances: tuple[Mapping[str, Any], ...]
    needs: frozenset[str]

    @property
    def is_inside(self) -> bool:
        """Whether it lies inside of a cluster."""
        return self.type.startswith(_INSIDE)

    @property
    def is_guard(self) -> bool:
        """Whether it keeps data that it depends on."""
        return self.type == _GUARD and any(
            get(each, f"input.value.{_MAY_BE_LOST}") is not None for each in self.instances
        )

    @property
    def names(self) -> Iterator[str]:
        """The usual name of its instances."""
        for each in self.instances:
            name = each.get("name") or each.get("id")
            yield str(name if isinstance(name, str) and name else self.address)

    @property
    def data(self) -> str:
        """The data that only this resource has, in words; empty if none, or if it may be deleted."""
        known = resource_type(self.type)
        if known.data is None or known.data.is_copy:
            return ""
        if self.instances and all(is_elsewhere(known.data, each) for each in self.instances):
            return ""
        guard = known.protection
        is_to_go = guard is not None and guard.of_data and not guard.command
        if guard and is_to_go and all(each.get(guard.argument) == guard.freed for each in self.instances):
            return ""
        return known.data.what


class Inventory(NamedTuple):
    """All managed resources of one state, and the state itself as Terraform keeps it."""

    resources: tuple[Resource, ...]
    document: Mapping[str, Any]

    @property
    def data(self) -> tuple[Resource, ...]:
        """The resources that hold data."""
        return tuple(each for each in self.resources if each.data)

    @property
    def has_cluster(self) -> bool:
        """Whether there is a Kubernetes cluster in it."""
        return any(_is_cluster(each.type) for each in self.resources)

    @property
    def found_cluster(self) -> Mapping[str, Any] | None:
        """The Kubernetes cluster that is looked up rather than made: somebody else's."""
        return next(self._looked_up(_is_cluster), None)

    @property
    def images(self) -> tuple[str, ...]:
        """The images that were built for its machines, as gcloud names them: no state has them."""
        return tuple(
            shlex.join((str(image.get("name")), f"--project={found.get('project')}"))
            for found in self._looked_up(lambda kind: kind == "google_compute_images")
            for image in blocks(found, "images")
        )

    def _looked_up(self, is_wanted: Callable[[str], bool]) -> Iterator[Mapping[str, Any]]:
        """The results of data sources of the wanted types."""
        for each in self.document.get("resources") or ():
            if each.get("mode") == "data" and is_wanted(str(each.get("type"))):
                yield from (instance.get("attributes") or {} for instance in each.get("instances") or ())

    def kept_for(self, data: Iterable[Resource]) -> frozenset[str]:
        """Addresses of these resources, of their protections, and of all their dependencies."""
        needs = {each.address: each.needs for each in self.resources}
        kept: set[str] = set()
        waiting = [each.address for each in data]
        waiting += [each.address for each in self.resources if each.is_guard and each.needs & {*waiting}]
        while waiting:
            address = waiting.pop()
            if address not in kept:
                kept.add(address)
                waiting += needs.get(address, ())
        return frozenset(kept & needs.keys())

    def protections(self, *, with_data: bool, kept: frozenset[str]) -> list[tuple[str, str]]:
        """Protected resources that are to be destroyed: address and argument."""
        return [
            (each.address, name)
            for each in self.resources
            if each.address not in kept
            for name in _protected_by(each, with_data=with_data)
        ]

    def unprotected(self, *, with_data: bool, kept: frozenset[str]) -> dict[str, Any]:
        """The next version of the state, without protections of resources that are to be destroyed."""
        changed = deepcopy(dict(self.document))
        changed["serial"] = int(changed["serial"]) + 1
        for each in changed.get("resources") or ():
            if each["mode"] != "managed" or _address(each) in kept:
                continue
            for instance in each.get("instances") or ():
                if attributes := instance.get("attributes"):
                    attributes |= _going(each["type"], attributes, with_data=with_data)
        return changed

    def protected_as(self, before: "Inventory") -> dict[str, Any] | None:
        """The state with the protections that what is left in it had before; None if it has them all."""
        changed = deepcopy(dict(self.document))
        had = {
            (_address(each), instance.get("index_key")): instance.get("attributes") or {}
            for each in before.document.get("resources") or ()
            for instance in each.get("instances") or ()
        }
        for each in changed.get("resources") or ():
            for instance in each.get("instances") or ():
                was = had.get((_address(each), instance.get("index_key")), {})
                for name in _going(str(each.get("type")), was, with_data=True):
                    if name in was and instance.get("attributes"):
                        instance["attributes"][name] = was[name]
        if changed == self.document:
            return None
        changed["serial"] = int(changed["serial"]) + 1
        return changed


def _is_cluster(kind: str) -> bool:
    return resource_type(kind).diagram.box == "cluster"


class _Words(dict[str, Any]):
    """The values for a command, quoted for a shell."""

    def __getitem__(self, key: str) -> str:
        return shlex.quote(str(self.get(key, key.upper())))


def _protected_by(resource: Resource, *, with_data: bool) -> list[str]:
    """The arguments that keep any instance of a resource."""
    found: dict[str, None] = {}
    for each in resource.instances:
        going = _going(resource.type, each, with_data=with_data)
        found |= dict.fromkeys(name for name, value in going.items() if (each.get(name) or False) != value)
    return list(found)


def _going(kind: str, attributes: Mapping[str, Any], *, with_data: bool) -> Mapping[str, bool | str]:
    """The arguments to set on a resource before it can be deleted."""
    guard, going = resource_type(kind).protection, dict[str, bool | str]()
    if guard and not guard.command and (with_data or not guard.of_data):
        going[guard.argument] = guard.freed
    if with_data and attributes.get(_POLICY) == _KEEPS:
        going[_POLICY] = _LETS_GO
    return going


def guarded_by(kind: str) -> str:
    """The argument by which a cloud itself keeps a type of resource from being deleted; empty if none."""
    guard = resource_type(kind).protection
    return guard.argument if guard and guard.command else ""


class Guarded(NamedTuple):
    """A protection by the cloud: the address, the command that ends it, whether a blueprint can."""

    address: str
    command: str
    is_volume: bool


def guarded_in(plan: Mapping[str, Any]) -> list[Guarded]:
    """Resources that a plan would delete and the cloud itself protects.

    Not what a state says of it, which knows nothing of a command that has ended it since.
    """
    return [
        Guarded(str(each["address"]), guard.command.format_map(_Words(before)), guard.of_data)
        for each in plan.get("resource_changes") or ()
        if "delete" in each["change"]["actions"] and (guard := resource_type(each["type"]).protection)
        for before in (each["change"]["before"],)
        if guard.command and before.get(guard.argument) is True
    ]


def protected_in(plan: Mapping[str, Any]) -> list[str]:
    """Protected data that a plan would delete: its apply would fail halfway."""
    return [
        str(each["address"])
        for each in plan.get("resource_changes") or ()
        if "delete" in each["change"]["actions"] and _is_kept(each["type"], each["change"]["before"])
    ]


def _is_kept(kind: str, before: Mapping[str, Any]) -> bool:
    guard = resource_type(kind).protection
    by_guard = guard is not None and guard.of_data and not guard.freed and before.get(guard.argument) is True
    return by_guard or before.get(_POLICY) == _KEEPS


def read_inventory(document: Mapping[str, Any]) -> Inventory:
    """The resources of a state as `terraform state pull` prints it; empty for a state that does not exist.

    Raises EnvironmentFailure for what is no state.
    """
    check_state(document)
    resources = [each for each in document.get("resources") or () if each.get("mode") == "managed"]
    return Inventory(tuple(map(_resource, resources)), document)


def _resource(entry: Mapping[str, Any]) -> Resource:
    instances: Sequence[Mapping[str, Any]] = entry.get("instances") or ()
    return Resource(
        address=_address(entry),
        type=str(entry["type"]),
        instances=tuple(each.get("attributes") or {} for each in instances),
        needs=frozenset(str(need) for each in instances for need in each.get("dependencies") or ()),
    )


def _address(entry: Mapping[str, Any]) -> str:
    within = f"{entry['module']}." if entry.get("module") else ""
    return f"{within}{entry['type']}.{entry['name']}"
