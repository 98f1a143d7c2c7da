from clusterprint.blueprint.gke.blueprint import GkeBlueprint
from clusterprint.blueprint.gke.tpu_provisioner import TpuProvisioner
from clusterprint.derived.provisioner import provisions_queued
from clusterprint.rules.kit import Context, Finding, Iterator, Severity, given, rule


@rule("GKE316", severity=Severity.WARNING, source="TPU provisioner: how it works")
def queues_beside_other_provisioner(
    provisioner: TpuProvisioner, context: Context[GkeBlueprint]
) -> Iterator[Finding]:
    """The TPU provisioner of ai-on-gke creates pools on which jobs in queues cannot run.

    Kueue makes the pods of a job select the node pool in which it has room for them. The TPU provisioner of
    ai-on-gke creates another pool for these pods. They never run on it, and it stays as long as the job.

    Use the slice provisioner, for whose pools Kueue has a flavor. If no job in a queue requests TPUs, ignore
    this.
    """
    kueue = context.blueprint.workloads.kueue
    if given(kueue) and not provisions_queued(provisioner):
        yield Finding(
            "the TPU provisioner of ai-on-gke creates pools on which jobs in queues cannot run",
            context.at(provisioner, "controller"),
            also=(context.at_key(kueue, text="the queues"),),
            help="use the slice provisioner: remove `controller`, and `image` if it is that of the other one",
        )
