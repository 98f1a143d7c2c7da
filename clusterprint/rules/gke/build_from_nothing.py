from clusterprint.blueprint.gke.image_build import NamedImageBuild
from clusterprint.rules.kit import Context, Finding, Iterator, Severity, given, rule


@rule("GKE383", severity=Severity.ERROR, source="Docker: Dockerfile reference, FROM", firm=True)
def build_from_nothing(build: NamedImageBuild, context: Context) -> Iterator[Finding]:
    """An image has nothing to build from, or adds nothing to its base.

    Without a Dockerfile of your own, the packages of `requirements` are installed on `base`. So both are
    needed: a Dockerfile begins with a base, and a base to which nothing is added exists already.

    Write `base` and `requirements`; or `dockerfile`; or `context` with a folder that holds a Dockerfile.
    """
    if given(build.dockerfile) or given(build.context):
        return
    if not given(build.base):
        yield Finding(
            f"image {build.name} has nothing to build from",
            context.at(build),
            help="add dockerfile, a context that holds one, or base and requirements",
        )
    elif not given(build.requirements):
        yield Finding(
            f"image {build.name} adds nothing to its base",
            context.at(build, "base"),
            help="add requirements, a dockerfile or a context; or name the base in `image` of the jobs",
        )
