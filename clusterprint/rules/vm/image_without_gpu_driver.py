from clusterprint.blueprint.vm import VmBlueprint
from clusterprint.blueprint.vm_nodes import VmNodes
from clusterprint.catalog import default_image
from clusterprint.derived import node_drivers, node_groups, node_system
from clusterprint.derived.node_system import DEEP_LEARNING_PROJECTS, DRIVER_PROJECTS
from clusterprint.rules.google._machine import machine_with_gpus
from clusterprint.rules.kit import UNSET, Context, Finding, Iterator, Severity, given, rule

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


@rule("VM005", severity=Severity.WARNING, source="Google Cloud: install GPU drivers")
def image_without_gpu_driver(nodes: VmNodes, context: Context[VmBlueprint]) -> Iterator[Finding]:
    """The machines have GPUs, but the image has no GPU driver and nothing installs one.

    Plain operating system images see the GPUs as unknown devices: `nvidia-smi` is not even there.

    Leave the image out for one with the driver, or ask for a `driver` on Ubuntu and Container-Optimized OS;
    elsewhere install one in `startup_script`. That is the last step: a container with GPUs, Ray, DCGM, the
    benchmark and the examination of nodes need the driver before, from the image or by `driver`.
    """
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


@rule("VM242", severity=Severity.NOTE, source="Google Cloud: install GPU drivers")
def image_with_unknown_driver(nodes: VmNodes, context: Context[VmBlueprint]) -> Iterator[Finding]:
    """The machines have GPUs, and whether their image has a GPU driver is not known here.

    An image of your own may have a driver, or none that is new enough for these GPUs. Without one, nodes
    start and cost money, and their jobs fail.

    Write `health: {enabled: true}`: nodes then examine their GPUs when they start; or false if the image has
    one. Or install one in `startup_script` or in the script of `image_build`.
    """
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
