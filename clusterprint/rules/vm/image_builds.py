from msgspec.structs import replace

from clusterprint.blueprint.vm import VmBlueprint
from clusterprint.blueprint.vm_image import ImageFile, NodeImageBuild
from clusterprint.blueprint.vm_nodes import VmNodes
from clusterprint.catalog import is_accelerator_prefix, machine, tpu_type_of
from clusterprint.derived import image_builds, node_system
from clusterprint.nodes.vm import LIMIT, image_metadata
from clusterprint.plan.vm_image import ImageSettings
from clusterprint.rules import _metadata, _paths
from clusterprint.rules.kit import UNSET, Context, Finding, Iterator, Severity, known, rule


@rule("VM188", severity=Severity.ERROR, firm=True)
def image_builder_not_usable(nodes: VmNodes, context: Context) -> Iterator[Finding]:
    build = nodes.image_build
    if build is UNSET or build.machine_type is UNSET:
        return
    name, its = build.machine_type, machine(build.machine_type)
    found = machine(nodes.machine_type)
    why = ""
    if tpu_type_of(name) is not None or (its is None and is_accelerator_prefix(name)):
        why = "cannot be used to build an image"
    elif its and (its.network.extra_vpcs or its.network.rdma_vpcs):
        why = "needs GPU networks, which build machines do not have"
    elif its and found and its.architecture != found.architecture:
        why = f"has {its.architecture} processors, but {found.name} has {found.architecture}"
    if why:
        usual = image_builds.usual_machine(nodes)
        yield Finding(
            f"{name} {why}",
            context.at(build, "machine_type"),
            also=(context.at(nodes, "machine_type", text="the nodes"),),
            help=f"leave it out for {usual}, or use a machine like that",
        )


@rule("VM189", severity=Severity.ERROR, firm=True)
def image_too_large_to_carry(nodes: VmNodes, context: Context[VmBlueprint]) -> Iterator[Finding]:
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


@rule("VM191", severity=Severity.ERROR, firm=True)
def image_family_shared(blueprint: VmBlueprint, context: Context) -> Iterator[Finding]:
    first: dict[str, tuple[VmNodes, NodeImageBuild]] = {}
    for nodes, build in image_builds.built(blueprint):
        family = image_builds.family(blueprint, nodes, build)
        before, its_build = first.setdefault(family, (nodes, build))
        if before is nodes or _made_of(blueprint, nodes, build) == _made_of(blueprint, before, its_build):
            continue
        yield Finding(
            f"another group builds another image of the family {family}",
            context.at_key(nodes, "image_build"),
            also=(context.at_key(before, "image_build", text="the other one"),),
            help="give one of them another family",
        )


def _made_of(blueprint: VmBlueprint, nodes: VmNodes, build: NodeImageBuild) -> object:
    """The identity of an image, apart from the content of files."""
    return (
        build,
        image_builds.base(nodes),
        image_builds.disk_size_gb(nodes, build),
        replace(image_builds.settings(blueprint, nodes, build, ""), group="", gpus=0),
        image_builds.packages(blueprint, nodes, build),
    )


@rule("VM194", severity=Severity.WARNING)
def image_build_of_nothing(nodes: VmNodes, context: Context[VmBlueprint]) -> Iterator[Finding]:
    build = nodes.image_build
    if build is UNSET or build.script is not UNSET or build.files or not node_system.takes_packages(nodes):
        return
    if image_builds.packages(context.blueprint, nodes, build):
        return
    settings = image_builds.settings(context.blueprint, nodes, build, "")
    installs = (settings.docker, settings.mpi, settings.notebook_port, settings.driver, settings.dcgm)
    if not any(installs):
        yield Finding(
            "the image that is built adds nothing to its base",
            context.at_key(nodes, "image_build"),
            help="write a script, or remove image_build",
        )


@rule("VM195", severity=Severity.ERROR, firm=True)
def image_files_collide(build: NodeImageBuild, context: Context[VmBlueprint]) -> Iterator[Finding]:
    landed: dict[str, ImageFile] = {}
    for part, _ in known(build.files, lambda part: (part.source, part.landing)):
        for landing, entry in _paths.copied(part, context):
            if not landing.isprintable():
                yield Finding(
                    f"{_paths.shown(entry.name)} has a character in its name that cannot be printed",
                    context.at(part, "source"),
                    help="rename the file",
                )
                break
            before = landed.setdefault(landing, part)
            if before is not part:
                yield Finding(
                    f"two entries put something at {_paths.shown(landing)}",
                    context.at(part, "destination"),
                    also=(context.at(before, "destination", text="the other one"),),
                    help="remove one of them, or give it another destination",
                )
                break
