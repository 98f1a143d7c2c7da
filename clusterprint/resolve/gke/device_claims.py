"""Interfaces that GKE connects nodes by, as pods ask for them (DRANET)."""

from collections.abc import Iterable

from clusterprint.blueprint.gke.pools import NodePool
from clusterprint.derived import node_pools
from clusterprint.plan.kubernetes import DeviceClaimPlan

#: What GKE puts on nodes whose networks it makes; pods have to select their nodes by it.
PROFILE_LABEL = "gke.networks.io/accelerator-network-profile"

#: By what a pool asks for the driver that hands interfaces out.
DRIVER_LABEL = "cloud.google.com/gke-networking-dra-driver"


def resolve_claim(pool: NodePool) -> DeviceClaimPlan | None:
    """The devices that a pod on a pool claims: all interfaces besides the first, as it has its node alone.

    Where the catalog counts them the claim does, too: a node that lacks one then gets no pod, instead of
    slowing all others down.
    """
    device_class = node_pools.device_class(pool)
    if not device_class or not node_pools.network_profile(pool):
        return None
    machine = node_pools.machine(pool)
    count = machine.network.rdma_nics if machine else 0
    # Templates never change, so another content is another name.
    name = f"{device_class.partition('.')[0]}-{count or 'all'}"
    return DeviceClaimPlan(template=name, device_class=device_class, count=count)


def by_namespace(
    claims: Iterable[tuple[str, DeviceClaimPlan | None]],
) -> dict[str, tuple[DeviceClaimPlan, ...]]:
    """The templates to make in each namespace, each once."""
    found: dict[str, dict[str, DeviceClaimPlan]] = {}
    for namespace, claim in claims:
        if claim:
            found.setdefault(namespace, {})[claim.template] = claim
    return {namespace: tuple(templates.values()) for namespace, templates in sorted(found.items())}
