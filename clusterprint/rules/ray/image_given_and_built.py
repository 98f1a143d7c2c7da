from clusterprint.blueprint.ray.blueprint import RayBlueprint
from clusterprint.rules.kit import Context, Finding, Iterator, Severity, given, rule


@rule("RAY021", severity=Severity.ERROR, source="clusterprint: the image of the Ray pods", firm=True)
def image_given_and_built(blueprint: RayBlueprint, context: Context) -> Iterator[Finding]:
    """An image is named, and another one is built.

    The Ray pods would run the named one, and the build would be for nothing.

    Keep either `ray.image` or `image_build`.
    """
    if given(blueprint.image_build) and given(blueprint.ray.image):
        yield Finding(
            "the image that image_build makes would not be used",
            context.at_key(blueprint, "image_build"),
            also=(context.at(blueprint.ray, "image", text="the image that would be"),),
            help="remove one of the two",
        )
