from clusterprint.blueprint.vm import VmBlueprint
from clusterprint.blueprint.vm_nodes import VmNodes
from clusterprint.derived import image_builds, node_system
from clusterprint.nodes.vm import LIMIT, image_metadata
from clusterprint.plan.vm_image import ImageSettings
from clusterprint.rules import _metadata, _paths
from clusterprint.rules.kit import UNSET, Context, Finding, Iterator, Severity, rule


@rule("VM189", severity=Severity.ERROR, source=_metadata.SOURCE, firm=True)
def image_too_large_to_carry(nodes: VmNodes, context: Context[VmBlueprint]) -> Iterator[Finding]:
    """The script or the files of an image are larger than 256 KiB.

    They travel to the machine that becomes the image as values of its metadata: it has no rights of its own,
    and so could fetch them from no bucket. Files grow by a third on the way.

    Let the script fetch what is large; with `service_account`, from a bucket of yours.
    """
    build = nodes.image_build
    if build is UNSET or not node_system.takes_packages(nodes):
        return
    size = _metadata.script_size(build.script, context)
    if build.script is not UNSET and size > LIMIT:
        yield Finding(
            f"the script has {size:,} bytes, but at most {LIMIT:,} are allowed",
            context.at_key(build, "script"),
            help="let a short script fetch the rest",
        )
    if not build.files:
        return
    size = _setup_size(nodes, context.blueprint) + sum(
        _carried(entry.size) for part in build.files for _, entry in _paths.copied(part, context)
    )
    if size > LIMIT:
        yield Finding(
            "the files of the image and its setup scripts take more than the "
            f"{LIMIT:,} bytes that are allowed",
            context.at_key(build, "files"),
            help="let the script fetch large files, for example from a bucket, with service_account",
        )


def _setup_size(nodes: VmNodes, blueprint: VmBlueprint) -> int:
    build = nodes.image_build
    if build is UNSET:
        return 0
    alone = ImageSettings(
        settings=image_builds.settings(blueprint, nodes, build, ""),
        packages=image_builds.packages(blueprint, nodes, build),
        files=(),
    )
    return sum(map(len, image_metadata(alone).values()))


def _carried(size: int) -> int:
    """In base64, in lines, each behind a mark; with a heading and a line in the list."""
    return -(-size // 3) * 4 * 78 // 76 + 400
