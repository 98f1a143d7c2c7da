from clusterprint.blueprint.gke.kubernetes import KubernetesBlueprint
from clusterprint.rules.gke._cluster_ranges import needs_gpu_networks
from clusterprint.rules.kit import UNSET, Context, Finding, Iterator, Severity, rule

_OF_CREATED = ("node_cidr", "pod_cidr", "service_cidr", "nat", "mtu")
_OF_GPUS = ("cidr", "gpu_cidr", "allow_public_cidr")


@rule("GKE064", severity=Severity.WARNING, source="The blueprint language: network.existing")
def network_setting_without_use(blueprint: KubernetesBlueprint, context: Context) -> Iterator[Finding]:
    """A setting of the network does nothing, because an existing network is used.

    The owner of an existing network manages its ranges, NAT and MTU. Only GPU networks are still created,
    from `gpu_cidr` or a part of `cidr`.

    Remove the setting, or remove `existing`.
    """
    network = blueprint.network
    if network.existing is UNSET:
        return
    unused = _OF_CREATED if needs_gpu_networks(blueprint) else (*_OF_CREATED, *_OF_GPUS)
    for field in unused:
        if context.wrote(network, field):
            yield Finding(
                f"network.{field} does nothing: an existing network is used",
                context.at_key(network, field),
                also=(context.at_key(network, "existing", text="the existing network"),),
                help=f"remove {field}",
            )
