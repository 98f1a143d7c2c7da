"""Queue, priority and topology request of a job, for Kueue."""

from msgspec import UNSET, UnsetType

from clusterprint.blueprint.gke.workloads import Workloads
from clusterprint.derived.queues import TOPOLOGY_LABELS

_QUEUE = "kueue.x-k8s.io/queue-name"
_PRIORITY = "kueue.x-k8s.io/priority-class"
_REQUIRED = "kueue.x-k8s.io/podset-required-topology"
#: Pods of several templates that are to be close to each other share this annotation.
PODSET_GROUP = "kueue.x-k8s.io/podset-group-name"
_PREFERRED = "kueue.x-k8s.io/podset-preferred-topology"


def queue_labels(queue: str | UnsetType, priority: str | UnsetType) -> dict[str, str]:
    """Labels of a job; none for one that starts immediately."""
    if queue is UNSET:
        return {}
    return {_QUEUE: queue, **({} if priority is UNSET else {_PRIORITY: priority})}


def topology_annotations(
    queue: str | UnsetType, keep_within: str | UnsetType, pool: str, workloads: Workloads
) -> dict[str, str]:
    """Annotations of pods: what they must be within, or else as close to each other as there is room."""
    kueue = workloads.kueue
    if queue is UNSET or kueue is UNSET or pool not in kueue.topology_pools:
        return {}
    if keep_within is not UNSET:
        return {_REQUIRED: TOPOLOGY_LABELS[keep_within]}
    return {_PREFERRED: TOPOLOGY_LABELS["subblock"]}
