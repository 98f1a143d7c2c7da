"""Which machines have networks and placement of their own, and the policies that say the same."""

from clusterprint.importing.toolkit.module import Module
from clusterprint.importing.toolkit.part import Part

#: Machines whose further networks belong to their GPUs or their RDMA cards, and come with them.
DATA_NETWORKS = ("a3-", "a4-", "a4x-", "h4d-")


def policy_of(module: Module) -> Part:
    """What a policy says about workloads."""
    return module.part("workload_policy")


def policy(module: Module) -> None:
    """A policy of its own: pools and groups have theirs by their machines."""
    users = [each for each in module.deployment.modules if module.id in each.use]
    if not any(each.kind in ("compute/gke-node-pool", "compute/vm-instance") for each in users):
        module.gone("no machines of this file use it")
        return
    module.follows("names follow from the cluster's", "name")
    part = policy_of(module)
    part.same("type", "HIGH_THROUGHPUT")
    part.follows("machines and slices are placed by their shape", "accelerator_topology")
