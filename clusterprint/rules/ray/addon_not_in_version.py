from clusterprint import catalog
from clusterprint.blueprint.ray.blueprint import RayBlueprint
from clusterprint.blueprint.ray.ray import Ray
from clusterprint.rules.gke._versions import default_has_machines, version_of
from clusterprint.rules.kit import Context, Finding, Iterator, Severity, rule


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
