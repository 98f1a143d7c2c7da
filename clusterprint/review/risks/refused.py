"""Changes that a plan says are made in place, and that the cloud refuses when they are applied."""

from collections.abc import Callable, Iterator

from clusterprint import catalog
from clusterprint.resource_types import resource_type
from clusterprint.review.compared import ComparedCluster
from clusterprint.review.delta import Delta, Resource, get, whole
from clusterprint.review.machines import linked
from clusterprint.review.model import Risk
from clusterprint.review.risks._make import About, titled

_NETAPP_POOL, _NETAPP_VOLUME = "google_netapp_storage_pool", "google_netapp_volume"

# What is bought for a pool of disks.
_BOUGHT = {
    "pool_provisioned_capacity_gb": "GiB",
    "pool_provisioned_iops": "IOPS",
    "pool_provisioned_throughput": "MiB/s",
}

Find = Callable[[Delta, Resource, Resource, About], Iterator[Risk]]


def refused(scene: ComparedCluster) -> Iterator[Risk]:
    """Each change in place of something that stores data, and that it cannot be given."""
    about = About(scene)
    for delta in scene.deltas:
        find = _FINDERS.get(resource_type(delta.resource.type).refused or "")
        if find and delta.action == "changed" and delta.before and delta.after:
            yield from find(delta, delta.before, delta.after, about)


def _filestore(delta: Delta, before: Resource, after: Resource, about: About) -> Iterator[Risk]:
    tier = catalog.filestore_tier(str(get(before.values, "tier", "")).lower())
    yield from _resized(delta, tier, *_sizes(before, after, "file_shares.capacity_gb"), about)


def _lustre(delta: Delta, before: Resource, after: Resource, about: About) -> Iterator[Risk]:
    tier = catalog.lustre_tier(whole(get(before.values, "per_unit_storage_throughput")))
    yield from _resized(delta, tier, *_sizes(before, after, "capacity_gib"), about)


def _sizes(before: Resource, after: Resource, path: str) -> tuple[int, int]:
    was, now = (whole(get(each.values, path)) for each in (before, after))
    return was, now


def _resized(
    delta: Delta, tier: catalog.FilestoreTier | catalog.LustreTier | None, was: int, now: int, about: About
) -> Iterator[Risk]:
    if tier is None or not was or not now:
        return
    least, most = tier.reach(was)
    if least <= now <= most:
        return
    message = (
        f"{titled(delta)} of {was:,} GiB cannot be given {now:,} GiB, only {least:,} to {most:,}: Google "
        "Cloud refuses that, and the apply fails there"
    )
    help_text = "keep the size; for another one, create a volume of another name, and copy the data"
    yield about.risk("change_refused", "high", message, [delta], help_text, hint="size_gb")


def _netapp_pool(delta: Delta, before: Resource, after: Resource, about: About) -> Iterator[Risk]:
    """A pool and the volumes in it could both shrink, but Terraform begins with the pool."""
    _, now = _sizes(before, after, "capacity_gib")
    side = about.scene.resources_before
    held = sum(
        whole(get(each.values, "capacity_gib"))
        for each in side
        if each.type == _NETAPP_VOLUME and linked(each, "storage_pool", _NETAPP_POOL, side) is before
    )
    if now and now < held:
        message = (
            f"{titled(delta)} would have {now:,} GiB, and has volumes of {held:,} GiB in it: Google Cloud "
            "refuses that, and the apply fails there, because Terraform shrinks a pool before what is in it"
        )
        help_text = "keep the size; for a smaller one, create a volume of another name, and copy the data"
        yield about.risk("change_refused", "high", message, [delta], help_text, hint="size_gb")


def _disk_pool(delta: Delta, before: Resource, after: Resource, about: About) -> Iterator[Risk]:
    zones = tuple(str(get(each.values, "zone", "")).rpartition("/")[2] for each in (before, after))
    if all(zones) and zones[0] != zones[1]:
        # The provider plans it in place, and sends its order to a pool in the new zone, which there is not.
        message = f"{titled(delta)} cannot be moved from {zones[0]} to {zones[1]}: the apply fails there"
        help_text = "keep the zone, and add a pool of another name in the other one"
        yield about.risk("change_refused", "high", message, [delta], help_text, hint="zone")
    less = [
        f"from {was:,} to {now:,} {unit}"
        for path, unit in _BOUGHT.items()
        for was, now in (_sizes(before, after, path),)
        if now < was and now
    ]
    if less:
        message = (
            f"{titled(delta)} shrinks {', '.join(less)}: Compute Engine refuses that if the disks in it need "
            "more, and the apply fails there"
        )
        help_text = "compare with what they need: gcloud compute storage-pools describe"
        yield about.risk("change_refused", "medium", message, [delta], help_text, hint="size_gb")


_FINDERS: dict[str, Find] = {
    "filestore": _filestore,
    "lustre": _lustre,
    "netapp pool": _netapp_pool,
    "disk pool": _disk_pool,
}
