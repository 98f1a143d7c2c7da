"""Networks: what of them a blueprint says, and what follows from the machines."""

import ipaddress
from typing import Any

from clusterprint.importing.source import maps_in
from clusterprint.importing.toolkit.module import Module

_FOLLOWS = (
    *("network_name", "subnetwork_name", "mtu", "ips_per_nat", "network_routing_mode", "network_profile"),
    *(
        "subnetworks_template",
        "network_name_prefix",
        "global_ip_address_range",
        "network_count",
        "subnetwork_cidr_suffix",
    ),
    *(
        "nic_type",
        "enable_internal_traffic",
        "network_description",
        "project_id",
        "region",
        "deployment_name",
        "labels",
    ),
    *(
        "subnetwork_size",
        "default_primary_subnetwork_size",
        "prefix_length",
        "address",
        "delete_default_internet_gateway_routes",
    ),
)
_LUSTRE = {"988", "6988"}


def vpc(module: Module) -> None:
    """A network: that of the cluster has its ranges in the blueprint, all else follows."""
    module.follows(*_FOLLOWS)
    work = module.deployment.work
    work.decide(
        "names and MTUs of networks, NAT, and networks between GPUs follow from the cluster and its machines"
    )
    _firewalls(module)
    is_primary = any(
        module.id in each.use
        for each in module.deployment.modules
        if each.kind in ("scheduler/gke-cluster", "compute/vm-instance")
    ) or _is_first(module)
    subnetworks, ranges = module.get("subnetworks"), module.get("secondary_ranges_list")
    if not is_primary:
        return
    address = _first(subnetworks).get("subnet_ip")
    kind = work.data["kind"]
    if address is not None:
        work.put(module.line("subnetworks"), ("network", "node_cidr" if kind == "gke" else "cidr"), address)
    for each in maps_in(_first(ranges).get("ranges")):
        key = {"pods": "pod_cidr", "services": "service_cidr"}.get(str(each.get("range_name")))
        if key and kind == "gke":
            work.put(module.line("secondary_ranges_list"), ("network", key), each.get("ip_cidr_range"))


def existing(module: Module) -> None:
    """A network that is there."""
    work = module.deployment.work
    module.put("network_name", ("network", "existing", "name"))
    module.put("subnetwork_name", ("network", "existing", "subnetwork"))
    module.follows("project_id", "region")
    if "network" not in work.data:
        work.put(module.at, ("network", "existing"), {"name": "default", "subnetwork": "default"})


def follows(module: Module) -> None:
    """Networks between GPUs, and access to Google's services: both come with what needs them."""
    module.follows(*_FOLLOWS)
    _firewalls(module)


def firewall(module: Module) -> None:
    """Rules of their own: only what file systems need comes by itself."""
    rules = module.raw("ingress_rules")
    module.follows("network_self_link", "egress_rules")
    wanted = {
        str(port)
        for rule in maps_in(rules)
        for allow in maps_in(rule.get("allow"))
        for port in allow.get("ports") or [*rule.get("ports", [])]
    }
    wanted |= {str(port) for rule in maps_in(rules) for port in rule.get("ports") or []}
    if not wanted or not wanted <= _LUSTRE:
        module.gone(
            "firewall rules besides those of the cluster are not made", "make them in a stack of your own"
        )


def _firewalls(module: Module) -> None:
    """Rules that let a network's own addresses in are ours as well; others are said."""
    try:
        rules = maps_in(module.get("firewall_rules"))
        inside = all(
            ipaddress.ip_network(each, strict=False).is_private
            for rule in rules
            for each in rule.get("ranges") or ["0.0.0.0/0"]
        )
    except (TypeError, ValueError):
        inside = False
    if not inside:
        module.lose(
            "firewall_rules",
            "rules that let in addresses of others are not made",
            "make them in a stack of your own",
        )


def _is_first(module: Module) -> bool:
    networks = [each for each in module.deployment.modules if each.kind == "network/vpc"]
    return networks[0] is module


def _first(value: Any) -> dict[str, Any]:
    if isinstance(value, dict):  # secondary_ranges: by the name of the subnet
        return {"ranges": next(iter(value.values()), [])}
    return next(iter(maps_in(value)), {})
