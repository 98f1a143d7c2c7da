from collections.abc import Iterator

from clusterprint.blueprint.gke.kubernetes import KubernetesBlueprint
from clusterprint.blueprint.ray.jobs import RayJob, RayService
from clusterprint.blueprint.ray.ray import Head, Worker
from clusterprint.derived.volume_mounts import Workload
from clusterprint.diagnostic import Severity
from clusterprint.rules.context import Context
from clusterprint.rules.gke._mounts import Mounting, all_mounts
from clusterprint.rules.rule import Finding, rule


@rule("GKE213", severity=Severity.ERROR, source="Google Cloud: Parallelstore CSI driver", firm=True)
def second_parallelstore_in_pod(
    _blueprint: KubernetesBlueprint, context: Context[KubernetesBlueprint]
) -> Iterator[Finding]:
    """A pod mounts more than one Parallelstore.

    The client runs in a single sidecar container of the pod, so GKE mounts one instance per pod. The mounts
    of a Ray job or service are added to those of its head and workers.

    Mount one of them, or create one that is as large as both.
    """
    mountings = [each for each in all_mounts(context) if each.volume.kind == "parallelstore"]
    for index, mounting in enumerate(mountings):
        first = next((each for each in mountings[:index] if _in_one_pod(each, mounting)), None)
        if first:
            yield Finding(
                f"{mounting.workload.noun} mounts {mounting.volume.name}, but a pod can mount only one "
                "Parallelstore",
                context.at(mounting.mount, "volume"),
                also=(context.at(first.mount, "volume", text=f"the first one, {first.volume.name}"),),
                help="mount one of them",
            )


def _in_one_pod(first: Mounting, second: Mounting) -> bool:
    if first.volume.name == second.volume.name:
        return False
    return first.workload.part is second.workload.part or _is_added(first.workload, second.workload)


def _is_added(first: Workload, second: Workload) -> bool:
    """Whether the pods of one mount what the other says besides: those of Ray's head and workers."""
    return isinstance(first.part, Head | Worker) and isinstance(second.part, RayJob | RayService)
