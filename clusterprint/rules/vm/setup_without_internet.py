from collections.abc import Iterator

from msgspec import UNSET

from clusterprint.blueprint.vm import VmBlueprint, VmNodes
from clusterprint.derived import node_containers, node_settings
from clusterprint.diagnostic import Severity
from clusterprint.rules.context import Context
from clusterprint.rules.google._given import given
from clusterprint.rules.rule import Finding, rule


@rule("VM091", severity=Severity.ERROR, source="Google Cloud: Cloud NAT overview")
def setup_without_internet(nodes: VmNodes, context: Context[VmBlueprint]) -> Iterator[Finding]:
    """Something is to be installed on nodes that reach nothing outside Google.

    A GPU driver, Docker and, where the image lacks it, Cloud Storage FUSE for mounted buckets come from the
    internet, and so does a container whose image lies in no registry of Google (`pkg.dev`, `gcr.io`). Without
    NAT or a public address their step fails, and with it the setup of the node. Container-Optimized OS has
    Docker, and its drivers come from Google.

    Remove `nat: false`, or take an image that has everything; then ignore this problem, with a reason.
    """
    network = context.blueprint.network
    if network.nat or network.existing is not UNSET or nodes.public_ip:
        return
    if node_settings.unsuitable_system(nodes):
        return
    container = node_containers.container_of(context.blueprint, nodes)
    packages = node_settings.system(nodes) != "cos"
    asked = {
        "the GPU driver": packages and given(nodes.driver),
        "Docker": packages and (nodes.docker or given(container)),
        "Cloud Storage FUSE": packages
        and any(each.mount is not UNSET for each in context.blueprint.storage.buckets),
        "the image of the container": given(container) and not node_containers.is_of_google(container.image),
    }
    wanted = [what for what, wants in asked.items() if wants]
    if wanted:
        yield Finding(
            f"{' and '.join(wanted)} would come from the internet, which the nodes do not reach",
            context.at(network, "nat"),
            also=(context.at(nodes, "machine_type", text="these nodes"),),
            help="remove nat: false, or ignore this if the image has it",
        )
