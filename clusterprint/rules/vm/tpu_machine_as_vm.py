from clusterprint.blueprint.vm_nodes import VmNodes
from clusterprint.catalog import tpu_type_of
from clusterprint.rules.kit import Context, Finding, Iterator, Severity, rule


@rule("VM001", severity=Severity.ERROR, source="Google Cloud: about TPUs in GKE", firm=True)
def tpu_machine_as_vm(nodes: VmNodes, context: Context) -> Iterator[Finding]:
    """The machine type has TPUs, and this kind of cluster is made of GPU machines.

    Machine types with TPUs are for node pools of GKE; there is no instance template of them.

    Write a machine type with GPUs, or describe the cluster as `kind: gke`.
    """
    tpu = tpu_type_of(nodes.machine_type)
    if tpu is None:
        return
    yield Finding(
        f"{nodes.machine_type} is a TPU {tpu.name} machine, which kind: vm cannot build",
        context.at(nodes, "machine_type"),
        help="use kind: gke, or a machine type that `clusterprint machines` lists with GPUs",
    )
