from collections.abc import Iterator

from msgspec import UNSET

from clusterprint.blueprint.vm import VmBlueprint, VmNodes
from clusterprint.derived import node_settings
from clusterprint.diagnostic import Severity
from clusterprint.rules.context import Context
from clusterprint.rules.google._given import given
from clusterprint.rules.rule import Finding, rule


@rule("VM091", severity=Severity.ERROR, source="Google Cloud: Cloud NAT overview")
def setup_without_internet(nodes: VmNodes, context: Context[VmBlueprint]) -> Iterator[Finding]:
    """Something is to be installed on nodes that reach nothing outside Google.

    A GPU driver, Docker and, where the image lacks it, Cloud Storage FUSE for mounted buckets come from the
    internet. Without NAT or a public address their step fails, and with it the setup of the node.

    Remove `nat: false`, or take an image that has everything; then ignore this problem, with a reason.
    """
    network = context.blueprint.network
    if network.nat or network.existing is not UNSET or nodes.public_ip:
        return
    if node_settings.unsuitable_system(nodes):
        return
    asked = {
        "the GPU driver": given(nodes.driver),
        "Docker": nodes.docker or given(context.blueprint.bootstrap.ray),
        "Cloud Storage FUSE": any(each.mount is not UNSET for each in context.blueprint.storage.buckets),
    }
    wanted = [what for what, wants in asked.items() if wants]
    if wanted:
        yield Finding(
            f"{' and '.join(wanted)} would be installed from the internet, which the nodes do not reach",
            context.at(network, "nat"),
            also=(context.at(nodes, "machine_type", text="these nodes"),),
            help="remove nat: false, or ignore this if the image has it",
        )
