from clusterprint.blueprint.gke.kubernetes import KubernetesBlueprint
from clusterprint.blueprint.gke.tpu_provisioner import TpuProvisioner
from clusterprint.derived import node_pools
from clusterprint.rules.kit import Context, Finding, Iterator, Severity, given, rule


@rule("GKE123", severity=Severity.WARNING, source="Google Cloud: TPU regions and zones")
def provisioner_zone_guessed(
    provisioner: TpuProvisioner, context: Context[KubernetesBlueprint]
) -> Iterator[Finding]:
    """The zone in which the TPU provisioner creates pools is not given.

    TPUs are in few zones, and the default zone need not be one of them.

    Write `zone` for the provisioner or for the whole cluster.
    """
    blueprint = context.blueprint
    if not given(provisioner.zone) and not given(blueprint.zone):
        zone = node_pools.default_zone(blueprint)
        yield Finding(
            f"the TPU provisioner would create pools in {zone}, because no zone is named",
            context.at_key(provisioner),
            help="add the zone of your TPUs: `zone: ...`",
        )
