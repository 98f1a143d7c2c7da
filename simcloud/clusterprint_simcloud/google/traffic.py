"""Firewall rules, routers, NAT and reserved addresses of a network."""

from __future__ import annotations

from clusterprint_simcloud.cloud.behaviour import Plan, Reference, Request, ResourceType
from clusterprint_simcloud.cloud.contents import Record
from clusterprint_simcloud.google import ranges
from clusterprint_simcloud.google.facts import known, named
from clusterprint_simcloud.google.links import find, link, name, name_of, region_of
from clusterprint_simcloud.google.network import NETWORK, SUBNETWORK, network_of, rdma_zone, subnetworks_of
from clusterprint_simcloud.google.refusal import field, refusal
from clusterprint_simcloud.values import Path, is_set

FIREWALL = "google_compute_firewall"
ROUTER = "google_compute_router"
NAT = "google_compute_router_nat"
ADDRESS = "google_compute_address"


def _plan_firewall(plan: Plan) -> None:
    """Source: resourceComputeFirewallSourceFieldsCustomizeDiff."""
    sources = ("source_ranges", "source_tags", "source_service_accounts")
    if plan.config.get("direction") != "EGRESS" and not any(is_set(plan.config.get(one)) for one in sources):
        plan.errors.append("one of source_tags, source_ranges, or source_service_accounts must be defined")


def _check_firewall(request: Request) -> None:
    _check_ordinary(request, "Firewall rules")
    for name_, where in (
        ("source_ranges", "resource.sourceRanges"),
        ("destination_ranges", "resource.destinationRanges"),
    ):
        for cidr in request.state.get(name_) or []:
            if ":" not in cidr:
                ranges.parse(cidr if "/" in cidr else f"{cidr}/32", where)


def _check_router(request: Request) -> None:
    _check_ordinary(request, "Cloud Routers")


def _check_ordinary(request: Request, what: str) -> None:
    """Documentation "RDMA network profiles": what the VPC-level features table has a no for."""
    network = find(request, request.text("network"), NETWORK)
    if network is not None and rdma_zone(network):
        raise refusal(request, f"{what} are not supported by the network profile of '{network.id}'.")


def _check_nat(request: Request) -> None:
    router = find(request, request.text("router"), ROUTER)
    assert router is not None  # noqa: S101  (references have been resolved)
    whole = request.text("source_subnetwork_ip_ranges_to_nat")
    if whole == "LIST_OF_SUBNETWORKS" and not request.state.get("subnetwork"):
        raise refusal(request, "LIST_OF_SUBNETWORKS needs at least one subnetwork.")
    manual = request.text("nat_ip_allocate_option") == "MANUAL_ONLY"
    if manual and not (request.state.get("nat_ips") or request.state.get("initial_nat_ips")):
        raise refusal(request, "MANUAL_ONLY needs at least one address in nat_ips.")
    for other in request.contents.of(NAT):
        if other.id == request.identity or router.references != _router_references(
            request, other.state["router"]
        ):
            continue
        if whole.startswith("ALL_") or str(other.state["source_subnetwork_ip_ranges_to_nat"]).startswith(
            "ALL_"
        ):
            raise refusal(
                request, f"'{other.id}' translates the addresses of this network and region already."
            )


def _router_references(request: Request, router: str) -> list[str]:
    found = find(request, router, ROUTER)
    return found.references if found else []


def _own_nat(request: Request) -> None:
    """A NAT is a part of its router: it goes when the router goes."""
    router = find(request, request.text("router"), ROUTER)
    if router is not None:
        request.record.owner = router.key


def _check_address(request: Request) -> None:
    internal = request.text("address_type") == "INTERNAL"
    if request.text("subnetwork") and not internal:
        raise refusal(request, "Subnetwork can only be specified for internal addresses.")


def _address(request: Request, _path: Path) -> str:
    holder = request.record.key
    if request.text("address_type") != "INTERNAL":
        return ranges.external(request.contents, holder)
    subnetwork = find(request, request.text("subnetwork"), SUBNETWORK) or _default_subnetwork(request)
    return ranges.lease(request.contents, subnetwork, holder)


def _reserve(request: Request) -> None:
    """An internal address that was asked for by value."""
    subnetwork = find(request, request.text("subnetwork"), SUBNETWORK) if request.text("subnetwork") else None
    if subnetwork is not None:
        ranges.lease(request.contents, subnetwork, request.record.key, request.text("address"))


def by_value(path: str, *, required: bool) -> Reference:
    """An argument that names a reserved address by its value, as instances do."""

    def found(request: Request, value: str) -> Record | None:
        addresses = request.contents.of(ADDRESS)
        ours = next((one for one in addresses if one.state.get("address") == value), None)
        return ours if ours is not None or required else Record("an address that is not reserved", value, {})

    def missing(request: Request, _steps: Path, value: str) -> str:
        text = f"The address is not reserved in region {region_of(request)}."
        return f"googleapi: Error 400: {field('natIP', value)}. {text}, invalid"

    return Reference(path, found, missing)


def _default_subnetwork(request: Request) -> Record:
    for network in request.contents.of(NETWORK):
        if network.state.get("name") == "default" and network.state.get("project") == request.text("project"):
            for one in subnetworks_of(request.contents, network):
                if one.state["region"] == region_of(request):
                    return one
    raise refusal(request, "Subnetwork must be specified: there is no default subnetwork.")


def _same_network(request: Request) -> None:
    """Subnetworks that are translated must lie in the router's network and region."""
    router = find(request, request.text("router"), ROUTER)
    for one in request.state.get("subnetwork") or []:
        subnetwork = find(request, one["name"], SUBNETWORK)
        if router is None or subnetwork is None:
            continue
        network = network_of(request.contents, subnetwork)
        elsewhere = name_of(str(subnetwork.state["region"])) != region_of(request)
        if network.key not in router.references or elsewhere:
            raise refusal(
                request, f"Subnetwork '{subnetwork.id}' is not in the network and region of the router."
            )


RESOURCES = (
    ResourceType(
        FIREWALL,
        "Firewall",
        "projects/{project}/global/firewalls/{name}",
        known(FIREWALL),
        computed={"direction": "INGRESS", "destination_ranges": [], "enable_logging": False},
        references=[link("network", NETWORK)],
        service="compute.googleapis.com",
        planned=[_plan_firewall],
        checks=[_check_firewall],
    ),
    ResourceType(
        ROUTER,
        "Router",
        "projects/{project}/regions/{region}/routers/{name}",
        known(ROUTER),
        references=[link("network", NETWORK)],
        service="compute.googleapis.com",
        checks=[_check_router],
    ),
    ResourceType(
        NAT,
        "RouterNat",
        "{project}/{region}/{router}/{name}",
        named(NAT),
        computed={
            "nat_ips": [],
            "drain_nat_ips": [],
            "endpoint_types": ["ENDPOINT_TYPE_VM"],
            "auto_network_tier": "PREMIUM",
            "min_ports_per_vm": 64,
            "enable_dynamic_port_allocation": False,
            "enable_endpoint_independent_mapping": False,
        },
        references=[
            name("router", ROUTER, "routers", holds=False),
            link("subnetwork.name", SUBNETWORK),
            link("nat_ips", ADDRESS),
        ],
        service="compute.googleapis.com",
        checks=[_check_nat, _same_network],
        created=[_own_nat],
    ),
    ResourceType(
        ADDRESS,
        "Address",
        "projects/{project}/regions/{region}/addresses/{name}",
        known(ADDRESS),
        computed={
            "address": _address,
            "network_tier": "PREMIUM",
            "purpose": lambda request, _path: (
                "GCE_ENDPOINT" if request.text("address_type") == "INTERNAL" else ""
            ),
            "subnetwork": "",
            "users": [],
        },
        references=[link("subnetwork", SUBNETWORK), link("network", NETWORK)],
        service="compute.googleapis.com",
        checks=[_check_address],
        created=[_reserve],
    ),
)
