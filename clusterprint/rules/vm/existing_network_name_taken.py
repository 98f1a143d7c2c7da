from clusterprint import catalog
from clusterprint.blueprint.vm import VmBlueprint
from clusterprint.derived import network_names, node_groups
from clusterprint.rules.kit import UNSET, Context, Finding, Iterator, Severity, known, rule


@rule("VM044", severity=Severity.ERROR)
def existing_network_name_taken(blueprint: VmBlueprint, context: Context) -> Iterator[Finding]:
    existing = blueprint.network.existing
    if existing is UNSET or existing.project not in (UNSET, blueprint.project):
        return
    layouts = [layout for _, layout in known(node_groups.groups(blueprint), node_groups.layout) if layout]
    if any(existing.name in _created(blueprint.name, each) for each in layouts):
        yield Finding(
            f"network {existing.name} is one that this cluster creates for its GPUs",
            context.at(existing, "name"),
            also=(context.at(blueprint, "name", text="names of its resources begin with this"),),
            help="name the nodes' primary network here, or give the cluster another name",
        )


def _created(name: str, layout: catalog.NetworkLayout) -> Iterator[str]:
    """The networks that machines with a layout need besides the primary one."""
    yield from (network_names.gpu_network(name, index) for index in range(layout.extra_vpcs))
    yield from (network_names.rdma_network(name) for _ in range(layout.rdma_vpcs))
