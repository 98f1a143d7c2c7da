"""The API groups of a cluster: Kubernetes' own, those that Google manages, and those that charts bring."""

from __future__ import annotations

from clusterprint_simcloud.cloud.behaviour import Request, State
from clusterprint_simcloud.google.gke import versions
from clusterprint_simcloud.google.scheduling import block
from clusterprint_simcloud.kubernetes.cluster import home, record_of

# The type of the records that stand for groups.
GROUP = "API group"
_BUILT_IN = frozenset(
    {
        "", "apps", "batch", "autoscaling", "policy", "admissionregistration.k8s.io", "apiextensions.k8s.io",
        "apiregistration.k8s.io", "certificates.k8s.io", "coordination.k8s.io", "discovery.k8s.io",
        "events.k8s.io", "flowcontrol.apiserver.k8s.io", "networking.k8s.io", "node.k8s.io",
        "rbac.authorization.k8s.io", "resource.k8s.io", "scheduling.k8s.io", "storage.k8s.io",
    }
)  # fmt: skip
# What GKE installs itself; whether a cluster has the feature that goes with it is not looked at.
_MANAGED = (
    "gke.io",  # networking.gke.io: Network, GKENetworkParamSet; node.gke.io, auto.gke.io...
    "cloud.google.com",  # ComputeClass, BackendConfig
    "googleapis.com",  # monitoring.googleapis.com: PodMonitoring
    "autoscaling.x-k8s.io",  # ProvisioningRequest
    "snapshot.storage.k8s.io",
    "cilium.io",
)

# What comes with the Gateway API, and with it in versions from this one on.
GATEWAYS = "gateway.networking.k8s.io"
POOLS = "inference.networking.k8s.io"
_POOLS_SINCE = "1.34.0-gke.1626000"

# What an add-on of the cluster brings.
_ADDONS = {"high_scale_checkpointing_config": "checkpointing.gke.io", "ray_operator_config": "ray.io"}


def groups(request: Request) -> set[str]:
    """The groups that the cluster of the request has, without those that are managed."""
    place = f"{home(request)}/"
    brought = {one.state["name"] for one in request.contents.of(GROUP) if one.id.startswith(place)}
    addons = block(record_of(request).state, "addons_config")
    added = {group for addon, group in _ADDONS.items() if block(addons, addon).get("enabled")}
    return {*_BUILT_IN, *brought, *added, *_of_gateways(record_of(request).state)}


def _of_gateways(cluster: State) -> set[str]:
    if block(cluster, "gateway_api_config").get("channel") != "CHANNEL_STANDARD":
        return set()
    old = versions.is_older(versions.version_of(cluster), _POOLS_SINCE)
    return {GATEWAYS} if old else {GATEWAYS, POOLS}


def is_managed(group: str) -> bool:
    """Whether GKE brings the group to every cluster."""
    return group not in _ADDONS.values() and any(
        group == one or group.endswith(f".{one}") for one in _MANAGED
    )
