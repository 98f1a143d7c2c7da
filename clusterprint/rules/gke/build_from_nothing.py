from collections.abc import Iterator

from clusterprint.blueprint.gke.image_build import NamedImageBuild
from clusterprint.diagnostic import Severity
from clusterprint.rules.context import Context
from clusterprint.rules.google._given import given
from clusterprint.rules.rule import Finding, rule


@rule("GKE383", severity=Severity.ERROR, source="Docker: Dockerfile reference, FROM", firm=True)
def build_from_nothing(build: NamedImageBuild, context: Context) -> Iterator[Finding]:
    """Nothing says what an image is made from, or nothing is put on what it is made from.

    Without a Dockerfile of yours, the packages of `requirements` are installed on `base`. So it takes both: a
    Dockerfile cannot begin with nothing, and an image to which nothing is added is there already.

    Write `base` and `requirements`; or `dockerfile`; or `context` with a folder that holds a Dockerfile.
    """
    if given(build.dockerfile) or given(build.context):
        return
    if not given(build.base):
        yield Finding(
            f"nothing says what image {build.name} is made from",
            context.at(build),
            help="add dockerfile, a context that holds one, or base and requirements",
        )
    elif not given(build.requirements):
        yield Finding(
            f"image {build.name} is its base, with nothing added",
            context.at(build, "base"),
            help="add requirements, a dockerfile or a context; or name the base in `image` of the jobs",
        )
