from clusterprint.blueprint.vm import VmBlueprint
from clusterprint.derived import node_groups
from clusterprint.rules import _ranges
from clusterprint.rules.kit import UNSET, Context, Finding, Iterator, Severity, rule

_OF_CREATED = ("ssh_source_ranges", "nat", "mtu")
_OF_SUBNETS = ("cidr", "allow_public_cidr")


@rule("VM038", severity=Severity.WARNING, source="The blueprint language: network.existing")
def network_setting_unused(blueprint: VmBlueprint, context: Context) -> Iterator[Finding]:
    """A setting of the network does nothing, because an existing network is used.

    Firewall, NAT and MTU of an existing network are its owner's business. Its subnet exists as well, so
    `cidr` is needed for GPU networks only.

    Remove the setting, or remove `existing`.
    """
    network = blueprint.network
    if network.existing is UNSET:
        return
    fields = [field for field in _OF_CREATED if context.wrote(network, field)]
    cidr = [field for field in _OF_SUBNETS if context.wrote(network, field)]
    # Looked at last, so that an unknown machine type hides nothing else.
    for field in fields:
        yield _unused(field, "an existing network is used", blueprint, context)
    types = [each.machine_type for each in node_groups.groups(blueprint)]
    if cidr and types and all(_ranges.gpu_networks(each) == 0 for each in types):
        who = f"{types[0]} needs" if len(types) == 1 else "the machine types need"
        why = f"{who} no GPU networks, and the nodes' subnet exists"
        for field in cidr:
            yield _unused(field, why, blueprint, context)


def _unused(field: str, why: str, blueprint: VmBlueprint, context: Context) -> Finding:
    return Finding(
        f"network.{field} does nothing: {why}",
        context.at_key(blueprint.network, field),
        also=(context.at_key(blueprint.network, "existing", text="the existing network"),),
        help=f"remove {field}",
    )
