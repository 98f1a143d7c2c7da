from clusterprint.blueprint.gke.blueprint import GkeBlueprint
from clusterprint.derived.provisioner import IMAGE
from clusterprint.rules._repeated import repeated
from clusterprint.rules.kit import Context, Finding, Iterator, Severity, known, rule


@rule("GKE382", severity=Severity.ERROR, source="clusterprint: images that are built", firm=True)
def build_name_taken(blueprint: GkeBlueprint, context: Context) -> Iterator[Finding]:
    """Two built images have the same name.

    The name of a build is the name of its image in the repository of the cluster, and of its lock file.
    `provisioner` is the image of the slice provisioner.

    Give each build a name of its own.
    """
    yield from repeated(
        blueprint.image_builds,
        context,
        lambda build: f"there are two images called {build.name}",
        help="give it another name",
    )
    for build, name in known(blueprint.image_builds, lambda each: each.name):
        if name == IMAGE:
            yield Finding(
                f"{IMAGE} is the name of the slice provisioner's image",
                context.at(build, "name"),
                help="give it another name",
            )
