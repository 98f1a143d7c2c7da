from clusterprint.blueprint.vmss import VmssBlueprint
from clusterprint.rules.kit import UNSET, Context, Finding, Iterator, Severity, rule


@rule("AZ065", severity=Severity.ERROR, source="Azure: server-side encryption of disks", firm=True)
def disk_encryption_set_elsewhere(blueprint: VmssBlueprint, context: Context) -> Iterator[Finding]:
    """The disk encryption set is in another subscription than the cluster.

    Disks, machines and the disk encryption set have to be in the same subscription and region.

    Create a disk encryption set in the subscription of the cluster.
    """
    given = blueprint.disk_encryption_set
    if given is UNSET:
        return
    there = given.split("/")[2]
    if there.lower() != blueprint.subscription.lower():
        yield Finding(
            f"the disk encryption set is in subscription {there}, the cluster in {blueprint.subscription}",
            context.at(blueprint, "disk_encryption_set"),
            also=(context.at(blueprint, "subscription", text="the subscription"),),
            help="name a disk encryption set of the cluster's subscription",
        )
