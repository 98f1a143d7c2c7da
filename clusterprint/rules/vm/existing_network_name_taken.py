from collections.abc import Iterator

from msgspec import UNSET

from clusterprint import catalog
from clusterprint.blueprint.vm import VmBlueprint
from clusterprint.derived import names
from clusterprint.diagnostic import Severity
from clusterprint.rules.context import Context
from clusterprint.rules.rule import Finding, rule


@rule("VM044", severity=Severity.ERROR, source="Google Cloud VPC: names of networks are unique in a project")
def existing_network_name_taken(blueprint: VmBlueprint, context: Context) -> Iterator[Finding]:
    """The existing network has the name of a GPU network that this cluster creates.

    Networks of a project have different names, so creating the GPU network would fail; and no two
    interfaces of a machine may be in the same network.

    Name the nodes' primary network in `existing`, or give the cluster another name.
    """
    existing = blueprint.network.existing
    if existing is UNSET or existing.project not in (UNSET, blueprint.project):
        return
    machine = catalog.machine(blueprint.nodes.machine_type)
    if machine is None:
        return
    created = [names.gpu_network(blueprint.name, index) for index in range(machine.network.extra_vpcs)]
    if machine.network.rdma_vpcs:
        created.append(names.rdma_network(blueprint.name))
    if existing.name in created:
        yield Finding(
            f"network {existing.name} is one that this cluster creates for its GPUs",
            context.at(existing, "name"),
            also=(context.at(blueprint, "name", text="names of its resources begin with this"),),
            help="name the nodes' primary network here, or give the cluster another name",
        )
