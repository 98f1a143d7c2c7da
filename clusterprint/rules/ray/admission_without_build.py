from clusterprint.blueprint.ray.blueprint import RayBlueprint
from clusterprint.rules.kit import Context, Finding, Iterator, Severity, given, rule


@rule("RAY050", severity=Severity.ERROR, source="Google Cloud: Binary Authorization, built-by-cloud-build")
def admission_without_build(blueprint: RayBlueprint, context: Context) -> Iterator[Finding]:
    """Only images of Cloud Build are allowed to run, but none is built.

    Cloud Build signs for the images that it builds itself. Without `image_build` there is none that could
    run, and the signer that the policy names is only created by the first build.

    Add `image_build`, or remove `binary_authorization`.
    """
    if given(blueprint.binary_authorization) and not given(blueprint.image_build):
        yield Finding(
            "Cloud Build builds no image of this cluster, so none could run",
            context.at_key(blueprint, "binary_authorization"),
            help="add image_build, or remove binary_authorization",
        )
