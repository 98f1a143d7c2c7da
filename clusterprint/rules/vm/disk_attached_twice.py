from collections.abc import Iterator

from clusterprint.blueprint.storage import VmStorage
from clusterprint.blueprint.vm import VmBlueprint
from clusterprint.derived import names
from clusterprint.diagnostic import Severity
from clusterprint.rules._known import known
from clusterprint.rules._repeated import repeated
from clusterprint.rules.context import Context
from clusterprint.rules.google._given import given
from clusterprint.rules.rule import Finding, rule


@rule("VM174", severity=Severity.ERROR, source="Google Cloud: attach a disk; device names", firm=True)
def disk_attached_twice(storage: VmStorage, context: Context[VmBlueprint]) -> Iterator[Finding]:
    """Nodes would have one disk twice, or two disks of one device name.

    A disk is attached to a machine once. Machines know their disks by device names, which are those of the
    volumes; their boot disk has one, too.

    List each disk once, and call no volume as the boot disk.
    """
    disks = [each for each, kind in known(storage.volumes, lambda volume: volume.kind) if kind == "disk"]
    yield from repeated(
        [each for each, disk in known(disks, lambda volume: volume.disk) if given(disk)],
        context,
        lambda volume: f"nodes would have disk {volume.disk} twice",
        help="list it once",
        key=lambda volume: (volume.disk, volume.zone),
        field="disk",
        first="the first time",
    )
    for volume, name in known(disks, lambda each: each.name):
        if name == names.BOOT_DEVICE:
            yield Finding(
                f"{name} is what the boot disk of each node is called",
                context.at(volume, "name"),
                help="give the volume another name",
            )
