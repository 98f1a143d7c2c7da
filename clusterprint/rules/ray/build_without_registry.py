from clusterprint.blueprint.ray.blueprint import RayBlueprint
from clusterprint.rules.kit import Context, Finding, Iterator, Severity, given, rule


@rule("RAY022", severity=Severity.ERROR, source="clusterprint: where images are kept", firm=True)
def build_without_registry(blueprint: RayBlueprint, context: Context) -> Iterator[Finding]:
    """An image is built, but there is no registry to keep it in.

    The build writes to the cluster's own repository, and its account has rights there only.

    Write `registry: {docker: true}`.
    """
    if given(blueprint.image_build) and not blueprint.registry.docker:
        yield Finding(
            "there is no registry for the image that is built",
            context.at_key(blueprint, "image_build"),
            help="write `registry: {docker: true}`",
        )
