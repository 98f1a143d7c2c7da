from clusterprint import catalog
from clusterprint.blueprint.gke.cluster import Cluster
from clusterprint.blueprint.gke.components import Chart
from clusterprint.blueprint.gke.kubernetes import KubernetesBlueprint
from clusterprint.blueprint.part import Part
from clusterprint.derived import components
from clusterprint.rules.gke._versions import version_of
from clusterprint.rules.kit import Context, Finding, Iterator, Severity, given, rule


@rule(
    "GKE190",
    severity=Severity.WARNING,
    source="Kueue: installation; cert-manager: supported releases; Kubernetes: validation rules (KEP-2876)",
)
def chart_needs_newer_kubernetes(
    cluster: Cluster, context: Context[KubernetesBlueprint]
) -> Iterator[Finding]:
    """The version of GKE is older than those that an installed component is known to work with.

    The API server refuses or does not check the component's definitions, or its controller waits for kinds of
    objects that the cluster does not have: Terraform times out waiting for it, after the cluster was built.

    Write the version that the help names, or leave `version` out to get the default of the release channel. A
    component whose version or location the blueprint names itself is assumed to fit.
    """
    version = version_of(cluster)
    if version is None:
        return
    for name, component, said in components.installed(context.blueprint):
        oldest = catalog.gke_version(component.kubernetes)
        if oldest and version.minor < oldest.minor and not _chosen(said):
            yield Finding(
                f"GKE {cluster.version} is older than the versions that {name} {component.version} is known "
                "to work with",
                context.at(cluster, "version"),
                also=(context.at(said, text=f"asks for {name}"),),
                help=f"write version: {component.kubernetes} or later, or remove version",
            )


def _chosen(said: Part) -> bool:
    """Whether a blueprint brings another chart than the pinned one, of which nothing is known."""
    return isinstance(said, Chart) and (given(said.version) or given(said.location))
