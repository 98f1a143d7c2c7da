"""Refusals of clusters, by the API and by the provider."""

from __future__ import annotations

from clusterprint_simcloud.cloud.behaviour import Request
from clusterprint_simcloud.cloud.contents import ApiError
from clusterprint_simcloud.google import ranges
from clusterprint_simcloud.google.gke.places import CLUSTER, region_of, subnetwork_of
from clusterprint_simcloud.google.gke.versions import VERSION, channel_of
from clusterprint_simcloud.google.links import find, name_of
from clusterprint_simcloud.google.network import NETWORK, network_of, subnetworks_of
from clusterprint_simcloud.google.refusal import refusal
from clusterprint_simcloud.google.scheduling import block

ADVANCED_DATAPATH = "ADVANCED_DATAPATH"


def _check_network(request: Request) -> None:
    subnetwork = subnetwork_of(request)
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


def _check_ranges(request: Request) -> None:
    policy, subnetwork = block(request.state, "ip_allocation_policy"), subnetwork_of(request)
    pods = str(policy.get("cluster_secondary_range_name") or "")
    services = str(policy.get("services_secondary_range_name") or "")
    for what, name in (("Pod", pods), ("Services", services)):
        if name and ranges.secondary(subnetwork, name) is None:
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


#: Of a create or an update, in the order in which they are looked at.
CHECKS = (
    _check_network,
    _check_ranges,
    _check_control_plane,
    _check_authorized,
    _check_datapath,
    _check_identity,
    _check_maintenance,
    _check_first_pool,
    _check_version,
)


def check_protection(request: Request) -> None:
    """Destroying one that is protected."""
    if request.state.get("deletion_protection") is not False:
        message = "Cannot destroy cluster because deletion_protection is set to true."
        raise ApiError(f"{message} Set it to false to proceed with cluster deletion.")
