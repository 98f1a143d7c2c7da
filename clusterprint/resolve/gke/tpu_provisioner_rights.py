"""Permissions of the TPU pool controllers at Google and in the cluster, as few as possible."""

from typing import NamedTuple

from clusterprint.plan.kubernetes import RightPlan

_LOOK = ("get", "list", "watch")
_KEEP = (*_LOOK, "create", "update", "patch", "delete")


class ControllerRights(NamedTuple):
    """Permissions at Google, and rights in the cluster: everywhere, and in the controller's own namespace."""

    permissions: tuple[str, ...]
    everywhere: tuple[RightPlan, ...]
    at_home: tuple[RightPlan, ...]


#: Node pools are parts of a cluster, and making or deleting one is an update of the cluster. Neither
#: controller can delete the cluster or see what is in it by this.
RIGHTS = {
    # It watches what pods wait for, tells of it as events and on JobSets, and asks who may read its metrics.
    "slice_provisioner": ControllerRights(
        permissions=("container.clusters.get", "container.clusters.update", "container.operations.list"),
        everywhere=(
            RightPlan("", ("pods", "nodes"), ("list", "watch")),
            RightPlan("", ("events",), ("create",)),
            RightPlan("batch", ("jobs",), ("list", "watch")),
            RightPlan("jobset.x-k8s.io", ("jobsets",), ("list", "watch")),
            RightPlan("jobset.x-k8s.io", ("jobsets/status",), ("patch",)),
            RightPlan("leaderworkerset.x-k8s.io", ("leaderworkersets",), ("list", "watch")),
            RightPlan("ray.io", ("rayclusters",), ("list", "watch")),
            RightPlan("authentication.k8s.io", ("tokenreviews",), ("create",)),
            RightPlan("authorization.k8s.io", ("subjectaccessreviews",), ("create",)),
        ),
        at_home=(
            RightPlan("", ("configmaps",), ("get", "create", "patch")),
            RightPlan("coordination.k8s.io", ("leases",), ("get", "create", "update")),
        ),
    ),
    "tpu_provisioner": ControllerRights(
        permissions=(
            "container.clusters.get",
            "container.clusters.update",
            "container.operations.get",
            "container.operations.list",
        ),
        # It looks at pods, at nodes and at the JobSets that they belong to, and tells what it does as events.
        everywhere=(
            RightPlan("", ("pods", "nodes"), _LOOK),
            RightPlan("", ("events",), ("create", "patch")),
            RightPlan("jobset.x-k8s.io", ("jobsets",), _LOOK),
        ),
        # Which of several it is that works.
        at_home=(
            RightPlan("", ("configmaps",), _KEEP),
            RightPlan("coordination.k8s.io", ("leases",), _KEEP),
            RightPlan("", ("events",), ("create", "patch")),
        ),
    ),
}
