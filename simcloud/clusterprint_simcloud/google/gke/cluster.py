"""Clusters: their networks, control planes and channels; what is refused of them is in `cluster_checks`."""

from __future__ import annotations

import itertools

from clusterprint_simcloud.cloud.behaviour import Computed, DataSource, Request, ResourceType, State
from clusterprint_simcloud.cloud.contents import ApiError, Contents, Record
from clusterprint_simcloud.google import ranges
from clusterprint_simcloud.google.attributes import number
from clusterprint_simcloud.google.facts import known
from clusterprint_simcloud.google.gke import endpoints
from clusterprint_simcloud.google.gke.cluster_checks import CHECKS, check_protection
from clusterprint_simcloud.google.gke.places import CLUSTER, POOL, region_of, subnetwork_of, zones_of_cluster
from clusterprint_simcloud.google.gke.versions import channel_of, version_of
from clusterprint_simcloud.google.iam import account
from clusterprint_simcloud.google.links import find, link
from clusterprint_simcloud.google.network import NETWORK, SUBNETWORK
from clusterprint_simcloud.google.scheduling import block
from clusterprint_simcloud.google.scopes import plan_scopes
from clusterprint_simcloud.values import Path, Value

_SERVICE_LINK = "https://container.googleapis.com/v1/{id}"
# Services of clusters that bring no range of their own (documentation "GKE-managed service range").
_SERVICES = "34.118.224.0/20"
_PODS = ("10.{second}.0.0/14", range(4, 252, 4))


def _identity(request: Request) -> str:
    location = request.text("location")
    if not location:
        message = "Cannot determine location: set in this resource, or set provider-level 'region' or 'zone'."
        raise ApiError(message)
    return f"projects/{request.text('project')}/locations/{location}/clusters/{request.text('name')}"


# ---- what is made


def _add_default_pool(request: Request) -> None:
    if request.state.get("remove_default_node_pool") or not request.state.get("initial_node_count"):
        return
    identity = f"{request.identity}/nodePools/default-pool"
    state = {"id": identity, "name": "default-pool", "node_count": request.state["initial_node_count"]}
    request.contents.add(Record(POOL, identity, state, owner=request.record.key))


def _forget_scope(request: Request) -> None:
    """GKE does not return that it monitors nothing by itself: terraform-provider-google issue 26839."""
    prometheus = block(block(request.record.state, "monitoring_config"), "managed_prometheus")
    if block(prometheus, "auto_monitoring_config").get("scope") == "NONE":
        prometheus["auto_monitoring_config"] = []


def _pods(request: Request, _path: Path) -> str:
    """The range of the pods: the secondary range that is named, the one asked for, or a free one."""
    policy = block(request.state, "ip_allocation_policy")
    named = ranges.secondary(subnetwork_of(request), str(policy.get("cluster_secondary_range_name") or ""))
    if named is not None:
        return str(named)
    asked = str(policy.get("cluster_ipv4_cidr_block") or "")
    if asked and not asked.startswith("/"):
        return asked
    template, choices = _PODS
    taken = {one.state.get("cluster_ipv4_cidr") for one in request.contents.of(CLUSTER)}
    free = (template.format(second=second) for second in choices)
    return next(itertools.filterfalse(taken.__contains__, free))


def _services(request: Request, _path: Path) -> str:
    policy = block(request.state, "ip_allocation_policy")
    named = ranges.secondary(subnetwork_of(request), str(policy.get("services_secondary_range_name") or ""))
    return str(named) if named is not None else str(policy.get("services_ipv4_cidr_block") or _SERVICES)


def _default_subnetwork(request: Request, _path: Path) -> str:
    """The one of the region, in the network called `default`."""
    found = find(request, "default", SUBNETWORK)
    return found.id if found else ""


def _version(request: Request, _path: Path) -> str:
    return version_of(request.state)


def _zones(request: Request, _path: Path) -> list[str]:
    """Beside the zone of a zonal cluster, which the list leaves out."""
    return [one for one in zones_of_cluster(request.state) if one != request.text("location")]


def _channel(request: Request, _path: Path) -> Value:
    return [{"channel": channel_of(request.state)}]


def _authority(_request: Request, _path: Path) -> Value:
    certificates = [{"issue_client_certificate": False}]
    return [{"cluster_ca_certificate": endpoints.AUTHORITY, "client_certificate_config": certificates}]


def _membership(request: Request, _path: Path) -> str:
    project = number(str(block(request.state, "fleet").get("project") or request.text("project")), 12)
    place = f"projects/{project}/locations/{region_of(request.text('location'))}"
    return f"//gkehub.googleapis.com/{place}/memberships/{request.text('name')}"


_COMPUTED: dict[str, Computed] = {
    "self_link": _SERVICE_LINK,
    "endpoint": endpoints.endpoint,
    "master_auth": _authority,
    "master_auth.cluster_ca_certificate": endpoints.AUTHORITY,
    "control_plane_endpoints_config": endpoints.control_plane,
    "control_plane_endpoints_config.dns_endpoint_config": endpoints.by_name,
    "control_plane_endpoints_config.dns_endpoint_config.endpoint": endpoints.name,
    "control_plane_endpoints_config.ip_endpoints_config": [{"enabled": True}],
    "private_cluster_config.private_endpoint": endpoints.private,
    "private_cluster_config.public_endpoint": endpoints.public,
    "master_version": _version,
    "node_version": _version,
    "cluster_ipv4_cidr": _pods,
    "services_ipv4_cidr": _services,
    "ip_allocation_policy.cluster_ipv4_cidr_block": _pods,
    "ip_allocation_policy.services_ipv4_cidr_block": _services,
    "ip_allocation_policy.cluster_secondary_range_name": "gke-{name}-pods",
    "release_channel": _channel,
    "node_locations": _zones,
    "networking_mode": "VPC_NATIVE",
    "datapath_provider": "",
    "default_max_pods_per_node": 110,
    "subnetwork": _default_subnetwork,
    "logging_service": "logging.googleapis.com/kubernetes",
    "monitoring_service": "monitoring.googleapis.com/kubernetes",
    "private_ipv6_google_access": "",
    "tpu_ipv4_cidr_block": "",
    "operation": "",
    "fleet.membership": _membership,
    "fleet.membership_id": "{name}",
    "fleet.membership_location": lambda request, _path: region_of(request.text("location")),
    "fleet.pre_registered": False,
}


def _read(contents: Contents, config: State) -> State:
    """A cluster that is there: the data source reads what the resource does."""
    project, name = config.get("project"), config.get("name")
    location = config.get("location") or config.get("zone") or config.get("region")
    found = contents.get(CLUSTER, f"projects/{project}/locations/{location}/clusters/{name}")
    if found is None:
        # dataSourceGoogleContainerClusterRead, when the resource's read has left no id.
        message = f"Error: projects/{project}/locations/{location}/clusters/{name} not found"
        raise ApiError(message)
    return {**found.state, "id": found.id}


RESOURCES = (
    ResourceType(
        CLUSTER,
        "cluster",
        _identity,
        known(CLUSTER),
        computed=_COMPUTED,
        references=[
            link("network", NETWORK),
            link("subnetwork", SUBNETWORK),
            account("node_config.service_account"),
        ],
        service="container.googleapis.com",
        virtual=["deletion_protection"],
        planned=[plan_scopes("node_config.oauth_scopes"), endpoints.plan_privacy],
        checks=CHECKS,
        created=[_add_default_pool, _forget_scope],
        updated=[_forget_scope],
        deleting=[check_protection],
        # So that grants to its workload identities, which should wait for the pool of them, come too early.
        delay=0.2,
    ),
)
DATA_SOURCES = (DataSource(CLUSTER, _read),)
