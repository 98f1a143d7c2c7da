"""What can be bought for a disk of a type."""

from collections.abc import Iterator

from msgspec import UNSET

from clusterprint import catalog
from clusterprint.blueprint.storage_classes import DiskClass
from clusterprint.blueprint.volumes import GoogleVolume
from clusterprint.catalog import DiskType
from clusterprint.rules.context import Context
from clusterprint.rules.rule import Finding

# The field of the blueprint, and the limits in the catalog.
_BOUGHT = (
    ("iops", "", "max_iops"),
    ("throughput_mbps", "min_throughput_mibps", "max_throughput_mibps"),
)


def bought(
    volume: GoogleVolume | DiskClass, name: str, known: DiskType, context: Context
) -> Iterator[Finding]:
    """What is bought for a type for which it cannot be chosen, or beyond its limits."""
    for field, least, most in _BOUGHT:
        wanted, limit = getattr(volume, field), getattr(known, most)
        if wanted is UNSET:
            continue
        if not limit:
            types = ", ".join(catalog.disk_types_with(most))
            yield Finding(
                f"{field} cannot be chosen for {name}",
                context.at(volume, field),
                help=f"remove {field}, or use one of {types}",
            )
        elif not (floor := getattr(known, least) if least else 0) <= wanted <= limit:
            yield Finding(
                f"a {name} has {f'{floor:,} to' if floor else 'at most'} {limit:,} for {field}, "
                f"not {wanted:,}",
                context.at(volume, field),
                help=f"write {limit}" if wanted > limit else f"write {floor}",
            )
