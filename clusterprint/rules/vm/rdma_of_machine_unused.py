from collections.abc import Iterator

from clusterprint import catalog
from clusterprint.blueprint.vm import VmNodes
from clusterprint.diagnostic import Severity
from clusterprint.rules.context import Context
from clusterprint.rules.rule import Finding, rule


@rule("VM168", severity=Severity.WARNING, source="Cluster Toolkit: examples/h4d-vm.yaml")
def rdma_of_machine_unused(nodes: VmNodes, context: Context) -> Iterator[Finding]:
    """The machines have an RDMA interface that is not set up.

    H4D machines talk to each other by RDMA over a second network of a special kind (Falcon), which is not
    built yet. MPI between them goes over their ordinary interface.

    Use them for what runs on one machine, or add the network by hand.
    """
    found = catalog.machine(nodes.machine_type)
    if found is not None and found.series == "h4d":
        yield Finding(
            f"the RDMA interface of {found.name} is not set up: nodes talk over the ordinary one",
            context.at(nodes, "machine_type"),
        )
