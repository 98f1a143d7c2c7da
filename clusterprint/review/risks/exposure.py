"""Exposure and permissions: only what is open after the change and was not before."""

import re
from collections.abc import Callable, Iterator
from typing import NamedTuple

from clusterprint.resource_types import resource_type
from clusterprint.review import ideas
from clusterprint.review.compared import ComparedCluster
from clusterprint.review.delta import Delta, Resource, Values, blocks, get, texts
from clusterprint.review.model import Risk, Severity
from clusterprint.review.objects import objects_of
from clusterprint.review.risks import kubernetes, machines
from clusterprint.review.risks._make import About, titled
from clusterprint.review.risks._opening import Opening
from clusterprint.review.risks._ranges import is_everybody, is_everyone, is_public, opens_ssh

_IAP = "let SSH in through Identity-Aware Proxy only (35.235.240.0/20), or name the ranges that need it"
_AZURE = "name the ranges that need it, or let SSH in through Azure Bastion only"


def exposure(scene: ComparedCluster) -> Iterator[Risk]:
    """Every way in that the change opens."""
    about = About(scene)
    for delta in scene.deltas:
        reader = _reader(delta.resource.type)
        if reader is None or delta.after is None or delta.action in (None, "moved", "removed", "forgotten"):
            continue
        before = set(reader(delta.before)) if delta.before else set()
        for opening in sorted({*reader(delta.after)} - before):
            message = f"{opening.of or titled(delta)} {opening.what}"
            yield about.risk(
                opening.name,
                opening.severity,
                message,
                [delta],
                opening.help,
                hint=opening.hint,
                place=scene.manifests.get(opening.key),
            )


def _reader(type_: str) -> Callable[[Resource], Iterator[Opening]] | None:
    if type_.startswith(("kubernetes_", "kubectl_", "helm_")):
        return kubernetes.openings
    return _READERS.get(resource_type(type_).openings or "")


def _opening(ranges: list[str], *, ssh: bool, ports: str, help_text: str) -> Iterator[Opening]:
    everyone = [each for each in ranges if is_everyone(each)]
    if not everyone and is_everybody(ranges):
        everyone = [f"{len(ranges)} ranges"]
    public = [each for each in ranges if is_public(each) and each not in everyone]
    if everyone and ssh:
        yield Opening("public_ssh", "critical", f"opens SSH to the whole internet ({everyone[0]})", help_text)
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
    listed = [(str(each.get("protocol", "")), texts(each.get("ports"))) for each in allowed]
    ssh = any(opens_ssh(protocol, ports) for protocol, ports in listed)
    words = ", ".join(f"{protocol} {' '.join(map(str, ports)) or '(all)'}" for protocol, ports in listed)
    ranges = texts(get(values, "source_ranges"))
    narrowed = any(get(values, key) for key in ("source_tags", "source_service_accounts"))
    everyone = [] if narrowed else ["0.0.0.0/0"]
    yield from _opening(
        ranges or everyone,
        ssh=ssh,
        ports=words,
        help_text=_IAP,
    )


def _azure_rule(resource: Resource) -> Iterator[Opening]:
    yield from _azure_opening(resource.values)


def _azure_group(resource: Resource) -> Iterator[Opening]:
    for rule in blocks(resource.values, "security_rule"):
        yield from _azure_opening(rule)


def _azure_opening(values: Values) -> Iterator[Opening]:
    if get(values, "access") != "Allow" or get(values, "direction") != "Inbound":
        return
    ranges, named = (
        [*texts(get(values, f"{key}{many}")), *texts(get(values, key))]
        for key, many in (("source_address_prefix", "es"), ("destination_port_range", "s"))
    )
    protocol = str(get(values, "protocol", "*"))
    ssh = opens_ssh("all" if protocol == "*" else protocol, [] if "*" in named else named)
    yield from _opening(
        ranges,
        ssh=ssh,
        ports=f"{protocol} {' '.join(named)}",
        help_text=_AZURE,
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
    if not (private or closed) and (is_everybody(named) or not (restricted or named)):
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
    "firewall": _firewall,
    "azure rule": _azure_rule,
    "azure group": _azure_group,
    "gke": _gke,
    "machine": machines.openings,
    "node pool": machines.pool_openings,
    "scale set": _scale_set,
    "address": _address,
    "azure address": _azure_address,
    "bucket": _bucket,
    "key": _key,
}


# ---- who may do what

_EVERYBODY = ("allUsers", "allAuthenticatedUsers", *kubernetes.ANYBODY)

_BROAD = (
    "roles/owner", "roles/editor", "roles/iam.serviceAccountTokenCreator", "roles/iam.serviceAccountUser",
    "roles/iam.serviceAccountKeyAdmin", "roles/resourcemanager.projectIamAdmin", "Owner", "Contributor",
    "User Access Administrator", "Role Based Access Control Administrator",
)  # fmt: skip

# What every node of any cluster needs, and what gives nobody power over anything.
_HARMLESS = ("roles/logging.logWriter", "roles/monitoring.metricWriter")


class Grant(NamedTuple):
    """A role that somebody gets; `key` is the object of a manifest that says so."""

    title: str
    role: str
    members: tuple[str, ...]
    broad: bool
    key: str = ""


def grants(scene: ComparedCluster) -> Iterator[Risk]:
    """Rights that somebody gets: everybody's and broad ones one by one, the others together."""
    about = About(scene)
    ordinary: list[tuple[Grant, Delta]] = []
    for delta in scene.deltas:
        if delta.after is None or delta.action not in ("added", "changed", "replaced"):
            continue
        before = set(_grants(delta.before)) if delta.before else set()
        for grant in _grants(delta.after):
            place = scene.manifests.get(grant.key)
            if grant in before:
                continue
            if any(each in _EVERYBODY for each in grant.members):
                message = f"{grant.title} is granted to everybody ({', '.join(grant.members)})"
                yield about.risk("public_iam", "critical", message, [delta], place=place)
            elif grant.broad:
                message = f"{grant.title} is granted, which gives far more power than this cluster needs"
                yield about.risk("broad_role", "high", message, [delta], "grant a narrower role", place=place)
            elif grant.role not in _HARMLESS:
                ordinary.append((grant, delta))
    if ordinary:
        names = ", ".join(dict.fromkeys(_spelled_out(grant.title, scene) for grant, _ in ordinary))
        severity: Severity = "low" if scene.status == "added" else "medium"
        found = list(dict.fromkeys(delta.resource.address for _, delta in ordinary))
        deltas = [next(delta for _, delta in ordinary if delta.resource.address == each) for each in found]
        place = scene.manifests.get(ordinary[0][0].key)
        yield about.risk("iam_granted", severity, f"granted: {names}", deltas, place=place)


# A role that the stack makes itself, where it is granted.
_OWN_ROLE = re.compile(r"\$\{(google_project_iam_custom_role\.[\w-]+)\.\w+\}")


def _spelled_out(title: str, scene: ComparedCluster) -> str:
    """A title with what a role of the stack's own allows, in place of its address."""
    own = {delta.after.address: delta.after.values for delta in scene.deltas if delta.after is not None}

    def spelled(found: re.Match[str]) -> str:
        role = own.get(found[1])
        if role is None:
            return found[0]
        return f"{get(role, 'role_id')} ({', '.join(texts(get(role, 'permissions')))})"

    return _OWN_ROLE.sub(spelled, title)


def _grants(resource: Resource) -> Iterator[Grant]:
    for found in objects_of(resource):
        role, subjects, broad = kubernetes.binding(found)
        if role:
            title = ideas.title(resource) if found.typed else found.title
            yield Grant(f"{title} ({role})", role, subjects, broad, found.key)
    values = resource.values
    role = get(values, "role") or get(values, "role_definition_name")
    if isinstance(role, str) and not resource.type.startswith(("kubernetes_", "helm_")):
        members = texts(get(values, "members")) or texts(get(values, "member") or get(values, "principal_id"))
        broad = role in _BROAD or role.endswith((".admin", "Admin"))
        yield Grant(ideas.title(resource), role, tuple(members), broad)
