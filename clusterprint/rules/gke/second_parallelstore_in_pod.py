from collections.abc import Hashable

from clusterprint.blueprint.gke.kubernetes import KubernetesBlueprint
from clusterprint.blueprint.ray.jobs import RayJob, RayService
from clusterprint.blueprint.ray.ray import Head, Worker
from clusterprint.derived.volume_mounts import Workload
from clusterprint.rules._groups import and_more, by_cause
from clusterprint.rules.gke._mounts import Mounting, again, all_mounts
from clusterprint.rules.kit import Context, Finding, Iterator, Severity, rule


@rule("GKE213", severity=Severity.ERROR, firm=True)
def second_parallelstore_in_pod(
    _blueprint: KubernetesBlueprint, context: Context[KubernetesBlueprint]
) -> Iterator[Finding]:
    for (first, second), *rest in by_cause(_pairs(context), _cause):
        workloads = {id(each.workload.part) for _, each in rest} - {id(second.workload.part)}
        yield Finding(
            f"{and_more(second.workload.noun, len(workloads))} {'mount' if workloads else 'mounts'} "
            f"{second.volume.name}, but a pod can mount only one Parallelstore",
            context.at(second.mount, "volume"),
            also=(
                context.at(first.mount, "volume", text=f"the first one, {first.volume.name}"),
                *again([each.mount for _, each in rest], context),
            ),
            help="mount one of them",
        )


def _pairs(context: Context[KubernetesBlueprint]) -> Iterator[tuple[Mounting, Mounting]]:
    """Each mount that is too many, after the one that its pods have."""
    mountings = [each for each in all_mounts(context) if each.volume.kind == "parallelstore"]
    for index, second in enumerate(mountings):
        first = next((each for each in mountings[:index] if _in_one_pod(each, second)), None)
        if first:
            yield first, second


def _cause(pair: tuple[Mounting, Mounting]) -> Hashable:
    """Two volumes in one workload, or beside one of the head or a worker group, however many jobs do so."""
    first, second = pair
    return id(first.workload.part), frozenset((first.volume.name, second.volume.name))


def _in_one_pod(first: Mounting, second: Mounting) -> bool:
    if first.volume.name == second.volume.name:
        return False
    return first.workload.part is second.workload.part or _is_added(first.workload, second.workload)


def _is_added(first: Workload, second: Workload) -> bool:
    """Whether the pods of one mount what the other says besides: those of Ray's head and workers."""
    return isinstance(first.part, Head | Worker) and isinstance(second.part, RayJob | RayService)
