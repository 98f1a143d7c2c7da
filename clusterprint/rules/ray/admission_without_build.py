from collections.abc import Iterator

from clusterprint.blueprint.ray.blueprint import RayBlueprint
from clusterprint.diagnostic import Severity
from clusterprint.rules.context import Context
from clusterprint.rules.google._given import given
from clusterprint.rules.rule import Finding, rule


@rule("RAY050", severity=Severity.ERROR, source="Google Cloud: Binary Authorization, built-by-cloud-build")
def admission_without_build(blueprint: RayBlueprint, context: Context) -> Iterator[Finding]:
    """Only images that Cloud Build made are to run, but none is built.

    Cloud Build signs for the images that it builds itself. Without `image_build` there is none that could
    run, and the signer that the policy names is only made by the first build.

    Add `image_build`, or remove `binary_authorization`.
    """
    if given(blueprint.binary_authorization) and not given(blueprint.image_build):
        yield Finding(
            "no image of this cluster is built by Cloud Build, so none of its own could run",
            context.at_key(blueprint, "binary_authorization"),
            help="add image_build, or remove it",
        )
