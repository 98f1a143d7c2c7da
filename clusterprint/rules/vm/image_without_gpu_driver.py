from clusterprint.blueprint.vm import VmBlueprint
from clusterprint.blueprint.vm_nodes import VmNodes
from clusterprint.catalog import default_image
from clusterprint.derived import node_drivers, node_groups
from clusterprint.derived.node_system import DRIVER_PROJECTS
from clusterprint.rules.google._machine import machine_with_gpus
from clusterprint.rules.kit import UNSET, Context, Finding, Iterator, Severity, given, rule

# Projects of plain operating systems: their images hold no GPU driver.
_PLAIN = frozenset(
    {
        "centos-cloud",
        "cos-cloud",
        "debian-cloud",
        "rhel-cloud",
        "rocky-linux-cloud",
        "suse-cloud",
        "ubuntu-os-cloud",
    }
)
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
    has_script = node_groups.startup_script(blueprint, nodes) is not UNSET
    early = node_drivers.needed_before_script(blueprint, nodes)
    if has_script and not early:
        return
    found = machine_with_gpus(nodes)
    if (
        found is None
        or given(nodes.driver)
        or any(context.wrote(blueprint, "metadata", key) for key in _SCRIPTS)
    ):
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
