"""Helpers of rules about folders that are mounted on machines."""

from collections.abc import Iterable, Iterator
from pathlib import PurePosixPath
from typing import TYPE_CHECKING, TypeAlias

from msgspec import UNSET

from clusterprint.rules._known import known
from clusterprint.rules.context import Context
from clusterprint.rules.rule import Finding

if TYPE_CHECKING:  # the volumes of another kind of blueprint are imported for types only
    from clusterprint.blueprint.azure_volumes import AzureVolume
    from clusterprint.blueprint.volumes import GoogleVolume

    Mounted: TypeAlias = GoogleVolume | AzureVolume


def overlapping(items: "Iterable[Mounted]", context: Context) -> Iterator[Finding]:
    """Each that hides another one, or is hidden by it."""
    # What is mounted on a folder, and the first one that is mounted anywhere below it.
    on: dict[PurePosixPath, Mounted] = {}
    below: dict[PurePosixPath, Mounted] = {}
    for item, mount in known(items, lambda each: each.mount):
        if mount is UNSET:
            continue
        path = PurePosixPath(mount)
        around = next((on[parent] for parent in path.parents if parent in on), below.get(path))
        if other := on.get(path, around):
            how = "the same folder as" if path in on else "inside, or around, the mount of"
            yield Finding(
                f"volume {item.name} is mounted on {path}, {how} another volume",
                context.at(item, "mount"),
                also=(context.at(other, "mount", text=f"volume {other.name}"),),
                help="mount the volumes side by side, for example on /mnt/a and /mnt/b",
            )
        on.setdefault(path, item)
        for parent in path.parents:
            below.setdefault(parent, item)
