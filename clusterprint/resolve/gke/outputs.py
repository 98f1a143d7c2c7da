"""Outputs of the stack of a cluster."""

from clusterprint.blueprint.gke.kubernetes import KubernetesBlueprint
from clusterprint.plan.gke.cluster import ClusterOutputsPlan
from clusterprint.plan.kubernetes import ReachedPlan
from clusterprint.resolve.gke.identity import resolve_secrets


def resolve_outputs(blueprint: KubernetesBlueprint, reached: ReachedPlan, state: str) -> ClusterOutputsPlan:
    """Commands and addresses that follow from the blueprint alone."""
    return ClusterOutputsPlan(
        connect=(reached.login,),
        dashboards=reached.dashboards,
        submit=("kubectl apply --filename JOB.yaml",),
        secrets=_filling(blueprint),
        state=state,
    )


def _filling(blueprint: KubernetesBlueprint) -> dict[str, str]:
    """How each secret that is created empty gets its value, which comes from standard input."""
    found = {}
    for each in resolve_secrets(blueprint):
        region = f" --location={each.location}" if each.location else ""
        found[each.name] = (
            f"gcloud secrets versions add {each.name} --data-file=- --project={blueprint.project}{region}"
        )
    return found
