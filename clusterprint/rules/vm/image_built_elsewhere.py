from clusterprint.blueprint.vm import VmBlueprint
from clusterprint.blueprint.vm_image import NodeImageBuild
from clusterprint.rules.google._places import elsewhere
from clusterprint.rules.kit import UNSET, Context, Finding, Iterator, Severity, rule


@rule("VM193", severity=Severity.ERROR, source="Google Cloud: regions and zones", firm=True)
def image_built_elsewhere(build: NodeImageBuild, context: Context[VmBlueprint]) -> Iterator[Finding]:
    """An image is built in a zone outside of the cluster's region.

    The machine that builds it is in the nodes' subnet, which is in that region. The image is for all regions.

    Use a zone of the region, or leave `zone` out.
    """
    if build.zone is UNSET:
        return
    wrong = elsewhere(build.zone, context.blueprint.region)
    if wrong:
        yield Finding(
            wrong.message,
            context.at(build, "zone"),
            also=(context.at(context.blueprint, "region", text="the region"),),
            help=wrong.help or f"leave zone out, or pick a zone of {context.blueprint.region}",
        )
