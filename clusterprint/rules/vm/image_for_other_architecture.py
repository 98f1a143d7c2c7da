from clusterprint.blueprint.vm_nodes import VmNodes
from clusterprint.catalog import default_image, machine
from clusterprint.rules.google._machine import machine_with_gpus
from clusterprint.rules.kit import UNSET, Context, Finding, Iterator, Severity, rule
from clusterprint.rules.vm._image import image_label, image_name, image_words

_WORDS = {"amd64": frozenset({"amd64", "x86"}), "arm64": frozenset({"arm64", "aarch64"})}
_OTHER = {"amd64": "arm64", "arm64": "amd64"}


@rule("VM003", severity=Severity.ERROR, source="Google Cloud: operating system images for A4X")
def image_for_other_architecture(nodes: VmNodes, context: Context) -> Iterator[Finding]:
    """The image is for processors of another architecture than the machine type has.

    A4X and some general-purpose machines have Arm processors, all others x86. A machine does not start from
    an image for the other architecture.

    Leave the image out, or use one for the architecture of the machine type.
    """
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
