from clusterprint.blueprint.gke.blueprint import GkeBlueprint
from clusterprint.blueprint.gke.image_build import NamedImageBuild
from clusterprint.derived import existing
from clusterprint.rules.kit import Context, Finding, Iterator, Severity, rule


@rule("GKE388", severity=Severity.ERROR, source="clusterprint: existing clusters", firm=True)
def build_pool_in_existing_cluster(
    build: NamedImageBuild, context: Context[GkeBlueprint]
) -> Iterator[Finding]:
    """Images are built on machines in the network of an existing cluster.

    A private pool is peered with the network of the cluster, which would change it.

    Write `pool: default`.
    """
    cluster = context.blueprint.cluster
    if build.pool == "private" and existing.is_existing(context.blueprint):
        yield Finding(
            f"the machines that build {build.name} would be in the network of an existing cluster",
            context.at(build, "pool"),
            also=(context.at_key(cluster, "existing", text="the existing cluster"),),
            help="write pool: default",
            instead="default" if context.wrote(build, "pool") else None,
        )
