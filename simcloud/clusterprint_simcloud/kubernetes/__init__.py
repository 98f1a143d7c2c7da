"""Kubernetes, simulated: the objects of clusters, in the `_v1` spelling of their types."""

from clusterprint_simcloud.cloud.behaviour import Provider
from clusterprint_simcloud.kubernetes import cluster, core, objects, policy, rbac, volumes, workloads

_RESOURCES = (*core.RESOURCES, *volumes.RESOURCES, *rbac.RESOURCES, *workloads.RESOURCES, *policy.RESOURCES)

PROVIDER = Provider(
    "kubernetes",
    {kind.name: kind for kind in _RESOURCES},
    {},
    objects.WORDS,
    admitted=[cluster.connect],
    value=objects.value,
)
