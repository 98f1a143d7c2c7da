from clusterprint.blueprint.gke.existing import ExistingCluster
from clusterprint.blueprint.gke.kubernetes import KubernetesBlueprint
from clusterprint.rules.kit import Context, Finding, Iterator, Severity, given, rule


@rule("GKE292", severity=Severity.ERROR, source="Google Cloud: regions and zones; node pools", firm=True)
def existing_cluster_elsewhere(
    existing: ExistingCluster, context: Context[KubernetesBlueprint]
) -> Iterator[Finding]:
    """The existing cluster is in another region or, where node pools are added to it, in another project.

    Node pools are in the region and the project of their cluster, and so is what they use.

    Write the region and the project of the cluster in the blueprint.
    """
    blueprint = context.blueprint
    if given(existing.location) and f"{existing.location}-".find(f"{blueprint.region}-") != 0:
        yield Finding(
            f"the existing cluster is in {existing.location}, but this blueprint in {blueprint.region}",
            context.at(existing, "location"),
            also=(context.at(blueprint, "region", text="the region of the blueprint"),),
            help="write the same region in both",
        )
    if given(existing.project) and existing.project != blueprint.project and blueprint.node_pools:
        yield Finding(
            f"node pools cannot be added from project {blueprint.project} to a cluster of {existing.project}",
            context.at(existing, "project"),
            also=(context.at(blueprint, "project", text="the project of the blueprint"),),
            help=f"write project: {existing.project} for the blueprint",
        )
