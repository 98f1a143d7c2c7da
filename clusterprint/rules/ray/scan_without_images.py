from clusterprint.blueprint.gke.blueprint import GkeBlueprint
from clusterprint.blueprint.ray.blueprint import RayBlueprint
from clusterprint.derived.builds import builds
from clusterprint.derived.provisioner import builds_image
from clusterprint.rules.kit import Context, Finding, Iterator, Severity, given, known, rule


@rule("RAY108", severity=Severity.ERROR, firm=True)
def scan_without_images(blueprint: RayBlueprint | GkeBlueprint, context: Context) -> Iterator[Finding]:
    registry = blueprint.registry
    if registry.scan is True and not registry.docker and not _has_images(blueprint):
        yield Finding(
            "there is no registry whose images could be scanned",
            context.at(registry, "scan"),
            help="write docker: true beside it",
        )
    for build, sbom in known(builds(blueprint), lambda each: each.sbom):
        if sbom and registry.scan is not True:
            yield Finding(
                "sbom requires scanned images, and registry.scan is not on",
                context.at(build, "sbom"),
                help="write `scan: true` in registry",
            )


def _has_images(blueprint: RayBlueprint | GkeBlueprint) -> bool:
    """Whether there is a repository for what is built, though none is asked for."""
    if not isinstance(blueprint, GkeBlueprint):
        return False
    provisioner = blueprint.workloads.tpu_provisioner
    return bool(blueprint.image_builds) or (given(provisioner) and builds_image(provisioner))
