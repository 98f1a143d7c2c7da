from clusterprint.blueprint.gke.kubernetes import KubernetesBlueprint
from clusterprint.blueprint.gke.tpu_provisioner import TpuProvisioner
from clusterprint.rules.kit import Context, Finding, Iterator, Severity, given, rule


@rule("GKE310", severity=Severity.ERROR, source="TPU provisioner: how it works")
def provisioner_that_knows_no_such_setting(
    provisioner: TpuProvisioner, context: Context[KubernetesBlueprint]
) -> Iterator[Finding]:
    """The TPU provisioner of ai-on-gke is given further zones or limits.

    It creates pools in one zone, as many as there are jobs. Only the slice provisioner has these settings.

    Remove them, or use the slice provisioner: remove `controller` and its `image`.
    """
    if provisioner.controller != "tpu_provisioner":
        return
    settings = {
        "fallback_zones": bool(provisioner.fallback_zones),
        "max_pools_per_namespace": given(provisioner.max_pools_per_namespace),
        "max_chips_per_namespace": given(provisioner.max_chips_per_namespace),
    }
    for name, is_given in settings.items():
        if is_given:
            yield Finding(
                f"the TPU provisioner of ai-on-gke does not support {name}",
                context.at(provisioner, name),
                also=(context.at(provisioner, "controller", text="the controller"),),
                help="remove it, or use the slice provisioner",
            )
