from clusterprint.blueprint.google import NetworkedBlueprint
from clusterprint.blueprint.storage_classes import FileClass
from clusterprint.blueprint.volumes import GoogleVolume
from clusterprint.rules.google._host_network import host_network
from clusterprint.rules.kit import Context, Finding, Iterator, Severity, rule


@rule(
    "GCP119",
    severity=Severity.ERROR,
    source="Google Cloud: Filestore, network configuration and IP resource requirements",
    firm=True,
)
def direct_filestore_in_shared_vpc(
    made: GoogleVolume | FileClass, context: Context[NetworkedBlueprint]
) -> Iterator[Finding]:
    """A Filestore with a peering of its own would be created in a network of another project.

    Only the host project of a shared VPC can connect an instance by VPC Network Peering. From the project of
    the cluster it goes through the private service access of that network; the API refuses the instance
    otherwise, and claims of a storage class wait forever.

    Remove `connect`: a shared network usually has private service access. Where it has none,
    `storage.private_services` creates it.
    """
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
