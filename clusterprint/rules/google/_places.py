"""Zones of clusters, and messages about zones outside the region."""

from typing import NamedTuple

from clusterprint import did_you_mean
from clusterprint.blueprint.volumes import GoogleVolume
from clusterprint.catalog import region_of, regions, zone_names


class Elsewhere(NamedTuple):
    """The message about a zone outside the region, and the help if there is one."""

    message: str
    help: str


def elsewhere(zone: str, region: str) -> Elsewhere | None:
    """The message about a zone that is not in a region; None if it is, or if another rule reports it.

    Of a region that is not known, its own rule speaks: most likely it is the region that is mistyped.
    """
    home = region_of(zone)
    if home == region or region not in regions():
        return None
    if home in regions():
        return Elsewhere(f"zone {zone} is in region {home}, not in {region}", "")
    return Elsewhere(
        f"there is no region {home}, so zone {zone} is not in {region}", did_you_mean.zone(zone, region)
    )


def is_known(zone: str) -> bool:
    """Whether there is such a zone, as far as the catalog knows."""
    return zone in zone_names()


def nearer(volume: GoogleVolume, zone: str, of_nodes: str) -> str:
    """The help for a volume in another zone than nodes: an existing one cannot move."""
    if volume.create:
        return f"set zone: {of_nodes} in the volume"
    return f"put the nodes into {zone}, or name a {volume.kind} in {of_nodes}"
