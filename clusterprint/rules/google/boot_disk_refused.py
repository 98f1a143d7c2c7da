from clusterprint.blueprint.machines import MachineGroup
from clusterprint.rules.google import _boot_disk
from clusterprint.rules.kit import Context, Finding, Iterator, Severity, rule


@rule("GCP020", severity=Severity.ERROR, source="Google Cloud: accelerator-optimized machine family")
def boot_disk_refused(group: MachineGroup, context: Context) -> Iterator[Finding]:
    """The machine type does not support this type of boot disk.

    A3 Ultra, A4, A4X and G4 support only Hyperdisk, small A3 machines do not support it. Google rejects the
    machines when the group is created.

    Remove the disk type to use the best one for the machine type, or write one of those in the help.
    """
    yield from _boot_disk.refused(group, context, certain=True)
