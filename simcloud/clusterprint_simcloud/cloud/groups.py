"""Groups of instances as the provider sees them, and `gcloud`, which loads no provider."""

from clusterprint_simcloud.cloud.contents import Contents, Record

GROUP = "google_compute_instance_group_manager"
INSTANCE = "google_compute_instance"


def awaited(contents: Contents, group: Record) -> dict[str, str]:
    """The instances that a group is asked for and has not got, each with the key of what asks for it."""
    return contents.leases.setdefault(f"awaited in {group.id}", {})


def started(contents: Contents) -> dict[str, str]:
    """When each instance of a group was made, by its id."""
    return contents.leases.setdefault("started", {})
