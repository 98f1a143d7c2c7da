from clusterprint import catalog
from clusterprint.blueprint.storage_classes import DiskClass
from clusterprint.rules.google._disk_limits import Asked, bought
from clusterprint.rules.kit import Context, Finding, Iterator, Severity, rule


@rule("GKE432", severity=Severity.ERROR)
def disk_class_setting_not_of_type(disks: DiskClass, context: Context) -> Iterator[Finding]:
    known = catalog.disk_type(disks.type)
    if known:
        yield from bought(Asked(disks, disks.type, known), context)
