"""Clusters: their networks, control planes, channels, and what keeps them from being destroyed."""

from __future__ import annotations

import itertools

from clusterprint_simcloud.cloud.behaviour import Computed, DataSource, Request, ResourceType, State
from clusterprint_simcloud.cloud.contents import ApiError, Contents, Record
from clusterprint_simcloud.google import ranges
from clusterprint_simcloud.google.attributes import number
from clusterprint_simcloud.google.facts import known
from clusterprint_simcloud.google.gke import endpoints
from clusterprint_simcloud.google.gke.places import CLUSTER, POOL, region_of, zones_of_cluster
from clusterprint_simcloud.google.gke.versions import VERSION, channel_of, version_of
from clusterprint_simcloud.google.iam import account
from clusterprint_simcloud.google.links import find, link, name_of
from clusterprint_simcloud.google.network import NETWORK, SUBNETWORK, network_of, subnetworks_of
from clusterprint_simcloud.google.refusal import refusal
from clusterprint_simcloud.google.scheduling import block
from clusterprint_simcloud.google.scopes import plan_scopes
from clusterprint_simcloud.values import Path, Value

_SERVICE_LINK = "https://container.googleapis.com/v1/{id}"
ADVANCED_DATAPATH = "ADVANCED_DATAPATH"
# Services of clusters that bring no range of their own (documentation "GKE-managed service range").
_SERVICES = "34.118.224.0/20"
_PODS = ("10.{second}.0.0/14", range(4, 252, 4))


def _identity(request: Request) -> str:
    location = request.text("location")
    if not location:
        message = "Cannot determine location: set in this resource, or set provider-level 'region' or 'zone'."
        raise ApiError(message)
    return f"projects/{request.text('project')}/locations/{location}/clusters/{request.text('name')}"


def _subnetwork(request: Request) -> Record | None:
    return find(request, request.text("subnetwork"), SUBNETWORK) if request.text("subnetwork") else None


# ---- what is refused


def _check_network(request: Request) -> None:
    subnetwork = _subnetwork(request)
    network = find(request, request.text("network"), NETWORK)
    if subnetwork is None or network is None:
        return
    if network_of(request.contents, subnetwork).key != network.key:
        raise refusal(
            request, f"Subnetwork '{subnetwork.id}' is not in network '{network.id}'.", "badRequest"
        )
    if name_of(str(subnetwork.state["region"])) != region_of(request.text("location")):
        raise refusal(
            request, f"Subnetwork '{subnetwork.id}' is not in the region of the cluster.", "badRequest"
        )


def secondary(subnetwork: Record | None, name: str) -> ranges.Range | None:
    """The secondary range of a name, None if there is none."""
    for one in (subnetwork.state.get("secondary_ip_range") or []) if subnetwork else []:
        if one.get("range_name") == name and one.get("ip_cidr_range"):
            return ranges.Range(one["ip_cidr_range"])
    return None


def _check_ranges(request: Request) -> None:
    policy, subnetwork = block(request.state, "ip_allocation_policy"), _subnetwork(request)
    pods = str(policy.get("cluster_secondary_range_name") or "")
    services = str(policy.get("services_secondary_range_name") or "")
    for what, name in (("Pod", pods), ("Services", services)):
        if name and secondary(subnetwork, name) is None:
            where = subnetwork.state["name"] if subnetwork else "default"
            text = f'{what} secondary range "{name}" does not exist in network, subnetwork "{where}".'
            raise refusal(request, text, "badRequest")
    if pods and pods == services:
        raise refusal(request, "Pods and Services must have secondary ranges of their own.", "badRequest")


def _check_control_plane(request: Request) -> None:
    """Documentation "Creating a private cluster": a /28 that overlaps nothing in the network."""
    cidr = block(request.state, "private_cluster_config").get("master_ipv4_cidr_block")
    network = find(request, request.text("network"), NETWORK)
    if not cidr or network is None:
        return
    wanted = ranges.parse(cidr, "private_cluster_config.master_ipv4_cidr_block")
    for subnetwork in subnetworks_of(request.contents, network):
        for what, taken in ranges.of_subnetwork(subnetwork):
            if wanted.overlaps(taken):
                where = f"{what} of subnetwork '{subnetwork.state['name']}'"
                text = f"The given master_ipv4_cidr {wanted} overlaps with {taken}, the {where}."
                raise refusal(request, text, "badRequest")
    neighbours = [one for one in request.contents.of(CLUSTER) if network.key in one.references]
    for other in neighbours:
        taken_by = block(other.state, "private_cluster_config").get("master_ipv4_cidr_block")
        if other.id != request.identity and taken_by and wanted.overlaps(ranges.Range(taken_by)):
            text = f"The given master_ipv4_cidr {wanted} overlaps with the one of '{other.id}'."
            raise refusal(request, text, "badRequest")


def _check_authorized(request: Request) -> None:
    for one in block(request.state, "master_authorized_networks_config").get("cidr_blocks") or []:
        if ":" not in one["cidr_block"]:
            ranges.parse(one["cidr_block"], "master_authorized_networks_config.cidr_blocks.cidr_block")


def _check_datapath(request: Request) -> None:
    advanced = request.text("datapath_provider") == ADVANCED_DATAPATH
    if request.state.get("enable_multi_networking") and not advanced:
        raise refusal(request, "Multi-networking requires Dataplane V2 (ADVANCED_DATAPATH).", "badRequest")
    if request.state.get("enable_fqdn_network_policy") and not advanced:
        raise refusal(request, "FQDN network policy requires Dataplane V2 (ADVANCED_DATAPATH).", "badRequest")
    if advanced and block(request.state, "network_policy").get("enabled"):
        text = "Enabling NetworkPolicy for clusters with DatapathProvider=ADVANCED_DATAPATH is not allowed."
        raise refusal(request, text, "badRequest")


def _check_identity(request: Request) -> None:
    pool = block(request.state, "workload_identity_config").get("workload_pool")
    wanted = f"{request.text('project')}.svc.id.goog"
    if pool and pool != wanted:
        text = f'Workload pool "{pool}" is not supported: the only one of this cluster is "{wanted}".'
        raise refusal(request, text, "badRequest")


def _check_maintenance(request: Request) -> None:
    channel = channel_of(request.state)
    for one in block(request.state, "maintenance_policy").get("maintenance_exclusion") or []:
        options = block(one, "exclusion_options")
        scope = options.get("scope")
        if options.get("end_time_behavior") == "UNTIL_END_OF_SUPPORT":
            if one.get("end_time") or scope == "NO_UPGRADES":
                text = f"Exclusion '{one['exclusion_name']}' cannot last until the end of support."
                raise refusal(request, text, "badRequest")
        elif not one.get("end_time") or str(one["start_time"]) >= str(one["end_time"]):
            text = f"Exclusion '{one['exclusion_name']}' ends before it starts."
            raise refusal(request, text, "badRequest")
        if scope and scope != "NO_UPGRADES" and channel == "UNSPECIFIED":
            text = f"Maintenance exclusion scope {scope} needs a cluster in a release channel."
            raise refusal(request, text, "badRequest")


def _check_first_pool(request: Request) -> None:
    """Clusters begin with a pool, even where it is removed at once."""
    count = request.state.get("initial_node_count") or 0
    if not count and not request.state.get("node_pool") and not request.state.get("enable_autopilot"):
        raise refusal(request, "Cluster.initial_node_count must be greater than zero.", "badRequest")


def _check_version(request: Request) -> None:
    wanted = request.text("min_master_version")
    if wanted and not VERSION.fullmatch(wanted):
        raise refusal(request, f'Master version "{wanted}" is unsupported.', "badRequest")


def _check_protection(request: Request) -> None:
    if request.state.get("deletion_protection") is not False:
        message = "Cannot destroy cluster because deletion_protection is set to true."
        raise ApiError(f"{message} Set it to false to proceed with cluster deletion.")


# ---- what is made


def _add_default_pool(request: Request) -> None:
    if request.state.get("remove_default_node_pool") or not request.state.get("initial_node_count"):
        return
    identity = f"{request.identity}/nodePools/default-pool"
    state = {"id": identity, "name": "default-pool", "node_count": request.state["initial_node_count"]}
    request.contents.add(Record(POOL, identity, state, owner=request.record.key))


def _pods(request: Request, _path: Path) -> str:
    """The range of the pods: the secondary range that is named, the one asked for, or a free one."""
    policy = block(request.state, "ip_allocation_policy")
    named = secondary(_subnetwork(request), str(policy.get("cluster_secondary_range_name") or ""))
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
    named = secondary(_subnetwork(request), str(policy.get("services_secondary_range_name") or ""))
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
        checks=[
            _check_network,
            _check_ranges,
            _check_control_plane,
            _check_authorized,
            _check_datapath,
            _check_identity,
            _check_maintenance,
            _check_first_pool,
            _check_version,
        ],
        created=[_add_default_pool],
        deleting=[_check_protection],
        # So that grants to its workload identities, which should wait for the pool of them, come too early.
        delay=0.2,
    ),
)
DATA_SOURCES = (DataSource(CLUSTER, _read),)
