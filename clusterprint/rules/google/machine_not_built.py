from clusterprint.blueprint.vm_nodes import VmNodes
from clusterprint.catalog import machine
from clusterprint.rules.kit import Context, Finding, Iterator, Severity, rule


@rule(
    "GCP017",
    severity=Severity.ERROR,
    source="Google Cloud: machine types; Cluster Toolkit: gke-a4x-max-bm",
    firm=True,
)
def machine_not_built(nodes: VmNodes, context: Context) -> Iterator[Finding]:
    """The machine type needs something that clusterprint does not build for kind vm.

    A few of the newest machine types have interfaces and networks like no other. GKE connects them itself.

    Use another machine type, or kind gke or ray.
    """
    found = machine(nodes.machine_type)
    if found is None or not found.supported_on_vm:
        return
    yield Finding(
        f"{found.name} cannot be built as a machine of kind vm yet",
        context.at(nodes, "machine_type"),
        help=f"{found.supported_on_vm}; use another machine type, or a node pool of kind gke",
    )
