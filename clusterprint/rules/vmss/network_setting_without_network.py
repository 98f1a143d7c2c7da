from clusterprint.blueprint.vmss_network import VmssNetwork
from clusterprint.rules.kit import UNSET, Context, Finding, Iterator, Severity, rule

_OF_CREATED = ("cidr", "nat", "bastion")


@rule("AZ036", severity=Severity.WARNING, source="The blueprint language: network.existing")
def network_setting_without_network(network: VmssNetwork, context: Context) -> Iterator[Finding]:
    """A setting of the network does nothing, because an existing subnet is used.

    The owner of an existing network manages its range, its outbound access and its Bastion.

    Remove the setting, or remove `existing`.
    """
    if network.existing is UNSET:
        return
    for field in _OF_CREATED:
        if context.wrote(network, field):
            yield Finding(
                f"network.{field} does nothing: an existing subnet is used",
                context.at_key(network, field),
                also=(context.at_key(network, "existing", text="the existing subnet"),),
                help=f"remove {field}",
            )
