from typing import Literal

from clusterprint import catalog
from clusterprint.blueprint.volumes import GoogleVolume
from clusterprint.derived import volumes
from clusterprint.rules.google._disk_limits import Asked, bought
from clusterprint.rules.google._hyperdisks import shared
from clusterprint.rules.kit import UNSET, Context, Finding, Iterator, Severity, rule

# What is bought, in the catalog and in the blueprint.
_BOUGHT: tuple[tuple[Literal["iops", "mibps"], str], ...] = (("iops", "iops"), ("mibps", "throughput_mbps"))


@rule("GCP113", severity=Severity.ERROR)
def disk_setting_not_of_type(volume: GoogleVolume, context: Context) -> Iterator[Finding]:
    if volume.kind != "disk" or not volume.create:
        return
    name = volumes.disk_type(volume)
    known = catalog.disk_type(name)
    size = volumes.size_gib(volume)
    if known and size and known.sizes.nearest(size) != size:
        is_written = volume.size_gb is not UNSET
        yield Finding(
            f"there is no {name} of {size:,} GiB",
            context.at(volume, "size_gb" if is_written else "type"),
            help=f"{'write' if is_written else 'add size_gb:'} {known.min_gb} to {known.max_gb}",
        )
    for sold, field in _BOUGHT:
        if known and getattr(volume, field) is not UNSET and not getattr(known, sold):
            yield Finding(
                f"{field} cannot be chosen for {name}",
                context.at(volume, field),
                help=f"remove {field}, or use one of {', '.join(catalog.disk_types_with(sold))}",
            )
    if known:
        yield from bought(Asked(volume, name, known, size), context)
    is_shared = volume.access == "read_only"
    if is_shared != (name == "hyperdisk-ml"):
        yield Finding(
            f"{name} is {'not for disks that many nodes read' if is_shared else 'for reading only'}",
            context.at(volume, "type"),
            help=shared(volume) + ("" if is_shared else ", or remove type"),
        )
    if volume.snapshot is not UNSET and not is_shared:
        yield Finding(
            f"each node gets an empty disk, not one from snapshot {volume.snapshot}",
            context.at(volume, "snapshot"),
            help=f"remove snapshot, or {shared(volume)}",
        )
