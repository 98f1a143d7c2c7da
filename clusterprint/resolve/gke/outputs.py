"""What the stack of a cluster tells its users."""

from clusterprint.blueprint.gke.kubernetes import KubernetesBlueprint
from clusterprint.derived import node_pools
from clusterprint.plan.gke.cluster import ClusterOutputsPlan
from clusterprint.resolve.gke.control_plane import has_dns_endpoint

_CONSOLE = "https://console.cloud.google.com"


def resolve_outputs(blueprint: KubernetesBlueprint, state: str) -> ClusterOutputsPlan:
    """Commands and addresses that follow from the blueprint alone."""
    location = node_pools.location(blueprint)
    dns = " --dns-endpoint" if has_dns_endpoint(blueprint.cluster) else ""
    where = f"--location={location} --project={blueprint.project}"
    cluster = f"{_CONSOLE}/kubernetes/clusters/details/{location}/{blueprint.name}"
    project = f"project={blueprint.project}"
    return ClusterOutputsPlan(
        connect=(f"gcloud container clusters get-credentials {blueprint.name} {where}{dns}",),
        dashboards={
            "cluster": f"{cluster}/details?{project}",
            "nodes": f"{cluster}/nodes?{project}",
            "observability": f"{cluster}/observability?{project}",
        },
        submit=("kubectl apply --filename JOB.yaml",),
        state=state,
    )
