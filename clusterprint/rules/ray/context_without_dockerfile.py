from clusterprint.blueprint.gke.image_build import NamedImageBuild
from clusterprint.blueprint.ray.image_build import RayImageBuild
from clusterprint.image.inputs import DOCKERFILE
from clusterprint.rules import _paths
from clusterprint.rules.kit import Context, Finding, Iterator, Severity, given, rule


@rule("RAY105", severity=Severity.ERROR, source="Docker: build context", firm=True)
def context_without_dockerfile(build: RayImageBuild | NamedImageBuild, context: Context) -> Iterator[Finding]:
    """A build context has no Dockerfile, or a file is given twice.

    The default Dockerfile copies no files. One of yours does, at the top of the context or under
    `dockerfile`: with both, one would be silently ignored. The same goes for `requirements.txt` and
    `requirements`.

    Keep one of the two.
    """
    if not given(build.context):
        return
    source = _paths.named(build.context, context)
    if source is None or source.sort is not _paths.Sort.FOLDER:
        return
    names = {each.name for each in _paths.below(source, context)}
    if DOCKERFILE not in names and not given(build.dockerfile):
        yield Finding(
            f"{source.shown} has no Dockerfile, and the build has none either",
            context.at(build, "context"),
            help=f"put one into {source.shown}, or name one under dockerfile",
        )
    for field, name in (("dockerfile", DOCKERFILE), ("requirements", "requirements.txt")):
        if name in names and given(getattr(build, field)):
            yield Finding(
                f"{source.shown} holds {name}, and {field} gives another one",
                context.at_key(build, field),
                also=(context.at(build, "context", text="the context"),),
                help=f"remove {field}, or {name} from the context",
            )
