from clusterprint.blueprint.gke.blueprint import GkeBlueprint
from clusterprint.blueprint.gke.kubernetes import KubernetesBlueprint
from clusterprint.blueprint.part import Part
from clusterprint.blueprint.ray.blueprint import RayBlueprint
from clusterprint.derived import existing
from clusterprint.rules.gke._jobs import Job
from clusterprint.rules.kit import Context, Finding, Iterator, Severity, given, known, rule

_OF_ALL = (
    *("node_pools", "compute_classes", "workload_identity", "secrets", "storage", "service_account"),
    *("registry", "more_services"),
)
_OF_GKE = ("tpu_provisioner", "nvidia_dra", "nccl", "checkpoints", "ml_diagnostics", "inference")
_OF_RAY = ("image_build", "binary_authorization")


@rule("GKE294", severity=Severity.ERROR, source="clusterprint: existing clusters", firm=True)
def plain_cluster_without_google(blueprint: KubernetesBlueprint, context: Context) -> Iterator[Finding]:
    """A setting needs Google Cloud, but the cluster is known by its kubectl context only.

    Such a cluster may run anywhere, and nothing is created in Google Cloud for it: it can have operators,
    queues, jobs, charts and objects.

    Remove it; or, if the cluster is on GKE, write its name and its location instead of the context.
    """
    if not existing.is_plain(blueprint):
        return
    for part, field in _asked(blueprint):
        if context.wrote(part, field):
            yield Finding(
                f"{field} needs Google Cloud, but this cluster is known by its kubectl context only",
                context.at_key(part, field),
                also=(context.at(blueprint.cluster.existing, "context", text="the context"),),  # type: ignore[arg-type]
                help=f"remove {field}, or write name and location of a GKE cluster",
            )
    if isinstance(blueprint, RayBlueprint) and blueprint.ray.operator == "addon":
        yield Finding(
            "Google's add-on for Ray needs GKE",
            context.at(blueprint.ray, "operator"),
            help="write operator: chart in ray",
        )


def _asked(blueprint: KubernetesBlueprint) -> Iterator[tuple[Part, str]]:
    yield from ((blueprint, field) for field in _OF_ALL)
    if isinstance(blueprint, RayBlueprint):
        yield from ((blueprint, field) for field in _OF_RAY)
        yield blueprint.ray, "dashboard"
        yield blueprint.ray, "gateway"
    if isinstance(blueprint, GkeBlueprint):
        yield blueprint, "image_builds"
        yield from ((blueprint.workloads, field) for field in _OF_GKE)
        kueue = blueprint.workloads.kueue
        if given(kueue):
            yield kueue, "topology_pools"
        yield from ((job, "keep_within") for job in _jobs(blueprint))


def _jobs(blueprint: GkeBlueprint) -> Iterator[Job]:
    mpi = blueprint.workloads.mpi
    if given(mpi):
        yield from (job for job, _ in known(mpi.jobs, lambda each: each.name))
    yield from blueprint.workloads.jobsets
    yield from blueprint.workloads.leader_worker_sets
