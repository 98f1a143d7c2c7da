from collections.abc import Iterator

from clusterprint.blueprint.machines import MachineGroup
from clusterprint.diagnostic import Severity
from clusterprint.rules.context import Context
from clusterprint.rules.google import _boot_disk
from clusterprint.rules.rule import Finding, rule


@rule("GCP020", severity=Severity.ERROR, source="Google Cloud: accelerator-optimized machine family")
def boot_disk_refused(group: MachineGroup, context: Context) -> Iterator[Finding]:
    """The machine type does not start from a disk of this type.

    A3 Ultra, A4, A4X and G4 take Hyperdisk only, small A3 machines take none. Google refuses the machines
    when the group is created.

    Remove the disk type, so that the best one for the machine type is taken, or write one that the help
    names.
    """
    yield from _boot_disk.refused(group, context, certain=True)
