"""Slurm in a Kubernetes cluster: the names that its chart and the ways to it share, and its pools."""

from clusterprint.blueprint.gke.slurm import ClusterPartition, ClusterSlurm

#: The chart of Slurm itself in the catalog, which is also the name of its release.
CHART = "slurm"
NAMESPACE = "slurm"
#: What jobs are submitted from: the only set of login pods, as the operator names its deployment.
LOGIN_SET = "main"
LOGIN = f"deployment/slurm-login-{LOGIN_SET}"


def pools(slurm: ClusterSlurm) -> tuple[str, ...]:
    """The names of all pools in partitions, each once."""
    return tuple(dict.fromkeys(name for each in slurm.partitions for name in each.pools))


def default(slurm: ClusterSlurm) -> ClusterPartition:
    """Where jobs go that name no partition."""
    return next((each for each in slurm.partitions if each.default), slurm.partitions[0])
