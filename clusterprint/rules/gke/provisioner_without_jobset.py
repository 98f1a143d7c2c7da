from clusterprint.blueprint.gke.blueprint import GkeBlueprint
from clusterprint.blueprint.gke.tpu_provisioner import TpuProvisioner
from clusterprint.rules.kit import Context, Finding, Iterator, Severity, given, rule


@rule("GKE121", severity=Severity.WARNING, source="TPU provisioner: how it works")
def provisioner_without_jobset(
    provisioner: TpuProvisioner, context: Context[GkeBlueprint]
) -> Iterator[Finding]:
    """The TPU provisioner of ai-on-gke is installed without JobSet.

    It creates a pool for each job of a JobSet, and deletes it with the JobSet. Without JobSet, it has nothing
    to do and does not start. The slice provisioner serves jobs without a JobSet, too.

    Add `jobset: {}`, unless JobSet is installed in another way.
    """
    alone = provisioner.controller == "tpu_provisioner"
    if alone and not given(context.blueprint.workloads.jobset):
        yield Finding(
            "the TPU provisioner needs JobSet, which is not installed here",
            context.at_key(provisioner),
            help="add `jobset: {}` to the workloads",
        )
