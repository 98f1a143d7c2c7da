"""Whether a pod can run on the nodes of a pool: its requirements against labels, taints and sizes."""

import re
from collections.abc import Mapping
from decimal import Decimal

from msgspec import Struct

from clusterprint_provisioner.identity import Identity
from clusterprint_provisioner.objects import NODE_POOL, SLICES, Expression, PodSpec, Term
from clusterprint_provisioner.offers import FLEX_START, RESERVATION, RESERVATION_PROJECT, SPOT, Offer
from clusterprint_provisioner.settings import TPU, Settings
from clusterprint_provisioner.shapes import ACCELERATOR, GPU, MACHINE, TOPOLOGY, Shape, sizes

#: The pods of nodes are few, and a range of addresses is soon used up by large slices.
PODS_PER_NODE = "15"
#: Labels of nodes that name pools.
POOLS = (NODE_POOL, SLICES)
_ARCH = "kubernetes.io/arch"
_PROVISIONING = "cloud.google.com/gke-provisioning"
_BOOT_DISK = "cloud.google.com/gke-boot-disk"
_QUANTITY = re.compile(r"([+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d{1,3})?)((?:[KMGTPE]i)|[numkMGTPE]|)")
#: Names and places that are given to nodes when they are created: a value of these never fits a new pool.
_NEW = ("kubernetes.io/hostname", "metadata.name", "cloud.google.com/gce-topology-")
#: Labels that follow from the cluster, from its add-ons or from Google's defaults, which are not known here.
_NOT_KNOWN = (
    *("addon.gke.io/", "networking.gke.io/", "node.gke.io/", "feature.node.kubernetes.io/"),
    "cloud.google.com/gke-cpu-scaling-level",
    "cloud.google.com/gke-dpv2-unified-cni",
    "cloud.google.com/gke-ephemeral-storage-local-ssd",
    "cloud.google.com/gke-gpu",
    "cloud.google.com/gke-local-nvme-ssd",
    "cloud.google.com/gke-logging-variant",
    "cloud.google.com/gke-memory-gb-scaling-level",
    "cloud.google.com/gke-netd-ready",
    "cloud.google.com/gke-networking-dra-driver",
    "cloud.google.com/gke-placement-group",
    "cloud.google.com/gke-stack-type",
    "cloud.google.com/private-node",
)


class Nodes(Struct, frozen=True):
    """The nodes of a pool. `unknown` are keys, or beginnings of keys, of labels that they may have.

    `size` is what the machine has, in units of Kubernetes (vCPUs, bytes), of which GKE keeps a part.
    """

    labels: dict[str, str]
    unknown: tuple[str, ...]
    is_arm: bool
    size: dict[str, int]


def nodes_of(  # noqa: PLR0913 - all that labels of nodes follow from
    spec: PodSpec, shape: Shape, offer: Offer, settings: Settings, *, pool: str, own: Mapping[str, str]
) -> Nodes:
    """The nodes of a pool of this name for such pods; `own` are the labels that the pool gives them."""
    region = offer.zone.rpartition("-")[0]
    is_arm = shape.machine.startswith("a4x-")
    labels = {
        **own,
        **_each("arch", "arm64" if is_arm else "amd64"),
        **_each("os", "linux"),
        **dict.fromkeys((MACHINE, "beta.kubernetes.io/instance-type"), shape.machine),
        **dict.fromkeys(
            ("topology.kubernetes.io/zone", "topology.gke.io/zone", "failure-domain.beta.kubernetes.io/zone"),
            offer.zone,
        ),
        **dict.fromkeys(
            ("topology.kubernetes.io/region", "failure-domain.beta.kubernetes.io/region"), region
        ),
        NODE_POOL: pool,
        "cloud.google.com/machine-family": shape.machine.partition("-")[0],
        "cloud.google.com/gke-accelerator-count": str(shape.chips // shape.nodes),
        "cloud.google.com/gke-container-runtime": "containerd",
        "cloud.google.com/gke-max-pods-per-node": PODS_PER_NODE,
        "cloud.google.com/gke-os-distribution": "cos",
        "iam.gke.io/gke-metadata-server-enabled": "true",
        **_accelerator(spec, shape),
        **_capacity(offer),
    }
    unknown = (*_NOT_KNOWN, *((_PROVISIONING,) if offer.model == "flex-start" else ()))
    if settings.node_disk_type:
        labels[_BOOT_DISK] = settings.node_disk_type
    else:
        unknown = (*unknown, _BOOT_DISK)
    return Nodes(labels, unknown, is_arm, _size(shape))


def own_labels(labels: Mapping[str, str], identity: Identity) -> dict[str, str]:
    """The labels that a pool of ours gives its nodes."""
    return {**labels, **identity.labels}


def _size(shape: Shape) -> dict[str, int]:
    """Without what the catalog does not know of the machine."""
    said = zip(("cpu", "memory"), sizes().get(shape.machine, ()), (1, 1 << 30), strict=False)
    other = TPU if shape.gpu else "nvidia.com/gpu"
    return {**{name: amount * unit for name, amount, unit in said}, other: 0}


def _each(name: str, value: str) -> dict[str, str]:
    return {f"kubernetes.io/{name}": value, f"beta.kubernetes.io/{name}": value}


def _accelerator(spec: PodSpec, shape: Shape) -> dict[str, str]:
    if shape.gpu:
        return {GPU: shape.gpu, "cloud.google.com/gke-gpu-driver-version": "default"}
    return {key: spec.node_selector[key] for key in (ACCELERATOR, TOPOLOGY) if key in spec.node_selector}


def _capacity(offer: Offer) -> dict[str, str]:
    if offer.model == "spot":
        return {SPOT: "true", _PROVISIONING: "spot"}
    if offer.model == "flex-start":
        return {FLEX_START: "true"}
    labels = {_PROVISIONING: "standard"}
    if offer.model == "reservation":
        path = offer.reservation.split("/")
        labels |= {RESERVATION: path[-1], "cloud.google.com/reservation-affinity": "specific"}
        if len(path) > 1:
            labels[RESERVATION_PROJECT] = path[1]
    return labels


def misfit(spec: PodSpec, nodes: Nodes) -> str:
    """Why a pod cannot run on these nodes, and what to do about it; empty if it can."""
    selected = (Expression(key, "In", (value,)) for key, value in sorted(spec.node_selector.items()))
    why = next((why for each in selected if (why := _missing(each, nodes))), "")
    required = spec.affinity.node_affinity.required
    if not why and required is not None:
        reasons = [_missing_of(term, nodes) for term in required.node_selector_terms]
        if all(reasons):
            why = "; or ".join(dict.fromkeys(reasons)) or "one of no terms"
    if why:
        return f"its pods require {why}: remove that requirement"
    if too_large := next((why for each in nodes.size if (why := _too_large(each, spec, nodes))), ""):
        return too_large
    # Other taints of such pools are there for pods that tolerate them, or are tolerated with the chips.
    if nodes.is_arm and not _is_ready_for_arm(spec):
        return f"its pods do not tolerate {_ARCH}=arm64:NoSchedule, a taint of its nodes: add that toleration"
    return ""


def pinned_to(spec: PodSpec) -> tuple[tuple[str, str], ...]:
    """The labels by which a pod names pools that exist, if it can run on the nodes of these only."""
    if selected := tuple((key, spec.node_selector[key]) for key in POOLS if key in spec.node_selector):
        return selected
    required = spec.affinity.node_affinity.required
    terms = required.node_selector_terms if required else ()
    named = [
        [(each.key, name) for each in term.match_expressions if _names_pools(each) for name in each.values]
        for term in terms
    ]
    return tuple(name for names in named for name in names) if all(named) else ()


def _names_pools(expression: Expression) -> bool:
    return expression.key in POOLS and expression.operator == "In"


def _missing_of(term: Term, nodes: Nodes) -> str:
    """Why a term does not match; an empty one matches no nodes."""
    said = (*term.match_expressions, *term.match_fields)
    return next((why for each in said if (why := _missing(each, nodes))), "" if said else "an empty term")


def _missing(said: Expression, nodes: Nodes) -> str:
    """Why these nodes do not match an expression; empty if they do, or may."""
    if said.key.startswith(nodes.unknown):
        return ""
    is_new, value = said.key.startswith(_NEW), nodes.labels.get(said.key)
    has = is_new or value is not None
    fits = {
        "In": value in said.values,
        "NotIn": value not in said.values,
        "Exists": has,
        "DoesNotExist": not has,
        "Gt": _compares(value, said, more=True),
        "Lt": _compares(value, said, more=False),
    }
    if fits.get(said.operator, False):
        return ""
    values = ", ".join(said.values)
    shown = {"In": f"{said.key}: {values}"}.get(said.operator, f"{said.key} {said.operator} {values}".strip())
    if is_new:
        return f"{shown}, and nodes get that only when they are created"
    return f"{shown}, and its nodes have {'no such label' if value is None else value}"


def _too_large(name: str, spec: PodSpec, nodes: Nodes) -> str:
    """Why there is no room even on an empty node. GKE keeps a part of all that a machine has."""
    requests = [each.resources.requests.get(name, 0) for each in spec.containers]
    asked, has = sum(map(_quantity, requests), Decimal(0)), nodes.size[name]
    if asked < has or not asked:
        return ""
    said = " + ".join(str(each) for each in requests if _quantity(each))
    if not has:
        return f"its pods request {said} of {name}, and its nodes have none: remove that request"
    shown = f"{has >> 30}Gi" if name == "memory" else str(has)
    return f"its pods request {said} of {name}, and its nodes have {shown}, less what GKE keeps: request less"


def _quantity(said: str | float) -> Decimal:
    """A quantity of Kubernetes as a number; 0 for one that cannot be read, which then keeps nobody away."""
    found = _QUANTITY.fullmatch(str(said))
    if found is None:
        return Decimal(0)
    number, suffix = Decimal(found[1]), found[2]
    if suffix.endswith("i"):
        return number * Decimal(1024) ** ("KMGTPE".index(suffix[0]) + 1)
    return number * Decimal(10) ** (3 * ("num kMGTPE".index(suffix) - 3) if suffix else 0)


def _compares(value: str | None, said: Expression, *, more: bool) -> bool:
    """As the scheduler does it: whole numbers, and exactly one to compare with."""
    try:
        (limit,) = said.values
        found, limit_ = int(value or ""), int(limit)
    except ValueError:
        return False
    return found > limit_ if more else found < limit_


def _is_ready_for_arm(spec: PodSpec) -> bool:
    """GKE tolerates the taint in the name of pods that select the architecture."""
    return spec.node_selector.get(_ARCH) == "arm64" or any(
        each.accepts(_ARCH, "arm64") for each in spec.tolerations
    )
