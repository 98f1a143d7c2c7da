from clusterprint.blueprint.storage import VmStorage
from clusterprint.blueprint.vm import VmBlueprint
from clusterprint.derived import names
from clusterprint.rules._repeated import repeated
from clusterprint.rules.kit import Context, Finding, Iterator, Severity, given, known, rule


@rule("VM174", severity=Severity.ERROR, source="Google Cloud: attach a disk; device names", firm=True)
def disk_attached_twice(storage: VmStorage, context: Context[VmBlueprint]) -> Iterator[Finding]:
    """A disk is attached to nodes twice, or two disks have the same device name.

    A disk can be attached to a machine only once. The device name of a disk is the name of its volume, and
    the boot disk has a device name, too.

    List each disk once, and give no volume the name of the boot disk.
    """
    disks = [each for each, kind in known(storage.volumes, lambda volume: volume.kind) if kind == "disk"]
    yield from repeated(
        [each for each, disk in known(disks, lambda volume: volume.disk) if given(disk)],
        context,
        lambda volume: f"disk {volume.disk} is attached to nodes twice",
        help="list it once",
        key=lambda volume: (volume.disk, volume.zone),
        field="disk",
        first="the first time",
    )
    for volume, name in known(disks, lambda each: each.name):
        if name == names.BOOT_DEVICE:
            yield Finding(
                f"{name} is the device name of the boot disk of each node",
                context.at(volume, "name"),
                help="give the volume another name",
            )
