"""What the stack of a cluster tells its users."""

from clusterprint.plan.gke.cluster import ClusterOutputsPlan
from clusterprint.plan.kubernetes import ReachedPlan


def resolve_outputs(reached: ReachedPlan, state: str) -> ClusterOutputsPlan:
    """Commands and addresses that follow from the blueprint alone."""
    return ClusterOutputsPlan(
        connect=(reached.login,),
        dashboards=reached.dashboards,
        submit=("kubectl apply --filename JOB.yaml",),
        state=state,
    )
