"""VPC networks and subnetworks."""

from __future__ import annotations

import re
from typing import Any

from clusterprint_simcloud.cloud.behaviour import DataSource, Plan, Request, ResourceType
from clusterprint_simcloud.cloud.contents import ApiError, Contents, Record
from clusterprint_simcloud.google import ranges
from clusterprint_simcloud.google.attributes import CREATED, number
from clusterprint_simcloud.google.facts import known
from clusterprint_simcloud.google.links import COMPUTE, find, link, name_of, plain, region_of
from clusterprint_simcloud.google.refusal import field, refusal
from clusterprint_simcloud.values import Path

NETWORK = "google_compute_network"
SUBNETWORK = "google_compute_subnetwork"
# Documentation "VPC networks", auto mode IPv4 subnet ranges: the second byte of 10.x.0.0/20.
_AUTO_MODE_REGIONS = {
    "us-central1": 128, "europe-west1": 132, "us-west1": 138, "asia-east1": 140, "us-east1": 142,
    "asia-northeast1": 146, "asia-southeast1": 148, "us-east4": 150, "europe-west2": 154, "europe-west3": 156,
    "europe-west4": 164, "us-west2": 168, "asia-northeast3": 178, "us-west4": 182, "us-east5": 202,
    "us-south1": 206,
}  # fmt: skip
_MTU = (1300, 8896)
# `projects/P/global/networkProfiles/us-central1-a-vpc-roce`, or as a full link.
_PROFILE = re.compile(
    r"(?:.*/)?(?P<zone>[a-z]+-[a-z]+\d+-[a-z0-9]+)-(?P<kind>vpc-roce|vpc-roce-metal|vpc-falcon)"
)


def rdma_zone(network: Record) -> str:
    """The one zone of an RDMA network, empty for an ordinary network."""
    profile = network.state.get("network_profile")
    match = _PROFILE.fullmatch(plain(profile)) if isinstance(profile, str) and profile else None
    return match["zone"] if match else ""


def rdma_kind(network: Record) -> str:
    """The one kind of interface that an RDMA network takes, empty for an ordinary network."""
    if not rdma_zone(network):
        return ""
    return "IRDMA" if plain(str(network.state["network_profile"])).endswith("-vpc-falcon") else "MRDMA"


def network_of(contents: Contents, subnetwork: Record) -> Record:
    """The network that a subnetwork lies in."""
    return next(contents.records[one] for one in subnetwork.references if one.startswith(f"{NETWORK} "))


def subnetworks_of(contents: Contents, network: Record) -> list[Record]:
    """All subnetworks of a network."""
    return [one for one in contents.of(SUBNETWORK) if network.key in one.references]


def add_default_network(contents: Contents, project: str) -> None:
    """The network called `default` that every new project has."""
    identity = f"projects/{project}/global/networks/default"
    state = {
        "id": identity, "name": "default", "project": project, "auto_create_subnetworks": True, "mtu": 1460,
        "self_link": COMPUTE + identity, "routing_mode": "REGIONAL", "network_id": int(number(identity, 16)),
    }  # fmt: skip
    _add_auto_subnetworks(contents, contents.add(Record(NETWORK, identity, state, builtin=True)))


def _add_auto_subnetworks(contents: Contents, network: Record) -> None:
    for region, second in _AUTO_MODE_REGIONS.items():
        identity = f"projects/{network.state['project']}/regions/{region}/subnetworks/{network.state['name']}"
        state = {
            "id": identity, "name": network.state["name"], "project": network.state["project"],
            "region": region,
            "network": network.state["self_link"], "ip_cidr_range": f"10.{second}.0.0/20",
            "gateway_address": f"10.{second}.0.1", "self_link": COMPUTE + identity, "secondary_ip_range": [],
            "creation_timestamp": CREATED,
        }  # fmt: skip
        record = Record(
            SUBNETWORK, identity, state, [network.key], owner=network.key, builtin=network.builtin
        )
        contents.add(record)


def _check_network(request: Request) -> None:
    mtu = request.state.get("mtu")
    if isinstance(mtu, int) and mtu and not _MTU[0] <= mtu <= _MTU[1]:
        raise refusal(request, f"{field('resource.mtu', mtu)}. Must be between 1300 and 8896.")
    profile = request.text("network_profile")
    if profile and not _PROFILE.fullmatch(plain(profile)):
        text = "The referenced network profile cannot be found."
        raise refusal(request, f"{field('resource.networkProfile', profile)}. {text}")
    if profile and request.state.get("auto_create_subnetworks"):
        raise refusal(request, "A network with a network profile must be in custom subnet mode.")


def _fill_network(request: Request) -> None:
    if request.state.get("auto_create_subnetworks"):
        _add_auto_subnetworks(request.contents, request.record)


def _check_subnetwork(request: Request) -> None:
    network = find(request, request.text("network"), NETWORK)
    assert network is not None  # noqa: S101  (references have been resolved)
    zone = rdma_zone(network)
    if zone and zone.rpartition("-")[0] != region_of(request):
        raise refusal(
            request, f"The network profile of '{network.id}' allows subnetworks in the region of {zone} only."
        )
    for what, wanted in _wanted_ranges(request):
        if wanted.prefixlen > ranges.SMALLEST:
            raise refusal(request, f"Invalid IPCidrRange: {wanted} is smaller than /29.")
        if network.state.get("auto_create_subnetworks") and wanted.overlaps(ranges.AUTO_MODE):
            raise refusal(
                request,
                f"Invalid IPCidrRange: {wanted} conflicts with the reserved range {ranges.AUTO_MODE}.",
            )
        _check_overlap(request, network, what, wanted)
        _check_reserved(request, network, what, wanted)


def _check_proxies(request: Request) -> None:
    """Documentation "Proxy-only subnets": one that is active per purpose, network and region."""
    purpose = request.text("purpose")
    network = find(request, request.text("network"), NETWORK)
    if not purpose.endswith("_MANAGED_PROXY") or request.text("role") != "ACTIVE" or network is None:
        return
    for other in subnetworks_of(request.contents, network):
        state = other.state
        alike = state.get("purpose") == purpose and state.get("role") == "ACTIVE"
        if alike and name_of(str(state["region"])) == region_of(request) and other.id != request.identity:
            text = f"There is already an active subnetwork of purpose {purpose}: '{other.id}'."
            raise refusal(request, text)


def _check_overlap(request: Request, network: Record, what: str, wanted: ranges.Range) -> None:
    for other in subnetworks_of(request.contents, network):
        for _, taken in ranges.of_subnetwork(other):
            if other.id != request.identity and wanted.overlaps(taken):
                where = (
                    f"subnetwork '{other.state['name']}' in region '{name_of(str(other.state['region']))}'"
                )
                raise refusal(
                    request, f"Invalid IPCidrRange: {wanted} ({what}) conflicts with existing {where}."
                )


def _check_reserved(request: Request, network: Record, what: str, wanted: ranges.Range) -> None:
    """A subnetwork cannot lie in a range that is kept for Google's services."""
    for address in request.contents.of("google_compute_global_address"):
        state = address.state
        if state.get("purpose") != "VPC_PEERING" or network.key not in address.references:
            continue
        taken = ranges.Range(f"{state['address']}/{int(state['prefix_length'])}")
        if wanted.overlaps(taken):
            text = f"Invalid IPCidrRange: {wanted} ({what}) conflicts with reserved range '{state['name']}'."
            raise refusal(request, text)


def _wanted_ranges(request: Request) -> list[tuple[str, ranges.Range]]:
    """The ranges of the subnetwork.

    :raises ApiError: when one is no range, or they overlap each other.
    """
    wanted = []
    if request.text("ip_cidr_range"):
        wanted.append(("primary range", ranges.parse(request.text("ip_cidr_range"), "resource.ipCidrRange")))
    for index, secondary in enumerate(request.state.get("secondary_ip_range") or []):
        where = f"resource.secondaryIpRanges[{index}].ipCidrRange"
        wanted.append(
            (f"secondary range {secondary['range_name']}", ranges.parse(secondary["ip_cidr_range"], where))
        )
    for index, (what, one) in enumerate(wanted):
        for earlier, other in wanted[:index]:
            if one.overlaps(other):
                raise refusal(
                    request, f"Invalid IPCidrRange: {one} ({what}) conflicts with {other} ({earlier})."
                )
    return wanted


def _plan_range(plan: Plan) -> None:
    """A primary range grows in place; anything else replaces the subnetwork (IsShrinkageIpCidr)."""
    before, after = (plan.prior or {}).get("ip_cidr_range"), plan.state.get("ip_cidr_range")
    if plan.prior is None or not before or before == after:
        return
    grows = isinstance(after, str) and _contains(after, str(before))
    if not grows:
        plan.replace.append(("ip_cidr_range",))


def _contains(outer: str, inner: str) -> bool:
    try:
        return ranges.parse(inner, "").subnet_of(ranges.parse(outer, ""))
    except ApiError:
        return False


def _gateway(request: Request, _path: Path) -> str:
    cidr = request.text("ip_cidr_range")
    return str(ranges.parse(cidr, "resource.ipCidrRange")[1]) if cidr else ""


def _read_network(contents: Contents, config: dict[str, Any]) -> dict[str, Any]:
    record = _look_up(contents, config, NETWORK)
    links = [one.state["self_link"] for one in subnetworks_of(contents, record)]
    return {**record.state, "subnetworks_self_links": links, "gateway_ipv4": "", "internal_ipv6_range": ""}


def _read_subnetwork(contents: Contents, config: dict[str, Any]) -> dict[str, Any]:
    return _look_up(contents, config, SUBNETWORK).state


def _look_up(contents: Contents, config: dict[str, Any], kind: str) -> Record:
    from clusterprint_simcloud.google.project import project

    if isinstance(config.get("project"), str):
        project(contents, config["project"])
    request = Request(contents, ResourceType(kind, kind, ""), config, None)
    wanted = config.get("self_link") or config.get("name")
    found = find(request, wanted, kind) if isinstance(wanted, str) else None
    if found is None:
        message = (
            f"Error reading {kind}: googleapi: Error 404: The resource '{wanted}' was not found, notFound"
        )
        raise ApiError(message)
    return found


RESOURCES = (
    ResourceType(
        NETWORK,
        "Network",
        "projects/{project}/global/networks/{name}",
        known(NETWORK),
        computed={
            "mtu": 1460,
            "routing_mode": "REGIONAL",
            "bgp_best_path_selection_mode": "LEGACY",
            "gateway_ipv4": "",
            "internal_ipv6_range": "",
            "network_profile": "",
            "numeric_id": lambda request, _path: number(request.identity, 16),
        },
        service="compute.googleapis.com",
        checks=[_check_network],
        created=[_fill_network],
    ),
    ResourceType(
        SUBNETWORK,
        "Subnetwork",
        "projects/{project}/regions/{region}/subnetworks/{name}",
        known(SUBNETWORK),
        computed={
            "gateway_address": _gateway,
            "purpose": "PRIVATE",
            "stack_type": "IPV4_ONLY",
            "private_ip_google_access": False,
            "private_ipv6_google_access": "DISABLE_GOOGLE_ACCESS",
            "internal_ipv6_prefix": "",
            "ipv6_cidr_range": "",
            "external_ipv6_prefix": "",
            "state": "",
        },
        references=[link("network", NETWORK)],
        service="compute.googleapis.com",
        planned=[_plan_range],
        checks=[_check_subnetwork, _check_proxies],
    ),
)
DATA_SOURCES = (DataSource(NETWORK, _read_network), DataSource(SUBNETWORK, _read_subnetwork))
