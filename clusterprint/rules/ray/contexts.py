from clusterprint.blueprint.gke.image_build import BuildContext, NamedImageBuild
from clusterprint.blueprint.ray.image_build import RayImageBuild
from clusterprint.image.inputs import DOCKERFILE
from clusterprint.rules import _paths
from clusterprint.rules.kit import Context, Finding, Iterator, Severity, given, rule


@rule("RAY105", severity=Severity.ERROR, firm=True)
def context_without_dockerfile(build: RayImageBuild | NamedImageBuild, context: Context) -> Iterator[Finding]:
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


_MOST_FILES = 5000
_MOST_BYTES = 256 << 20
# What is held in memory to be packed.
_LARGEST = 64 << 20


@rule("RAY106", severity=Severity.ERROR, firm=True)
def context_too_large(files: BuildContext, context: Context) -> Iterator[Finding]:
    source = _paths.named(files, context)
    if source is None or source.sort is not _paths.Sort.FOLDER:
        return
    found = [each for each in _paths.below(source, context) if each.sort is _paths.Sort.FILE]
    large = [each for each in found if each.size > _LARGEST]
    total = sum(each.size for each in found)
    if len(found) > _MOST_FILES:
        what = f"more than {_MOST_FILES} files"
    elif large:
        what = f"{_paths.listed(large)} with more than {_LARGEST >> 20} MiB"
    elif total > _MOST_BYTES:
        what = f"{total >> 20} MiB"
    else:
        return
    yield Finding(
        f"{source.shown} holds {what}, too much to build an image from",
        context.at(files, "source"),
        help="leave it out with a .dockerignore, or fetch it in the Dockerfile",
    )
