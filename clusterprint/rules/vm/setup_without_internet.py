from collections.abc import Iterator

from msgspec import UNSET

from clusterprint.blueprint.vm import VmBlueprint, VmNodes
from clusterprint.derived import cooperation, node_settings
from clusterprint.diagnostic import Severity
from clusterprint.rules.context import Context
from clusterprint.rules.google._given import given
from clusterprint.rules.rule import Finding, rule


@rule("VM091", severity=Severity.ERROR, source="Google Cloud: Cloud NAT overview")
def setup_without_internet(nodes: VmNodes, context: Context[VmBlueprint]) -> Iterator[Finding]:
    """Something is to be installed on nodes that reach nothing outside Google.

    A GPU driver, DCGM, NCCL's plug-in for RoCE, Docker and, where the image lacks them, Open MPI, gcsfuse for
    mounted buckets and jq for lists of nodes come from the internet. Without NAT or a public address their
    step fails, and with it the setup of the node.

    Remove `nat: false`, or take an image that has everything; then ignore this problem, with a reason.
    """
    network = context.blueprint.network
    if cooperation.may_install(context.blueprint, nodes):
        return
    if node_settings.unsuitable_system(nodes):
        return
    asked = {
        "the GPU driver": given(nodes.driver),
        "Docker": nodes.docker or given(context.blueprint.bootstrap.ray),
        "Cloud Storage FUSE": any(each.mount is not UNSET for each in context.blueprint.storage.buckets),
        "DCGM": nodes.dcgm,
        "NCCL": bool(cooperation.gpudirect(nodes)),
        "Open MPI": cooperation.has_mpi(context.blueprint),
        "jq for lists of nodes": cooperation.hosts(context.blueprint),
    }
    wanted = [what for what, wants in asked.items() if wants]
    if wanted:
        yield Finding(
            f"{' and '.join(wanted)} would be installed from the internet, which the nodes do not reach",
            context.at(network, "nat"),
            also=(context.at(nodes, "machine_type", text="these nodes"),),
            help="remove nat: false, or ignore this if the image has it",
        )
