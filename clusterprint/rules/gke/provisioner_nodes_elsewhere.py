from clusterprint.blueprint.gke.kubernetes import KubernetesBlueprint
from clusterprint.blueprint.gke.tpu_provisioner import TpuProvisioner
from clusterprint.derived import existing
from clusterprint.rules.kit import Context, Finding, Iterator, Severity, rule


@rule("GKE297", severity=Severity.ERROR, source="Google Cloud: IAM custom roles", firm=True)
def provisioner_nodes_elsewhere(
    provisioner: TpuProvisioner, context: Context[KubernetesBlueprint]
) -> Iterator[Finding]:
    """The TPU provisioner would create pools in a cluster of another project, in which it has no rights.

    Its account and its role are in the project of the blueprint.

    Write the project of the cluster in the blueprint.
    """
    blueprint = context.blueprint
    home = existing.project_of(blueprint)
    if home != blueprint.project:
        yield Finding(
            f"the TPU provisioner has no rights in project {home}",
            context.at_key(provisioner),
            also=(context.at(blueprint, "project", text="the project of its account"),),
            help=f"write project: {home}",
        )
