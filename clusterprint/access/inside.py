"""Ways into Kubernetes clusters, by kubectl: kinds gke and ray."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple, TypeAlias, TypeVar

from clusterprint.access.command import Command, read
from clusterprint.errors import UsageError
from clusterprint.plan.gke.cluster import GkeClusterPlan
from clusterprint.plan.gke.workloads import GkeWorkloadsPlan
from clusterprint.plan.kubernetes import ReachedPlan
from clusterprint.plan.part import StackPlan
from clusterprint.plan.ray.ray import RayPlan
from clusterprint.plan.vm import VmPlan
from clusterprint.plan.vmss import VmssPlan
from clusterprint.results import JOB_SET, MPI_JOB

Found = TypeVar("Found")

#: The plans of machines, and those of Kubernetes clusters and their workloads: all others have no nodes.
OfMachines: TypeAlias = VmPlan | VmssPlan
OfKubernetes: TypeAlias = GkeClusterPlan | GkeWorkloadsPlan | RayPlan

_LEADER_WORKER_SET = "leaderworkerset.sigs.k8s.io/name={name}"
_DASHBOARD = "dashboard"


class Inside(NamedTuple):
    """A Kubernetes cluster, and the plan of its workloads, if it has any."""

    cluster: ReachedPlan
    content: StackPlan | None

    @property
    def context(self) -> str:
        """The option of kubectl that chooses the cluster."""
        return f"--context={self.cluster.context}"

    @property
    def ray(self) -> RayPlan:
        """The Ray cluster. Raises UsageError if there is none."""
        if not isinstance(self.content, RayPlan):
            raise UsageError("this cluster has no Ray: only kind ray does")
        return self.content


def inside(plans: Sequence[StackPlan]) -> Inside:
    """The Kubernetes cluster of some plans. Raises UsageError if there is none."""
    known = [each for each in plans if isinstance(each, OfKubernetes)]
    if not known and isinstance(plans[0], OfMachines):
        raise UsageError("this is a cluster of machines, not a Kubernetes cluster")
    if not known:
        raise UsageError("there is nothing to connect to: this kind has neither nodes nor Kubernetes")
    content = None if isinstance(known[-1], GkeClusterPlan) else known[-1]
    return Inside(known[0].reached, content)


def kubeconfig(of: Inside) -> Command:
    """Lets kubectl know the cluster."""
    return read(of.cluster.login)


def shell(of: Inside, remote: Sequence[str]) -> Command:
    """A shell in the head of Ray, or a command there."""
    if not isinstance(of.content, RayPlan):
        raise UsageError(
            "nodes of GKE have no SSH from outside; a shell on one: kubectl debug node/NODE --stdin --tty "
            "--image=IMAGE --profile=sysadmin, a shell in a pod: kubectl exec --stdin --tty POD -- bash"
        )
    terminal = () if remote else ("--stdin", "--tty")
    words = (*_kubectl(of, of.ray.namespace), "exec", *terminal, f"service/{_head(of)}", "--")
    return Command((*words, *(remote or ("bash",))))


def logs(of: Inside, job: str, *, lines: int, follow: bool) -> Command:
    """The log of a job; for kind ray without a job, the log of the head."""
    tail = (f"--tail={lines}", *(("--follow",) if follow else ()))
    if isinstance(of.content, RayPlan):
        runs = {each.name: each.run for each in of.content.jobs}
        what = f"job/{_chosen(runs, job)}" if job else f"service/{_head(of)}"
        return Command((*_kubectl(of, of.ray.namespace), "logs", what, *tail))
    namespace, selector, container = _chosen(_jobs(of), job)
    pods = (f"--selector={selector}", f"--container={container}", "--prefix", "--max-log-requests=100")
    return Command((*_kubectl(of, namespace), "logs", *pods, *tail))


def _jobs(of: Inside) -> dict[str, tuple[str, str, str]]:
    """Namespace, labels of pods, and container of each job, by its name in the blueprint."""
    if not isinstance(of.content, GkeWorkloadsPlan):
        return {}
    found: dict[str, tuple[str, str, str]] = {}
    for mpi in of.content.mpi.jobs if of.content.mpi else ():
        found[mpi.key] = (mpi.namespace, MPI_JOB.labels.format(name=mpi.name), mpi.container)
    for jobset in of.content.jobsets:
        found[jobset.key] = (jobset.namespace, JOB_SET.labels.format(name=jobset.name), jobset.container)
    for group in of.content.leader_worker_sets:
        selector = _LEADER_WORKER_SET.format(name=group.name)
        found[group.name] = (group.namespace, selector, group.pod.container)
    return found


def _chosen(found: Mapping[str, Found], name: str) -> Found:
    """The pod of this name, or the only one. Raises UsageError if there is not exactly one."""
    names = ", ".join(found)
    if not found:
        raise UsageError("the blueprint has no jobs here")
    if not name and len(found) > 1:
        raise UsageError(f"there are several jobs: say which one, NAME/JOB ({names})")
    if name and name not in found:
        raise UsageError(f"there is no job {name!r}; the jobs are {names}")
    return found[name] if name else next(iter(found.values()))


def dashboard(of: Inside, port: int) -> Command:
    """Ray's dashboard on a port of this machine, by default its own."""
    there = of.ray.spec.ports[_DASHBOARD]
    here = port or there
    words = (*_kubectl(of, of.ray.namespace), "port-forward", f"service/{_head(of)}", f"{here}:{there}")
    return Command(words, f"http://localhost:{here}")


def ray_submit(address: str, folder: str, program: Sequence[str]) -> Command:
    """Ray's own client, which sends a program to a dashboard."""
    where = ("--working-dir", folder) if folder else ()
    return Command(("ray", "job", "submit", "--address", address, *where, "--", *program))


def apply(of: Inside, file: str) -> Command:
    """Makes the objects of a file; `create`, as `apply` knows no names that are made up for each run."""
    return Command(("kubectl", of.context, "create", f"--filename={file}"))


def _head(of: Inside) -> str:
    return f"{of.ray.ray}-head-svc"


def _kubectl(of: Inside, namespace: str) -> tuple[str, ...]:
    return ("kubectl", of.context, f"--namespace={namespace}")
