from clusterprint import catalog
from clusterprint.blueprint.container import Container
from clusterprint.blueprint.vm import VmBlueprint
from clusterprint.blueprint.vm_nodes import VmNodes
from clusterprint.blueprint.vm_ray import NodeRay
from clusterprint.catalog import default_image, machine
from clusterprint.derived import (
    cooperation,
    image_builds,
    node_containers,
    node_drivers,
    node_groups,
    node_images,
    node_system,
)
from clusterprint.derived.node_system import DEEP_LEARNING_PROJECTS, DRIVER_PROJECTS
from clusterprint.rules.google._machine import machine_with_gpus
from clusterprint.rules.kit import UNSET, Context, Finding, Iterator, Severity, given, known, rule
from clusterprint.rules.vm._image import image_label, image_name, image_words

_WORDS = {"amd64": frozenset({"amd64", "x86"}), "arm64": frozenset({"arm64", "aarch64"})}
_OTHER = {"amd64": "arm64", "arm64": "amd64"}


@rule("VM003", severity=Severity.ERROR)
def image_for_other_architecture(nodes: VmNodes, context: Context) -> Iterator[Finding]:
    found = machine(nodes.machine_type)
    if nodes.image is UNSET or found is None:
        return
    words = image_words(nodes.image)
    other = _OTHER[found.architecture]
    if not words & _WORDS[other] or words & _WORDS[found.architecture]:
        return
    fits = default_image(architecture=found.architecture, gpu=machine_with_gpus(nodes) is not None)
    yield Finding(
        f"{image_name(nodes.image)} is for {other}, but {found.name} has {found.architecture} processors",
        image_label(nodes.image, context),
        also=(context.at(nodes, "machine_type", text=found.architecture),),
        help=f"leave image out, or write {{project: {fits.project}, family: {fits.family}}}",
    )


# Projects of plain operating systems, of Google's list: their images hold no GPU driver.
_PLAIN = frozenset(
    {
        "almalinux-cloud",
        "centos-cloud",
        "cloud-hpc-image-public",
        "cos-cloud",
        "debian-cloud",
        "fedora-cloud",
        "fedora-coreos-cloud",
        "opensuse-cloud",
        "oracle-linux-cloud",
        "rhel-cloud",
        "rhel-sap-cloud",
        "rocky-linux-cloud",
        "suse-cloud",
        "suse-sap-cloud",
        "ubuntu-os-cloud",
        "ubuntu-os-pro-cloud",
    }
)
# Projects of images that hold one.
_WITH_DRIVER = ("ubuntu-os-accelerator-images", "rocky-linux-accelerator-cloud")
# What else can install one.
_DRIVER = "write driver: 580"
_SCRIPTS = ("startup-script", "startup-script-url", "user-data")


@rule("VM005", severity=Severity.WARNING)
def image_without_gpu_driver(nodes: VmNodes, context: Context[VmBlueprint]) -> Iterator[Finding]:
    blueprint, image = context.blueprint, nodes.image
    if image is UNSET or image.project not in _PLAIN:
        return
    found = machine_with_gpus(nodes)
    has_script = node_groups.startup_script(blueprint, nodes) is not UNSET
    early = node_drivers.needed_before_script(blueprint, nodes)
    if found is None or (has_script and not early) or _may_install(nodes, context):
        return
    late = f"startup_script runs too late for {early}" if has_script else "nothing installs one"
    other = "use an image that has one" if early else "add a startup_script"
    fits = default_image(architecture=found.architecture, gpu=True)
    yield Finding(
        f"images of {image.project} have no GPU driver, and {late}",
        context.at(image, "project"),
        also=(context.at(nodes, "machine_type", text="machines with GPUs"),),
        help=f"leave image out for {fits.family}, or "
        + (_DRIVER if image.project in DRIVER_PROJECTS else other),
    )


@rule("VM242", severity=Severity.NOTE)
def image_with_unknown_driver(nodes: VmNodes, context: Context[VmBlueprint]) -> Iterator[Finding]:
    image = nodes.image
    if image is UNSET or image.project in {*_PLAIN, *_WITH_DRIVER, *DEEP_LEARNING_PROJECTS}:
        return
    has_script = node_groups.startup_script(context.blueprint, nodes) is not UNSET
    is_decided = given(nodes.health.enabled) or node_system.unsuitable(nodes)
    if has_script or is_decided or _may_install(nodes, context):
        return
    if machine_with_gpus(nodes) is not None:
        yield Finding(
            f"whether images of {image.project} have a GPU driver is not known",
            context.at(image, "project"),
            also=(context.at(nodes, "machine_type", text="machines with GPUs"),),
            help="write health: {enabled: true} for nodes to examine their GPUs, or false if it has one",
        )


def _may_install(nodes: VmNodes, context: Context[VmBlueprint]) -> bool:
    """Whether something else than `startup_script` installs a driver, or can."""
    is_built = given(nodes.image_build) and given(nodes.image_build.script)
    has_metadata = any(context.wrote(context.blueprint, "metadata", key) for key in _SCRIPTS)
    return is_built or given(nodes.driver) or has_metadata


_ROLES = (
    "roles/artifactregistry.reader",
    "roles/artifactregistry.writer",
    "roles/artifactregistry.repoAdmin",
)


@rule("VM127", severity=Severity.NOTE)
def image_of_another_project(
    container: Container | NodeRay, context: Context[VmBlueprint]
) -> Iterator[Finding]:
    if container.image is UNSET or not node_containers.is_of_google(container.image):
        return
    repository = node_containers.repository_of(container.image)
    if repository is not None and repository.project == context.blueprint.project:
        return
    if repository is None and any(role in _ROLES for role in context.blueprint.service_account.roles):
        return
    where = f"project {repository.project}" if repository else "gcr.io"
    yield Finding(
        f"the image is in a repository of {where}, which the nodes need permission to read",
        context.at(container, "image"),
        help="grant the nodes' service account roles/artifactregistry.reader there, unless it is public",
    )


@rule("VM173", severity=Severity.ERROR)
def image_without_parallelstore(nodes: VmNodes, context: Context[VmBlueprint]) -> Iterator[Finding]:
    if _brings_client(nodes) or not node_system.takes_packages(nodes):
        return
    for volume, kind in known(context.blueprint.storage.volumes, lambda each: each.kind):
        if kind == "parallelstore":
            project = node_images.project(nodes)
            yield Finding(
                f"images of {project} have no client for volume {volume.name}, a Parallelstore, and none can "
                "be installed",
                context.at(nodes, "machine_type")
                if nodes.image is UNSET
                else context.at(nodes.image, "project"),
                also=(context.at(volume, "kind", text="the volume"),),
                help="use an image that has dfuse and daos_agent, or use kind: lustre",
            )


def _brings_client(nodes: VmNodes) -> bool:
    """Whether it may: nobody knows what images of others have in them."""
    if given(nodes.image_build) and given(nodes.image_build.script):
        return True
    return node_images.project(nodes) not in cooperation.PUBLIC_PROJECTS


@rule("VM190", severity=Severity.ERROR, firm=True)
def image_of_wrong_size(nodes: VmNodes, context: Context) -> Iterator[Finding]:
    build = nodes.image_build
    if build is UNSET:
        return
    size = image_builds.disk_size_gb(nodes, build)
    least = node_images.default_image(nodes).min_disk_gb or 0 if nodes.image is UNSET else 0
    place = (
        context.at_key(nodes, "image_build")
        if build.disk_size_gb is UNSET
        else context.at(build, "disk_size_gb")
    )
    if size > nodes.boot_disk.size_gb:
        yield Finding(
            f"the image has {size} GB, but the nodes' boot disk only {nodes.boot_disk.size_gb} GB",
            place,
            also=(context.at(nodes.boot_disk, "size_gb", text="the boot disk"),),
            help=f"write disk_size_gb: {nodes.boot_disk.size_gb} or less, or a larger boot disk",
        )
    elif size < least:
        yield Finding(
            f"the image has {size} GB, but its base image takes {least} GB",
            place,
            help=f"write disk_size_gb: {least} or more",
        )


@rule("VM210", severity=Severity.WARNING)
def image_without_rdma_driver(nodes: VmNodes, context: Context[VmBlueprint]) -> Iterator[Finding]:
    image, found = nodes.image, catalog.machine(nodes.machine_type)
    if image is UNSET or found is None or found.network.rdma_nic != "IRDMA":
        return
    fits = node_images.default_image(nodes)
    if image.project == fits.project or image.project not in cooperation.PUBLIC_PROJECTS:
        return
    yield Finding(
        f"images of {image.project} have no driver for the RDMA interface of {found.name}",
        context.at(image, "project"),
        also=(context.at(nodes, "machine_type", text="the machine type"),),
        help=f"leave image out, for the family {fits.family} of {fits.project}",
    )
