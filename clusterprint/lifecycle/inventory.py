"""The contents of a state: resources, which of them hold data, and which are protected."""

import shlex
from collections.abc import Iterable, Iterator, Mapping, Sequence
from copy import deepcopy
from typing import Any, NamedTuple

from clusterprint.lifecycle.state_input import check_state
from clusterprint.review.delta import blocks, get
from clusterprint.review.risks.data_loss import held_by, is_way

# Protections that only Terraform knows: providers look into the state before they delete. What to set there.
_IN_THE_STATE: dict[str, dict[str, bool]] = {
    "google_container_cluster": {"deletion_protection": False},
    "google_secret_manager_regional_secret": {"deletion_protection": False},
    "google_secret_manager_secret": {"deletion_protection": False},
}

# Those of data, which stay where data stays.
_OF_DATA: dict[str, dict[str, bool]] = {
    "google_compute_storage_pool": {"deletion_protection": False},
    "google_storage_bucket": {"force_destroy": True},
}
# The same, for whatever has it.
_POLICY, _KEEPS, _LETS_GO = "deletion_policy", "PREVENT", "DELETE"


class _Guard(NamedTuple):
    """A protection that the cloud itself keeps: its argument, and how that is ended."""

    argument: str
    command: str
    is_of_volumes: bool = False  # so that a blueprint can end it


_IN_THE_CLOUD = {
    "google_filestore_instance": _Guard(
        "deletion_protection_enabled",
        "gcloud filestore instances update {name} --no-deletion-protection --location={location} "
        "--project={project}",
        is_of_volumes=True,
    ),
    "google_compute_instance": _Guard(
        "deletion_protection",
        "gcloud compute instances update {name} --no-deletion-protection --zone={zone} --project={project}",
    ),
}

# What keeps data, where no provider does, says whether it may be lost (stacks/kept_data.py).
_GUARD, _MAY_BE_LOST = "terraform_data", "may_be_lost"

# What lies inside of a cluster, and goes with it.
_INSIDE = ("kubernetes_", "helm_")
CLUSTERS = ("google_container_cluster", "azurerm_kubernetes_cluster")


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
        """What people call its instances."""
        for each in self.instances:
            name = each.get("name") or each.get("id")
            yield str(name if isinstance(name, str) and name else self.address)

    @property
    def data(self) -> str:
        """What it holds that is nowhere else, in words; empty if nothing, or if it is to go with all that."""
        held = held_by(self.type)
        if held is None or self.type.startswith("kubernetes_secret"):
            return ""
        if self.instances and all(is_way(self.type, each) for each in self.instances):
            return ""
        going = _OF_DATA.get(self.type, {})
        if going and all(each.get(name) == value for each in self.instances for name, value in going.items()):
            return ""
        return held[1]


class Inventory(NamedTuple):
    """All managed resources of one state, and the state itself as Terraform keeps it."""

    resources: tuple[Resource, ...]
    document: Mapping[str, Any]

    @property
    def data(self) -> tuple[Resource, ...]:
        """What holds data."""
        return tuple(each for each in self.resources if each.data)

    @property
    def has_cluster(self) -> bool:
        """Whether there is a Kubernetes cluster in it."""
        return any(each.type in CLUSTERS for each in self.resources)

    @property
    def found_cluster(self) -> Mapping[str, Any] | None:
        """The Kubernetes cluster that is looked up rather than made: somebody else's."""
        return next(self._looked_up(*CLUSTERS), None)

    @property
    def images(self) -> tuple[str, ...]:
        """The images that were built for its machines, as gcloud names them: no state has them."""
        return tuple(
            shlex.join((str(image.get("name")), f"--project={found.get('project')}"))
            for found in self._looked_up("google_compute_images")
            for image in blocks(found, "images")
        )

    def _looked_up(self, *types: str) -> Iterator[Mapping[str, Any]]:
        """What data sources of these types have found."""
        for each in self.document.get("resources") or ():
            if each.get("mode") == "data" and each.get("type") in types:
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


class _Words(dict[str, Any]):
    """What a command is filled with, as one types it in a shell."""

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
    """What has to be set on a resource before it can be deleted."""
    of_data: Mapping[str, bool | str] = _OF_DATA.get(kind, {})
    if attributes.get(_POLICY) == _KEEPS:
        of_data = {**of_data, _POLICY: _LETS_GO}
    return {**_IN_THE_STATE.get(kind, {}), **(of_data if with_data else {})}


def guarded_by(kind: str) -> str:
    """The argument by which a cloud itself keeps a type of resource from being deleted; empty if none."""
    guard = _IN_THE_CLOUD.get(kind)
    return guard.argument if guard else ""


class Guarded(NamedTuple):
    """What the cloud itself protects: its address, the command that ends that, whether a blueprint can."""

    address: str
    command: str
    is_volume: bool


def guarded_in(plan: Mapping[str, Any]) -> list[Guarded]:
    """Resources that a plan would delete and the cloud itself protects.

    Not what a state says of it, which knows nothing of a command that has ended it since.
    """
    return [
        Guarded(str(each["address"]), guard.command.format_map(_Words(before)), guard.is_of_volumes)
        for each in plan.get("resource_changes") or ()
        if "delete" in each["change"]["actions"] and (guard := _IN_THE_CLOUD.get(each["type"]))
        for before in (each["change"]["before"],)
        if before.get(guard.argument) is True
    ]


def protected_in(plan: Mapping[str, Any]) -> list[str]:
    """Protected data that a plan would delete: its apply would fail halfway."""
    return [
        str(each["address"])
        for each in plan.get("resource_changes") or ()
        if "delete" in each["change"]["actions"] and _is_kept(each["type"], each["change"]["before"])
    ]


def _is_kept(kind: str, before: Mapping[str, Any]) -> bool:
    guard = _IN_THE_CLOUD.get(kind)
    return (
        before.get(_POLICY) == _KEEPS
        or (kind in _OF_DATA and before.get("deletion_protection") is True)
        or (guard is not None and guard.is_of_volumes and before.get(guard.argument) is True)
    )


def read_inventory(document: Mapping[str, Any]) -> Inventory:
    """What is in a state as `terraform state pull` prints it; nothing in one that is not there.

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
