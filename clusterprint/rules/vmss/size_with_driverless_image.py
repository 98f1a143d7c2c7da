from clusterprint.blueprint.vmss import VmssBlueprint
from clusterprint.blueprint.vmss_nodes import VmssNodes
from clusterprint.derived.scale_sets import size_of
from clusterprint.rules.kit import UNSET, Context, Finding, Iterator, Severity, rule

# Publishers of plain operating systems, in small letters. Some have images for HPC, too, which say so.
_PLAIN = frozenset(
    {
        "almalinux",
        "canonical",
        "credativ",
        "debian",
        "kinvolk",
        "microsoftcblmariner",
        "openlogic",
        "oracle",
        "redhat",
        "resf",
        "suse",
    }
)


@rule("AZ080", severity=Severity.WARNING, source="Azure: install NVIDIA GPU drivers on N-series VMs")
def size_with_driverless_image(nodes: VmssNodes, context: Context[VmssBlueprint]) -> Iterator[Finding]:
    """The nodes have GPUs, but the image has no GPU driver and nothing installs one.

    Plain operating system images see the GPUs as unknown devices: `nvidia-smi` is not even there. The health
    checks of all nodes end with `unknown`, and the benchmark does not start.

    Leave the image out for one with the driver, or install one in `startup_script` or `cloud_init`.
    """
    blueprint, size = context.blueprint, size_of(nodes)
    if nodes.image is UNSET or size is None or not size.gpus:
        return
    if blueprint.startup_script is not UNSET or blueprint.cloud_init is not UNSET:
        return
    publisher, offer, *_ = nodes.image.lower().split(":")
    if publisher in _PLAIN and "hpc" not in offer:
        suited = f"leave image out for {size.images[0]}, or " if size.images else ""
        yield Finding(
            f"images of {nodes.image.partition(':')[0]} have no GPU driver, and nothing installs one",
            context.at(nodes, "image"),
            also=(context.at(nodes, "size", text=f"machines with {size.gpu_model}"),),
            help=f"{suited}install it in startup_script",
        )
