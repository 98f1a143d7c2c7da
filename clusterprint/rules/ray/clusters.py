from clusterprint import catalog
from clusterprint.blueprint.ray.blueprint import RayBlueprint
from clusterprint.blueprint.ray.jobs import RayJob
from clusterprint.blueprint.ray.ray import Ray, Worker
from clusterprint.derived import node_pools
from clusterprint.rules.gke._versions import default_has_machines, version_of
from clusterprint.rules.kit import Context, Finding, Iterator, Severity, given, rule
from clusterprint.rules.ray._workers import pools_of


@rule("RAY033", severity=Severity.WARNING)
def tpu_slices_without_addon(worker: Worker, context: Context[RayBlueprint]) -> Iterator[Finding]:
    pools = [pool for pool in pools_of(worker, context) if node_pools.nodes_per_slice(pool) > 1]
    if pools and context.blueprint.ray.operator == "chart":
        yield Finding(
            f"nothing tells workers {worker.name} their place in a slice",
            context.at(context.blueprint.ray, "operator"),
            also=(context.at(worker, "name", text="the workers"),),
            help="write `operator: addon`, or install the webhook for TPUs yourself",
        )


@rule("RAY031", severity=Severity.ERROR)
def addon_not_in_version(ray: Ray, context: Context[RayBlueprint]) -> Iterator[Finding]:
    cluster = context.blueprint.cluster
    version = version_of(cluster)
    feature = catalog.gke_feature("ray-operator")
    if ray.operator == "addon" and version is not None and not feature.is_in(version):
        remove = "remove version, " if default_has_machines(cluster, context) else ""
        yield Finding(
            f"GKE {cluster.version} has no add-on for Ray yet",
            context.at(cluster, "version"),
            help=f"write version: {feature.first_after(version)} or later, {remove}or write "
            "operator: chart in ray",
        )


@rule("RAY041", severity=Severity.ERROR)
def shared_cluster_shut_down(job: RayJob, context: Context) -> Iterator[Finding]:
    if job.cluster != "shared":
        return
    for field, wrong in (
        ("shutdown_after_finish", given(job.shutdown_after_finish) and job.shutdown_after_finish),
        ("retries", job.retries > 0),
        ("workers", bool(job.workers)),
        ("keep_for", context.wrote(job, "keep_for")),
    ):
        if wrong:
            yield Finding(
                f"{field} has no effect on the shared Ray cluster",
                context.at_key(job, field),
                also=(context.at(job, "cluster", text="shared with others"),),
                help="write `cluster: own`, or remove it",
            )
