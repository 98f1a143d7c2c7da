from collections.abc import Iterator

from clusterprint.blueprint.machines import MachineGroup
from clusterprint.diagnostic import Severity
from clusterprint.rules.context import Context
from clusterprint.rules.google import _boot_disk
from clusterprint.rules.rule import Finding, rule


@rule("GCP021", severity=Severity.WARNING, source="Google Cloud: about disk types and machine series")
def boot_disk_unconfirmed(group: MachineGroup, context: Context) -> Iterator[Finding]:
    """It is not known whether the machine type starts from a disk of this type.

    Each machine series takes some disk types only. For this series the list was not confirmed, so Google
    may refuse the machines or not.

    Remove the disk type, write one that the help names, or ignore this warning if you know better.
    """
    yield from _boot_disk.refused(group, context, certain=False)
