"""The launcher of an MPI job: when its command starts, how it reaches workers, and where it runs."""

from msgspec import UNSET

from clusterprint.blueprint.gke.mpi_job import MpiJob
from clusterprint.nodes.gke import script
from clusterprint.plan.claims import PodVolumesPlan
from clusterprint.plan.gke.cluster import GkeClusterPlan
from clusterprint.plan.gke.mpi import MpiLauncherPlan
from clusterprint.plan.gke.pools import PoolPlan
from clusterprint.resolve.gke.pods import resolve_tolerations, selector_of

# Where the operator lays the list of workers.
_HOSTFILE = "/etc/mpi/hostfile"
# Names of workers resolve seconds after these are ready; longer, and something is wrong.
_WAIT_SECONDS = 300

# mpirun itself does little. A queue would count this as a share of some pool, and put the launcher there.
# Kueue assigns a topology only to pods with resource requests, so it has some.
_REQUESTS = {"cpu": "250m", "memory": "256Mi"}


def resolve_launcher(  # noqa: PLR0913
    job: MpiJob,
    command: tuple[str, ...],
    workers: PoolPlan,
    cluster: GkeClusterPlan,
    volumes: PodVolumesPlan,
    *,
    placed: bool,
) -> MpiLauncherPlan:
    """Decide on the launcher; `command` is what it runs when the workers answer, `volumes` what it sees.

    `placed` says whether Kueue places the job by the topology of its nodes.
    """
    pool = _pool(job, workers, cluster)
    wait = ("/bin/sh", "-c", script("mpi/launch"), "launch", _HOSTFILE, str(job.ssh_port), str(_WAIT_SECONDS))
    memory = "" if job.launcher_memory_gb is UNSET else f"{job.launcher_memory_gb}Gi"
    requests = {
        **(_REQUESTS if job.queue is UNSET or placed else {}),
        **({} if job.launcher_cpus is UNSET else {"cpu": str(job.launcher_cpus)}),
        **({"memory": memory} if memory else {}),
    }
    return MpiLauncherPlan(
        command=(*wait, *command),
        env={key: value for key, value in _open_mpi(job).items() if key not in job.env},
        nodes=selector_of(pool) if pool else {},
        tolerations=resolve_tolerations(pool) if pool else (),
        requests=requests,
        limits={"memory": memory} if memory else {},
        volumes=volumes,
    )


def _pool(job: MpiJob, workers: PoolPlan, cluster: GkeClusterPlan) -> PoolPlan | None:
    """The pool that is named; or that of the workers, for whose processors the image is made."""
    pools = (*([cluster.system_pool] if cluster.system_pool else []), *cluster.pools, *cluster.nodes)
    if job.launcher_node_pool is not UNSET:
        return next(pool for pool in pools if pool.group == job.launcher_node_pool)
    return workers if workers.architecture != "amd64" else None


def _open_mpi(job: MpiJob) -> dict[str, str]:
    """Which SSH Open MPI runs, and where: as variables, which are there for a command of one's own, too.

    Host keys are made by each worker, so nobody knows them. The operator's keys hide the image's own
    configuration in `.ssh`. Version 5 has other names for all of it, and the operator says where the workers
    are in the words of version 4 only (kubeflow/mpi-operator, issue 842).
    """
    if job.implementation != "open_mpi":
        return {}
    options = "-o StrictHostKeyChecking=no -o UserKnownHostsFile=/dev/null -o LogLevel=ERROR"
    agent = f"ssh -p {job.ssh_port} {options}"
    return {
        "OMPI_MCA_plm_rsh_agent": agent,
        "PRTE_MCA_plm_ssh_agent": agent,
        "PRTE_MCA_prte_default_hostfile": _HOSTFILE,
        "PRTE_MCA_prte_keep_fqdn_hostnames": "true",
    }
