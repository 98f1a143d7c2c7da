from clusterprint import catalog
from clusterprint.blueprint.storage_classes import DiskClass
from clusterprint.rules.google._disk_limits import Asked, bought
from clusterprint.rules.kit import Context, Finding, Iterator, Severity, rule


@rule("GKE432", severity=Severity.ERROR, source="Google Cloud: about Hyperdisk")
def disk_class_setting_not_of_type(disks: DiskClass, context: Context) -> Iterator[Finding]:
    """A storage class sets a performance that its disk type does not have.

    IOPS can be set for hyperdisk-balanced and hyperdisk-extreme, throughput for hyperdisk-balanced and
    hyperdisk-throughput, within what some size of them has; hyperdisk-balanced has 1/256 to 1/4 MiB/s for
    each IOPS. For other types both follow from the size. Claims would wait forever.

    Remove the setting, or use another type.
    """
    known = catalog.disk_type(disks.type)
    if known:
        yield from bought(Asked(disks, disks.type, known), context)
