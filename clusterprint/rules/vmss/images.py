from clusterprint.blueprint.vmss import VmssBlueprint
from clusterprint.blueprint.vmss_nodes import VmssNodes
from clusterprint.catalog import azure_sizes
from clusterprint.derived.scale_sets import is_amd, size_of
from clusterprint.rules.kit import UNSET, Context, Finding, Iterator, Severity, rule

_HPC = ("microsoft-dsvm", "ubuntu-hpc")


@rule("AZ005", severity=Severity.ERROR)
def image_for_other_gpus(nodes: VmssNodes, context: Context) -> Iterator[Finding]:
    size = size_of(nodes)
    if nodes.image is UNSET or size is None or not size.gpus:
        return
    publisher, offer, sku, _ = nodes.image.split(":")
    wanted = "rocm" if is_amd(size) else "v100" if "V100" in size.gpu_model else ""
    has = next((each for each in ("rocm", "v100") if sku.endswith(f"-{each}")), "")
    if (publisher, offer) != _HPC or has == wanted:
        return
    drivers = {"rocm": "AMD GPUs", "v100": "V100 GPUs", "": "NVIDIA GPUs"}
    suited = f"; {size.images[0]} is for this size" if size.images else ""
    yield Finding(
        f"image {nodes.image} is for {drivers[has]}, but {nodes.size} has {size.gpu_model}",
        context.at(nodes, "image"),
        also=(context.at(nodes, "size", text="the size"),),
        help=f"leave the image out{suited}",
    )


@rule("AZ006", severity=Severity.ERROR)
def image_for_other_processor(nodes: VmssNodes, context: Context) -> Iterator[Finding]:
    size = size_of(nodes)
    if nodes.image is UNSET or size is None:
        return
    other = {
        image for each in azure_sizes() if each.architecture != size.architecture for image in each.images
    }
    says_arm64 = any(word in nodes.image.lower() for word in ("arm64", "aarch64"))
    wrong = nodes.image in other if size.architecture == "arm64" else says_arm64
    if wrong:
        is_for = "amd64" if size.architecture == "arm64" else "arm64"
        yield Finding(
            f"image {nodes.image} is for {is_for}, but {nodes.size} is {size.architecture}",
            context.at(nodes, "image"),
            also=(context.at(nodes, "size", text=f"an {size.architecture} machine"),),
            help=f"name an image for {size.architecture}",
        )


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


@rule("AZ080", severity=Severity.WARNING)
def size_with_driverless_image(nodes: VmssNodes, context: Context[VmssBlueprint]) -> Iterator[Finding]:
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
