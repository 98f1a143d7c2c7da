from clusterprint.blueprint.vmss_nodes import VmssNodes
from clusterprint.derived.scale_sets import is_amd, size_of
from clusterprint.rules.kit import UNSET, Context, Finding, Iterator, Severity, rule

_HPC = ("microsoft-dsvm", "ubuntu-hpc")


@rule("AZ005", severity=Severity.ERROR, source="Azure HPC VM images: README")
def image_for_other_gpus(nodes: VmssNodes, context: Context) -> Iterator[Finding]:
    """The image has the drivers of other GPUs than the size has.

    Azure's HPC images come in variants: with ROCm for AMD GPUs, for V100 GPUs with their older driver, and
    for all other NVIDIA GPUs. In the wrong one no GPU shows up.

    Name the variant for the size, or leave the image out.
    """
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
