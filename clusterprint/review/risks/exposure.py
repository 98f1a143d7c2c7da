"""What can be reached from outside, and who may do what: only what is open afterwards and was not before."""

from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

from clusterprint.review.delta import Delta, Resource, Values, blocks, get
from clusterprint.review.model import Risk, Severity
from clusterprint.review.risk_names import RiskName
from clusterprint.review.risks._make import About, titled
from clusterprint.review.risks._ranges import is_everyone, is_public, opens_ssh
from clusterprint.review.scene import Scene


class Opening(NamedTuple):
    """One way in. `what` is said after the title of the resource."""

    name: RiskName
    severity: Severity
    what: str
    help: str = ""


_IAP = "let SSH in through Identity-Aware Proxy only (35.235.240.0/20), or name the ranges that need it"


def exposure(scene: Scene) -> Iterator[Risk]:
    """Every way in that the change opens."""
    about = About(scene)
    for delta in scene.deltas:
        reader = _READERS.get(delta.resource.type.removesuffix("_v1"))
        if reader is None or delta.after is None or delta.action in (None, "moved", "removed", "forgotten"):
            continue
        before = set(reader(delta.before)) if delta.before else set()
        for opening in sorted({*reader(delta.after)} - before):
            message = f"{titled(delta)} {opening.what}"
            yield about.risk(opening.name, opening.severity, message, [delta], opening.help)


def _opening(ranges: list[str], *, ssh: bool, ports: str) -> Iterator[Opening]:
    everyone = [each for each in ranges if is_everyone(each)]
    public = [each for each in ranges if is_public(each) and each not in everyone]
    if everyone and ssh:
        yield Opening("public_ssh", "critical", f"opens SSH to the whole internet ({everyone[0]})", _IAP)
    elif everyone:
        yield Opening("open_to_internet", "high", f"opens {ports} to the whole internet ({everyone[0]})")
    elif public and ssh:
        yield Opening("ssh_from_internet", "low", f"opens SSH to {', '.join(sorted(public))}")
    elif public:
        yield Opening("open_to_ranges", "low", f"opens {ports} to {', '.join(sorted(public))}")


def _firewall(resource: Resource) -> Iterator[Opening]:
    values = resource.values
    allowed = blocks(values, "allow")
    if get(values, "direction") == "EGRESS" or get(values, "disabled") is True or not allowed:
        return
    listed = [(str(each.get("protocol", "")), each.get("ports") or []) for each in allowed]
    ssh = any(opens_ssh(protocol, ports) for protocol, ports in listed)
    words = ", ".join(f"{protocol} {' '.join(map(str, ports)) or '(all)'}" for protocol, ports in listed)
    ranges = get(values, "source_ranges")
    narrowed = any(get(values, key) for key in ("source_tags", "source_service_accounts"))
    everyone = [] if narrowed else ["0.0.0.0/0"]
    yield from _opening(
        list(ranges) if isinstance(ranges, list) and ranges else everyone, ssh=ssh, ports=words
    )


def _azure_rule(resource: Resource) -> Iterator[Opening]:
    yield from _azure_opening(resource.values)


def _azure_group(resource: Resource) -> Iterator[Opening]:
    for rule in blocks(resource.values, "security_rule"):
        yield from _azure_opening(rule)


def _azure_opening(values: Values) -> Iterator[Opening]:
    if get(values, "access") != "Allow" or get(values, "direction") != "Inbound":
        return
    ranges = [*(get(values, "source_address_prefixes") or []), get(values, "source_address_prefix") or ""]
    ports = [*(get(values, "destination_port_ranges") or []), get(values, "destination_port_range") or ""]
    protocol = str(get(values, "protocol", "*"))
    named = [str(each) for each in ports if each]
    ssh = opens_ssh("all" if protocol == "*" else protocol, [] if "*" in named else named)
    yield from _opening(
        [str(each) for each in ranges if each], ssh=ssh, ports=f"{protocol} {' '.join(named)}"
    )


def _gke(resource: Resource) -> Iterator[Opening]:
    values = resource.values
    named = [
        str(each.get("cidr_block", ""))
        for each in blocks(values, "master_authorized_networks_config.cidr_blocks")
    ]
    private = get(values, "private_cluster_config.enable_private_endpoint") is True
    closed = get(values, "control_plane_endpoints_config.ip_endpoints_config.enabled") is False
    restricted = get(values, "master_authorized_networks_config") is not None
    if not (private or closed) and (any(map(is_everyone, named)) or not (restricted or named)):
        yield Opening(
            "control_plane_open",
            "high",
            "has a control plane that anybody can reach",
            "name the ranges that need it in cluster.authorized_networks",
        )
    for each in named:
        if not (private or closed) and is_public(each) and not is_everyone(each):
            yield Opening("control_plane_ranges", "low", f"opens its control plane to {each}")
    if get(values, "control_plane_endpoints_config.dns_endpoint_config.allow_external_traffic") is True:
        yield Opening(
            "control_plane_dns", "low", "can be reached by its DNS name, with IAM as the only guard"
        )
    if (
        get(values, "private_cluster_config")
        and get(values, "private_cluster_config.enable_private_nodes") is False
    ):
        yield Opening("public_nodes", "medium", "gives its nodes public addresses")


def _template(resource: Resource) -> Iterator[Opening]:
    for interface in blocks(resource.values, "network_interface"):
        if "access_config" in interface and interface["access_config"] != []:
            yield Opening("public_address", "medium", "gives each node a public address")


def _scale_set(resource: Resource) -> Iterator[Opening]:
    for interface in blocks(resource.values, "network_interface"):
        for configuration in blocks(interface, "ip_configuration"):
            if blocks(configuration, "public_ip_address"):
                yield Opening("public_address", "medium", "gives each node a public address")


def _address(resource: Resource) -> Iterator[Opening]:
    if get(resource.values, "address_type", "EXTERNAL") == "EXTERNAL":
        yield Opening("public_address", "low", "is a public address")


def _azure_address(_: Resource) -> Iterator[Opening]:
    yield Opening("public_address", "medium", "is a public address")


def _service(resource: Resource) -> Iterator[Opening]:
    notes = get(resource.values, "metadata.annotations", {})
    internal = isinstance(notes, dict) and any("internal" in str(each).lower() for each in notes.values())
    if get(resource.values, "spec.type") == "LoadBalancer" and not internal:
        yield Opening("public_address", "high", "is a load balancer on the internet")


def _bucket(resource: Resource) -> Iterator[Opening]:
    if get(resource.values, "public_access_prevention", "inherited") != "enforced":
        yield Opening("public_bucket", "medium", "can be made public: public access is not prevented")


def _key(_: Resource) -> Iterator[Opening]:
    yield Opening(
        "service_account_key",
        "high",
        "is a key that can be copied, and that Terraform keeps in its state",
        "use workload identity or impersonation instead",
    )


_READERS: dict[str, Callable[[Resource], Iterator[Opening]]] = {
    "google_compute_firewall": _firewall,
    "azurerm_network_security_rule": _azure_rule,
    "azurerm_network_security_group": _azure_group,
    "google_container_cluster": _gke,
    "google_compute_instance_template": _template,
    "google_compute_region_instance_template": _template,
    "google_compute_instance": _template,
    "azurerm_linux_virtual_machine_scale_set": _scale_set,
    "azurerm_orchestrated_virtual_machine_scale_set": _scale_set,
    "google_compute_address": _address,
    "google_compute_global_address": _address,
    "azurerm_public_ip": _azure_address,
    "kubernetes_service": _service,
    "google_storage_bucket": _bucket,
    "google_service_account_key": _key,
}


# ---- who may do what

_EVERYBODY = ("allUsers", "allAuthenticatedUsers")

_BROAD = (
    "roles/owner", "roles/editor", "roles/iam.serviceAccountTokenCreator", "roles/iam.serviceAccountUser",
    "roles/iam.serviceAccountKeyAdmin", "roles/resourcemanager.projectIamAdmin", "Owner", "Contributor",
    "User Access Administrator", "Role Based Access Control Administrator", "cluster-admin",
)  # fmt: skip

# What every node of any cluster needs, and what gives nobody power over anything.
_HARMLESS = ("roles/logging.logWriter", "roles/monitoring.metricWriter")


def grants(scene: Scene) -> Iterator[Risk]:
    """Rights that somebody gets: everybody's and broad ones one by one, the others together."""
    about = About(scene)
    ordinary: list[Delta] = []
    for delta in scene.deltas:
        if delta.after is None or delta.action not in ("added", "changed", "replaced"):
            continue
        role, members = _grant(delta.after.values)
        if not role or (delta.before and _grant(delta.before.values) == (role, members)):
            continue
        if any(each in _EVERYBODY for each in members):
            message = f"{titled(delta)} is granted to everybody ({', '.join(members)})"
            yield about.risk("public_iam", "critical", message, [delta])
        elif role in _BROAD or role.endswith((".admin", "Admin")):
            message = f"{titled(delta)} is granted: that is power over much more than this cluster needs"
            yield about.risk("broad_role", "high", message, [delta], "grant a narrower role")
        elif role not in _HARMLESS:
            ordinary.append(delta)
    if ordinary:
        names = ", ".join(dict.fromkeys(titled(each) for each in ordinary))
        severity: Severity = "low" if scene.status == "added" else "medium"
        yield about.risk("iam_granted", severity, f"granted: {names}", ordinary)


def _grant(values: dict[str, Any]) -> tuple[str, tuple[str, ...]]:
    """The role and the members of a grant; an empty role for what is none."""
    role = get(values, "role") or get(values, "role_definition_name")
    if get(values, "role_ref.name") and get(values, "role_ref.kind") == "ClusterRole":
        role = get(values, "role_ref.name")
    if not isinstance(role, str):
        return "", ()
    members = get(values, "members") or [get(values, "member") or get(values, "principal_id") or ""]
    return role, tuple(str(each) for each in members)
