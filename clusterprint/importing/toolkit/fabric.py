"""Which machines have networks and placement of their own, and the policies that say the same."""

from clusterprint import catalog
from clusterprint.derived import network_names
from clusterprint.importing.toolkit.module import Module
from clusterprint.importing.toolkit.part import Part

#: Machines whose further networks belong to their GPUs or their RDMA cards, and come with them.
DATA_NETWORKS = ("a3-", "a4-", "a4x-", "h4d-")

# What Cluster Toolkit makes with pools whose networks GKE manages: pods claim interfaces by this name.
_CLAIMS = """\
apiVersion: resource.k8s.io/v1
kind: ResourceClaimTemplate
metadata: {{name: default-rdma, namespace: default}}
spec:
  spec:
    devices:
      requests:
        - name: req-mrdma
          exactly: {{deviceClassName: {device_class}, allocationMode: {mode}}}
"""


def claims(module: Module) -> None:
    """The template by which pods of the file's own jobs claim interfaces."""
    manifest = {
        "inline": _CLAIMS.format(
            device_class=module.get("dranet_device_class_name", "mrdma.google.com"),
            mode=module.get("dranet_allocation_mode", "All"),
        )
    }
    work = module.deployment.work
    if manifest not in work.data.get("workloads", {}).get("manifests", []):
        work.append(module.line("enable_dranet"), ("workloads", "manifests"), manifest)


def names_of_networks(module: Module, machine_type: str) -> None:
    """Networks come with their machines, and pods that ask for them by name find other names."""
    used = [each.id for each in module.uses("network/multivpc", "network/gpu-rdma-vpc", "network/vpc")]
    if not used and not module.says("additional_networks"):
        return
    at = ("use", module.use.index(used[0])) if used else ("settings", "additional_networks")
    module.refers("additional_networks")
    machine = catalog.machine(machine_type)
    if machine is None or machine.network.managed_only:
        module.follows(
            "GKE makes the networks of these machines: pods claim interfaces", "additional_networks"
        )
        return
    layout = machine.network
    if layout.gpudirect in ("TCPX", "TCPXO"):
        ours = f"gpu-0 to gpu-{layout.extra_vpcs - 1}"
    else:
        rdma = network_names.zonal_rdma(str(module.deployment.variable("zone") or ""), layout.rdma_word)
        names = [f"{rdma}-0 to {rdma}-{layout.rdma_subnets - 1}" if layout.rdma_subnets > 1 else f"{rdma}-0"]
        ours = ", ".join(["host"] * bool(layout.extra_vpcs) + names)
    theirs = _their_names(module, layout)
    module.deployment.work.say(
        module.source.at((*module.place, *at)),
        "loss",
        f"additional_networks of {module.id}: pods name these networks {ours}, not {theirs}",
        "write these names into networking.gke.io/interfaces of pods; workloads.jobsets have them anyway",
    )


def _their_names(module: Module, layout: catalog.NetworkLayout) -> str:
    """The default names of the first networks of each sort in Cluster Toolkit."""
    found = next(module.uses("scheduler/gke-cluster"), module).part("k8s_network_names")
    names = []
    for sort, first in [("gvnic", 1)] * bool(layout.extra_vpcs) + [("rdma", 0)] * bool(layout.rdma_subnets):
        prefix = found.get(f"{sort}_prefix", "" if found else f"{sort}-")
        start, end = found.get(f"{sort}_start_index", first), found.get(f"{sort}_postfix", "")
        names += [f"{prefix}{start}{end}"] if prefix or end else []
    return " and ".join(names)


def policy_of(module: Module) -> Part:
    """The placement that a policy sets for workloads."""
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
