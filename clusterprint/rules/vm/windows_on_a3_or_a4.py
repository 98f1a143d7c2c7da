from clusterprint.blueprint.vm_nodes import VmNodes
from clusterprint.catalog import machine
from clusterprint.rules.kit import UNSET, Context, Finding, Iterator, Severity, rule
from clusterprint.rules.vm._image import image_label, image_words

_PROJECTS = ("windows-cloud", "windows-sql-cloud")


@rule("VM004", severity=Severity.WARNING)
def windows_on_a3_or_a4(nodes: VmNodes, context: Context) -> Iterator[Finding]:
    found = machine(nodes.machine_type)
    if nodes.image is UNSET or found is None or not found.series.startswith(("a3", "a4")):
        return
    if nodes.image.project in _PROJECTS:
        place = context.at(nodes.image, "project")
    elif "windows" in image_words(nodes.image):
        place = image_label(nodes.image, context)
    else:
        return
    yield Finding(
        f"{found.name} does not run Windows",
        place,
        also=(context.at(nodes, "machine_type", text="the machine type"),),
        help="leave image out, or use a Linux image",
    )
