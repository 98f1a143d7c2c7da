from clusterprint.blueprint.vm_image import NodeImageBuild
from clusterprint.derived import durations, image_builds
from clusterprint.rules.kit import Context, Finding, Iterator, Severity, rule


@rule("VM192", severity=Severity.ERROR, source="clusterprint: docs/nodes-vm.md", firm=True)
def image_build_time_out_of_range(build: NodeImageBuild, context: Context) -> Iterator[Finding]:
    """The time for building an image is too short to boot a machine, or longer than a day.

    An apply waits for it, and the machine that builds costs money all that time.

    Write something between `10m` and `1d`.
    """
    least, most = image_builds.TIMES
    if not least <= durations.seconds(build.timeout) <= most:
        yield Finding(
            f"timeout is {build.timeout}, but must be between 10m and 1d",
            context.at(build, "timeout"),
            help="write a time such as timeout: 1h",
        )
