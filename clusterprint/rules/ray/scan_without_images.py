from collections.abc import Iterator

from clusterprint.blueprint.ray.blueprint import RayBlueprint
from clusterprint.diagnostic import Severity
from clusterprint.rules.context import Context
from clusterprint.rules.google._given import given
from clusterprint.rules.rule import Finding, rule


@rule("RAY108", severity=Severity.ERROR, source="Google Cloud: Artifact Analysis, SBOM overview", firm=True)
def scan_without_images(blueprint: RayBlueprint, context: Context) -> Iterator[Finding]:
    """Images are to be scanned, or listed, where nothing can be scanned.

    Artifact Analysis scans images of a registry, and makes the list of what is in an image from its scan. A
    cluster without a registry has no images, and one whose images are not scanned has no lists.

    Write `registry: {docker: true, scan: true}`.
    """
    registry, build = blueprint.registry, blueprint.image_build
    if registry.scan and not registry.docker:
        yield Finding(
            "there is no registry whose images could be scanned",
            context.at(registry, "scan"),
            help="write docker: true beside it",
        )
    if given(build) and build.sbom and not registry.scan:
        yield Finding(
            "what is in an image is known by its scan, and images are not scanned",
            context.at(build, "sbom"),
            help="write `scan: true` in registry",
        )
