"""File systems on machines of kind vm: mounted before everything else, at every boot."""

from pathlib import Path

from nodes.vm_machine import MakeVmMachine, VmMachine

from clusterprint.nodes.vm import MOUNTED
from clusterprint.plan.vm_nodes import MountKind, NodeSettings, VolumeMount

REMOTES = "home\t10.255.240.2:/share\nscratch\t10.255.242.2@tcp:/scratch\n"


def volume(
    name: str = "home",
    kind: MountKind = "nfs3",
    mount: str = "/home",
    *,
    read_only: bool = False,
    fresh: bool = True,
) -> VolumeMount:
    return VolumeMount(name=name, kind=kind, mount=mount, read_only=read_only, fresh=fresh)


class Node:
    """A machine that has the clients of file systems, and a metadata server that knows where they are."""

    def __init__(self, machine: VmMachine, remotes: str = REMOTES) -> None:
        self.machine = machine
        hand_out = machine.hand_out

        def with_remotes(settings: NodeSettings) -> Path:
            script = hand_out(settings)
            world = machine.known("google")
            world["attributes"][MOUNTED] = remotes
            machine.know("google", world)
            return script

        machine.hand_out = with_remotes  # type: ignore[method-assign]
        for name in ("mount.nfs", "mount.lustre", "modprobe", "umount"):
            machine.fake(name)

    @property
    def mounts(self) -> list[str]:
        """The mounts: source, options, place."""
        return [call.replace(str(self.machine.root), "") for call in self.machine.calls("mount")]


def test_homes_are_on_the_file_system(vm_machine: MakeVmMachine) -> None:
    node = Node(vm_machine(volumes=(volume(),)))
    node.machine.write("home/ubuntu/.profile", "")
    assert node.machine.boot().returncode == 0, node.machine.log()
    options = "vers=3,hard,timeo=600,retrans=3,rsize=1048576,wsize=1048576,tcp,_netdev,rw"
    assert node.mounts == [f"-t nfs -o {options} 10.255.240.2:/share /home"]
    assert next(iter(node.machine.steps())) == "volumes"


def test_lustre_needs_its_module(vm_machine: MakeVmMachine) -> None:
    node = Node(vm_machine(volumes=(volume("scratch", "lustre", "/scratch"),)))
    assert node.machine.boot().returncode == 0, node.machine.log()
    assert node.machine.calls("modprobe") == ["lustre"]
    assert "-t lustre -o noatime,flock,_netdev,rw 10.255.242.2@tcp:/scratch /scratch" in node.mounts


def test_what_is_in_a_folder_is_not_hidden(vm_machine: MakeVmMachine) -> None:
    node = Node(vm_machine(volumes=(volume("scratch", "nfs4", "/scratch"),)))
    node.machine.write("scratch/mine", "")
    assert node.machine.boot().returncode == 1
    assert "/scratch is not empty" in node.machine.log()
    assert node.mounts == []


def test_a_file_system_that_is_nowhere_fails_the_step_and_the_others_are_mounted(
    vm_machine: MakeVmMachine,
) -> None:
    node = Node(vm_machine(volumes=(volume("old", "nfs4", "/old", read_only=True), volume())))
    assert node.machine.boot().returncode == 1
    assert "could not mount volume old" in node.machine.log()
    assert [call.rpartition(" ")[2] for call in node.mounts][:1] == ["/home"]


def test_a_file_system_that_is_no_longer_asked_for_goes(vm_machine: MakeVmMachine) -> None:
    node = Node(vm_machine(volumes=(volume(), volume("scratch", "nfs4", "/scratch"))))
    node.machine.boot()
    node.machine.run("mount-volumes")
    assert node.machine.calls("umount") == []
    node.machine.write("etc/clusterprint/volumes", "home\tnfs3\t/home\trw\tnew\n")
    node.machine.run("mount-volumes")
    assert [call.replace(str(node.machine.root), "") for call in node.machine.calls("umount")] == ["/scratch"]


def test_when_none_is_asked_for_any_more_mounts_and_units_go_and_data_stay(vm_machine: MakeVmMachine) -> None:
    node = Node(vm_machine(volumes=(volume(), volume("scratch", "nfs4", "/scratch"))))
    assert node.machine.boot().returncode == 0, node.machine.log()
    node.machine.write("home/ubuntu/.profile", "")
    assert node.machine.boot(volumes=()).returncode == 0, node.machine.log()
    assert node.machine.steps() == {"leave-volumes": "done"}
    unmounted = [call.replace(str(node.machine.root), "") for call in node.machine.calls("umount")]
    assert unmounted == ["/home", "/scratch"]
    assert "disable --now clusterprint-volumes.service" in node.machine.calls("systemctl")
    assert not (node.machine.root / "scratch").exists(), "nobody shall take it for the file system"
    assert node.machine.read("home/ubuntu/.profile") == ""
    assert not (node.machine.root / "var/lib/clusterprint/volumes").exists()
    node.machine.boot()
    assert node.machine.steps() == {}


def test_a_file_system_in_use_is_taken_from_those_who_come_later(vm_machine: MakeVmMachine) -> None:
    node = Node(vm_machine(volumes=(volume("scratch", "nfs4", "/scratch"),)))
    node.machine.boot()
    node.machine.fake("umount", "[[ $1 == --lazy ]]")
    assert node.machine.boot(volumes=()).returncode == 0, node.machine.log()
    assert node.machine.steps() == {"leave-volumes": "done"}
    assert [call.split()[0] for call in node.machine.calls("umount")][-1] == "--lazy"


def test_a_blank_disk_is_formatted_once(vm_machine: MakeVmMachine) -> None:
    node = Node(vm_machine(volumes=(volume("work", "disk", "/work"),)))
    node.machine.write("dev/disk/by-id/google-work", "")
    node.machine.fake("blkid", "[[ -e $WORLD/formatted ]] && echo TYPE=ext4 || exit 2")
    node.machine.fake("mkfs.ext4", "touch $WORLD/formatted")
    assert node.machine.boot().returncode == 0, node.machine.log()
    assert node.machine.boot().returncode == 0, node.machine.log()
    assert len(node.machine.calls("mkfs.ext4")) == 1
    assert "-o noatime,discard,rw /dev/disk/by-id/google-work /work" in node.mounts


def test_a_shared_disk_is_never_written(vm_machine: MakeVmMachine) -> None:
    node = Node(vm_machine(volumes=(volume("weights", "disk", "/weights", read_only=True),)))
    node.machine.write("dev/disk/by-id/google-weights", "")
    node.machine.fake("blkid", "exit 2")
    node.machine.fake("mkfs.ext4")
    node.machine.boot()
    assert node.machine.calls("mkfs.ext4") == []
    assert node.mounts[0] == "-o noatime,discard,ro,noload /dev/disk/by-id/google-weights /weights"


def test_a_disk_that_cannot_be_read_is_not_written_over(vm_machine: MakeVmMachine) -> None:
    node = Node(vm_machine(volumes=(volume("work", "disk", "/work"),)))
    node.machine.write("dev/disk/by-id/google-work", "")
    node.machine.fake("blkid", "exit 4")
    node.machine.fake("mkfs.ext4")
    node.machine.boot()
    assert node.machine.calls("mkfs.ext4") == []
