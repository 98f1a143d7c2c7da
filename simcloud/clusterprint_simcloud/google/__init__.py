"""Google Cloud, simulated: one module per family of resources."""

from clusterprint_simcloud.cloud.behaviour import Provider
from clusterprint_simcloud.google import (
    attributes,
    disk_pools,
    filesystems,
    fleet,
    gke,
    grants,
    group,
    iam,
    image,
    instance,
    monitoring,
    netapp,
    network,
    peering,
    policy,
    project,
    refusal,
    registry,
    scheduler,
    snapshots,
    storage,
    traffic,
)
from clusterprint_simcloud.google.gke import places

_RESOURCES = (
    *project.RESOURCES,
    *network.RESOURCES,
    *traffic.RESOURCES,
    *iam.RESOURCES,
    *storage.RESOURCES,
    *instance.RESOURCES,
    *group.RESOURCES,
    *gke.RESOURCES,
    *peering.RESOURCES,
    *registry.RESOURCES,
    *grants.RESOURCES,
    *fleet.RESOURCES,
    *scheduler.RESOURCES,
    *monitoring.RESOURCES,
    *disk_pools.RESOURCES,
    *filesystems.RESOURCES,
    *snapshots.RESOURCES,
    *netapp.RESOURCES,
)
_DATA_SOURCES = (
    *project.DATA_SOURCES,
    *network.DATA_SOURCES,
    *image.DATA_SOURCES,
    *group.DATA_SOURCES,
    *gke.DATA_SOURCES,
    *monitoring.DATA_SOURCES,
    *filesystems.DATA_SOURCES,
)

# Types whose code does not look at the provider's configuration when it plans: as their real plans show.
_LATE = {
    **dict.fromkeys((network.SUBNETWORK, traffic.ROUTER, traffic.NAT, instance.TEMPLATE), ("region",)),
    **dict.fromkeys((places.CLUSTER, storage.BUCKET), ("project",)),
    **dict.fromkeys(
        ("google_artifact_registry_repository_iam_member", "google_secret_manager_secret_iam_member"),
        ("project",),
    ),
}

PROVIDER = Provider(
    "google",
    {kind.name: kind for kind in _RESOURCES},
    {source.name: source for source in _DATA_SOURCES},
    refusal.WORDS,
    inherited=("project", "region", "zone"),
    inherited_late=_LATE,
    given={"deletion_policy": "DELETE"},
    planned=[attributes.plan_labels],
    admitted=[project.admit],
    abandons=lambda request: policy.abandons(request) or project.leaves_on(request),
    value=attributes.value,
)
