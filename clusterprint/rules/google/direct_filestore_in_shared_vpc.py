from clusterprint.blueprint.google import NetworkedBlueprint
from clusterprint.blueprint.storage_classes import FileClass
from clusterprint.blueprint.volumes import GoogleVolume
from clusterprint.rules.google._host_network import host_network
from clusterprint.rules.kit import Context, Finding, Iterator, Severity, rule


@rule("GCP119", severity=Severity.ERROR, firm=True)
def direct_filestore_in_shared_vpc(
    made: GoogleVolume | FileClass, context: Context[NetworkedBlueprint]
) -> Iterator[Finding]:
    if made.kind != "filestore" or made.connect != "direct":
        return
    created = isinstance(made, FileClass) or made.create
    network = host_network(context.blueprint)
    if not created or network is None:
        return
    noun = "storage class" if isinstance(made, FileClass) else "volume"
    yield Finding(
        f"{noun} {made.name} has connect: direct, but network {network.name} is in project {network.project}",
        context.at(made, "connect"),
        also=(context.at(network, "project", text="the project of the network"),),
        help="remove connect",
    )
