"""Networks: what of them a blueprint says, and what follows from the machines."""

import ipaddress

from clusterprint.importing.source import maps_in
from clusterprint.importing.toolkit.module import Module
from clusterprint.importing.toolkit.part import Part

_NAMES = ("network_name", "subnetwork_name", "network_name_prefix", "network_description")
_SIZES = (
    *("mtu", "ips_per_nat", "network_routing_mode", "subnetwork_size", "default_primary_subnetwork_size"),
    *("delete_default_internet_gateway_routes", "prefix_length", "address"),
)
# Of networks between GPUs.
_LAYOUT = (
    *("network_profile", "subnetworks_template", "global_ip_address_range", "network_count"),
    *("subnetwork_cidr_suffix", "nic_type", "network_interface_defaults", "subnetwork_private_access"),
    *("subnetworks", "secondary_ranges_list", "secondary_ranges"),
    *("enable_cloud_router", "enable_cloud_nat", "enable_internal_traffic"),
)
_OURS = "names, sizes and MTUs of networks follow from the cluster and its machines"
_BETWEEN = "networks between GPUs follow from the machines"
_PROXIES = "REGIONAL_MANAGED_PROXY"
_OF_PROXIES = ("subnet_name", "subnet_region", "subnet_ip", "region", "purpose", "role", "new_bits")
_LUSTRE = {"988", "6988"}
_USERS = ("scheduler/gke-cluster", "compute/vm-instance", "file-system/filestore")


def vpc(module: Module) -> None:
    """A network: that of the cluster has its ranges in the blueprint, all else follows."""
    if not _is_primary(module):
        follows(module)
        return
    module.follows(_OURS, *_NAMES, *_SIZES)
    _firewalls(module)
    module.same("enable_internal_traffic", True, why="nodes of a network reach each other")
    if module.get("enable_cloud_nat") is False:
        module.deployment.work.put(module.line("enable_cloud_nat"), ("network", "nat"), value=False)
    module.follows("a router comes with NAT", "enable_cloud_router")
    work = module.deployment.work
    kind = work.data["kind"]
    for number, each in enumerate(module.parts("subnetworks")):
        if number:
            if each.get("purpose") == _PROXIES and _has_gateway(module):
                each.follows("proxies of the gateway have a subnet", *_OF_PROXIES)
            continue  # what nobody asks of it is told
        each.follows(_OURS, "subnet_name", "subnet_region", "region", "new_bits")
        address = each.get("subnet_ip")
        if address is not None:
            key = "node_cidr" if kind == "gke" else "cidr"
            work.put(each.line("subnet_ip"), ("network", key), address)
        each.same("subnet_private_access", True, "true")
    _ranges(module, kind)


def _has_gateway(module: Module) -> bool:
    return any(each.on("enable_inference_gateway") for each in module.deployment.modules)


def _ranges(module: Module, kind: str) -> None:
    """Ranges of pods and services, in the old and in the new form."""
    listed = [part for each in module.parts("secondary_ranges_list") for part in _inner(each)]
    by_name = module.part("secondary_ranges")
    listed += [part for name in by_name.names for part in by_name.parts(name)]
    for part in listed:
        if kind != "gke":
            continue
        key = {"pods": "pod_cidr", "services": "service_cidr"}.get(str(part.get("range_name")))
        if key:
            address = part.get("ip_cidr_range")
            module.deployment.work.put(part.line("ip_cidr_range"), ("network", key), address)


def _inner(each: Part) -> list[Part]:
    each.follows(_OURS, "subnetwork_name")
    return each.parts("ranges")


def _is_primary(module: Module) -> bool:
    """Whether it is the network of the cluster: the first that it uses, or the first there is."""
    networks = [each for each in module.deployment.modules if each.kind == "network/vpc"]
    for each in module.deployment.modules:
        if each.kind in _USERS:
            used = [name for name in each.use if any(name == net.id for net in networks)]
            if used:
                return used[0] == module.id
    return networks[0] is module


def existing(module: Module) -> None:
    """A network that is there."""
    work = module.deployment.work
    module.put("network_name", ("network", "existing", "name"))
    module.put("subnetwork_name", ("network", "existing", "subnetwork"))
    project = module.get("project_id")
    if project != work.data["project"]:
        work.put(module.line("project_id"), ("network", "existing", "project"), project)
    found = work.data.get("network", {}).get("existing", {})
    for key, name in (("name", "network_name"), ("subnetwork", "subnetwork_name")):
        if key not in found:
            work.put(module.at, ("network", "existing", key), "default")
            work.decide(f"{name} of {module.id} is left out: it is `default`, as there")


def follows(module: Module) -> None:
    """Networks between GPUs, and access to Google's services: both come with what needs them."""
    module.follows(_BETWEEN, *_NAMES, *_SIZES, *_LAYOUT)
    _firewalls(module)


def private_access(module: Module) -> None:
    """Access to Google's services, for file systems: it comes with them."""
    module.same("service_name", "servicenetworking.googleapis.com", "netapp.servicenetworking.goog")
    module.follows(
        "private service access comes with the file systems", "prefix_length", "address", "network_id"
    )
    module.follows("private service access goes with the network", "deletion_policy")


def firewall(module: Module) -> None:
    """Rules of their own: only what file systems need comes by itself."""
    rules = maps_in(module.refers("ingress_rules"))
    wanted = {
        str(port)
        for rule in rules
        for allow in [rule, *maps_in(rule.get("allow"))]
        for port in allow.get("ports") or []
    }
    if not wanted or not wanted <= _LUSTRE:
        module.gone(
            "firewall rules besides those of the cluster are not created",
            "create them in a stack of your own",
        )
        return
    module.follows("firewall rules for Lustre come with the volume", "ingress_rules", "network_self_link")


def _firewalls(module: Module) -> None:
    """Rules that let a network's own addresses in are ours as well; others are said."""
    ranges = [part.get("ranges") or ["0.0.0.0/0"] for part in module.parts("firewall_rules")]
    try:
        inside = all(
            ipaddress.ip_network(each, strict=False).is_private for listed in ranges for each in listed
        )
    except (TypeError, ValueError):
        inside = False
    if inside:
        module.settle("firewall_rules")
        module.follows("nodes of a network reach each other", "firewall_rules")
        return
    module.settle("firewall_rules")
    module.lost(
        "firewall_rules",
        "rules that open the network to other addresses are not created",
        "create them in a stack of your own",
    )
