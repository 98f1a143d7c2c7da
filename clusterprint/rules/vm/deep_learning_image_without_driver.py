import re

from clusterprint.blueprint.vm import VmBlueprint
from clusterprint.blueprint.vm_nodes import VmNodes
from clusterprint.derived import node_drivers, node_groups
from clusterprint.derived.node_system import DEEP_LEARNING_PROJECTS
from clusterprint.rules.google._machine import machine_with_gpus
from clusterprint.rules.kit import UNSET, Context, Finding, Iterator, Severity, given, rule

_INSTALLS = re.compile(r"nvidia(?!-smi)|cuda|driver", re.IGNORECASE)
_KEY = "install-nvidia-driver"


@rule("VM021", severity=Severity.WARNING)
def deep_learning_image_without_driver(nodes: VmNodes, context: Context[VmBlueprint]) -> Iterator[Finding]:
    blueprint, image = context.blueprint, nodes.image
    if image is UNSET or image.project not in DEEP_LEARNING_PROJECTS or given(nodes.driver):
        return
    script = node_groups.startup_script(blueprint, nodes)
    early = node_drivers.needed_before_script(blueprint, nodes)
    if given(script) and not early and (script.inline is UNSET or _INSTALLS.search(script.inline)):
        return
    found = machine_with_gpus(nodes)
    if found is None or context.wrote(blueprint, "metadata", _KEY):
        return
    yield Finding(
        f"a Deep Learning VM image installs no GPU driver without the metadata {_KEY}",
        context.at(image, "project"),
        also=(context.at(nodes, "machine_type", text="machines with GPUs"),),
        help=f'add metadata: {{{_KEY}: "True"}}',
    )
