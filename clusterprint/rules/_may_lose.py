"""Helpers of rules about `storage.may_lose`: two places have to allow a loss."""

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, TypeAlias

from clusterprint.blueprint.disk_pools import DiskPool
from clusterprint.blueprint.part import Part
from clusterprint.rules._known import known, values
from clusterprint.rules.context import Context
from clusterprint.rules.rule import Finding

if TYPE_CHECKING:  # the volumes of another kind of blueprint are imported for types only
    from clusterprint.blueprint.azure_volumes import AzureVolume
    from clusterprint.blueprint.volumes import GoogleVolume

    Holder: TypeAlias = GoogleVolume | AzureVolume | DiskPool


def said_once(storage: Part, volumes: "Iterable[Holder]", context: Context) -> Iterator[Finding]:
    """Each volume about which one place says that it may be lost, and the other does not."""
    by_name = {name: volume for volume, name in known(volumes, lambda each: each.name)}
    listed = set()
    for index, name in values(storage, "may_lose"):
        listed.add(name)
        if name not in by_name:
            continue
        if not by_name[name].create:
            yield Finding(
                f"{_noun(by_name[name])} {name} was not created by this cluster, so it is never destroyed",
                context.at(storage, "may_lose", index),
                help=f"remove {name}",
            )
        elif by_name[name].deletion_protection:
            yield Finding(
                f"{_noun(by_name[name])} {name} is protected, though storage.may_lose names it",
                context.at(storage, "may_lose", index),
                also=(context.at(by_name[name], "name", text=f"this {_noun(by_name[name])}"),),
                help=f"add deletion_protection: false to the {_noun(by_name[name])}, or remove {name} here",
            )
    for name, volume in by_name.items():
        if volume.create and name not in listed and not volume.deletion_protection:
            yield Finding(
                f"{_noun(volume)} {name} is not protected, but storage.may_lose does not name it",
                context.at(volume, "deletion_protection"),
                help=f"add may_lose: [{name}] to storage, or remove deletion_protection: false",
            )


def _noun(part: "Holder") -> str:
    return "pool" if isinstance(part, DiskPool) else "volume"
