from clusterprint.blueprint.gke.image_build import ImageBuild
from clusterprint.derived import durations
from clusterprint.rules.kit import Context, Finding, Iterator, Severity, rule

_MOST = 24 * 60 * 60


@rule("RAY026", severity=Severity.ERROR, source="Cloud Build: quotas and limits")
def build_too_long(build: ImageBuild, context: Context) -> Iterator[Finding]:
    """The build timeout is longer than Cloud Build allows.

    Cloud Build rejects a timeout above 24 hours.

    Write at most `24h`.
    """
    if durations.seconds(build.timeout) > _MOST:
        yield Finding(
            f"a build timeout cannot be {build.timeout}",
            context.at(build, "timeout"),
            help="write at most 24h",
        )
