"""The plan of checkpoints in the memory of nodes."""

from clusterprint.plan.kubernetes import TolerationPlan
from clusterprint.plan.part import PlanPart


class CheckpointsPlan(PlanPart, frozen=True, kw_only=True):
    """How checkpoints are kept on `nodes`, by their labels, and copied to a bucket.

    `name` is another one for other settings. `memory` is a quantity of Kubernetes, for each node. `volume` is
    what the blueprint calls the bucket: one whose name ends in random digits is known to the cluster's stack.
    """

    name: str
    volume: str
    bucket: str
    memory: str
    nodes: dict[str, str]
    tolerations: tuple[TolerationPlan, ...]


class CheckpointFolderPlan(PlanPart, frozen=True, kw_only=True):
    """Where a pod sees the memory of its node, which `driver` has there."""

    driver: str
    path: str
