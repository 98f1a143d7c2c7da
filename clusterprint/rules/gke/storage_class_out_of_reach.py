from collections.abc import Iterator

from clusterprint.blueprint.gke.kubernetes import KubernetesBlueprint
from clusterprint.blueprint.storage_classes import FileClass, StorageClass
from clusterprint.catalog import region_of
from clusterprint.diagnostic import Severity
from clusterprint.rules._known import values
from clusterprint.rules.context import Context
from clusterprint.rules.google._given import given
from clusterprint.rules.rule import Finding, rule


@rule(
    "GKE435", severity=Severity.ERROR, source="Google Cloud: Filestore CSI driver with Shared VPC", firm=True
)
def storage_class_out_of_reach(
    made: StorageClass, context: Context[KubernetesBlueprint]
) -> Iterator[Finding]:
    """What is claimed by a storage class would be made where the cluster does not reach it.

    Its zones are zones of the cluster's region: no pod runs elsewhere. And a Filestore in a network of
    another project is connected through that network's private service access, not by a peering of its own:
    claims would wait forever.

    Name zones of the region, or remove `connect`.
    """
    blueprint = context.blueprint
    for index, zone in values(made, "zones"):
        if region_of(zone) != blueprint.region:
            yield Finding(
                f"storage class {made.name} is for {zone}, which is not in {blueprint.region}",
                context.at(made, "zones", index),
                also=(context.at(blueprint, "region", text="the cluster"),),
                help=f"name zones of {blueprint.region}, or remove zones",
            )
    network = blueprint.network.existing
    if not isinstance(made, FileClass) or not given(network) or not given(network.project):
        return
    if made.connect == "direct" and network.project != blueprint.project:
        yield Finding(
            f"storage class {made.name} has connect: direct, but network {network.name} is of project "
            f"{network.project}",
            context.at(made, "connect"),
            also=(context.at(network, "project", text="the project of the network"),),
            help="remove connect",
        )
