"""The scratch file system on the local NVMe disks."""

import stat
from typing import Any

from nodes import warm_fakes
from nodes.machine import Done, Machine, MakeMachine

LOCAL = "Microsoft NVMe Direct Disk v2"
REMOTE = "MSFT NVMe Accelerator v1.0"
ARRAY = "/dev/md/cp-scratch"


def disks(*contents: str, model: str = LOCAL) -> dict[str, Any]:
    """Disks with these contents."""
    return {
        "disks": {f"/dev/nvme{n}n1": {"model": model, "content": each} for n, each in enumerate(contents)}
    }


def setup(machine: Machine, **environment: str) -> Done:
    return machine.run("setup-scratch", **environment)


def reboot(machine: Machine) -> None:
    world = machine.known("disks")
    world["mounts"] = {}
    for array in world["arrays"].values():
        array["assembled"] = False
    machine.know("disks", world)


def mounted(machine: Machine) -> dict[str, str]:
    mounts: dict[str, str] = machine.known("disks")["mounts"]
    return {source: target.removeprefix(str(machine.root)) for source, target in mounts.items()}


def test_all_local_disks_become_one_file_system(machine: MakeMachine) -> None:
    node = machine()
    node.know("disks", disks(*[""] * 8))
    done = setup(node)
    assert done.returncode == 0, done.stderr
    assert mounted(node) == {ARRAY: "/mnt/resource_nvme"}
    assert len(node.known("disks")["arrays"][ARRAY]["members"]) == 8
    for folder in ("mnt/resource_nvme", "mnt/resource_nvme/hf_cache"):
        assert stat.S_IMODE((node.root / folder).stat().st_mode) == 0o1777


def test_running_it_again_changes_nothing(machine: MakeMachine) -> None:
    node = machine()
    node.know("disks", disks("", ""))
    setup(node)
    before = node.known("disks")
    made = len(node.calls("mkfs.xfs"))
    assert setup(node).returncode == 0
    assert node.known("disks") == before
    assert len(node.calls("mkfs.xfs")) == made == 1


def test_it_comes_back_after_a_reboot_with_what_was_on_it(machine: MakeMachine) -> None:
    node = machine()
    node.know("disks", disks("", ""))
    setup(node)
    reboot(node)
    assert setup(node).returncode == 0
    assert mounted(node) == {ARRAY: "/mnt/resource_nvme"}
    assert len(node.calls("mkfs.xfs")) == 1


def test_after_deallocation_it_is_made_anew(machine: MakeMachine) -> None:
    node = machine()
    node.know("disks", disks("", ""))
    setup(node)
    node.know("disks", disks("", ""))
    assert setup(node).returncode == 0
    assert mounted(node) == {ARRAY: "/mnt/resource_nvme"}


def test_an_array_that_lost_a_disk_is_made_anew(machine: MakeMachine) -> None:
    node = machine()
    node.know("disks", disks("", "", ""))
    setup(node)
    reboot(node)
    world = node.known("disks")
    world["disks"]["/dev/nvme1n1"]["content"] = ""
    world["arrays"] = {}
    node.know("disks", world)
    done = setup(node)
    assert done.returncode == 0, done.stderr
    assert len(node.known("disks")["arrays"][ARRAY]["members"]) == 3
    assert mounted(node) == {ARRAY: "/mnt/resource_nvme"}


def test_a_run_that_was_killed_half_way_is_finished_by_the_next(machine: MakeMachine) -> None:
    node = machine()
    node.know("disks", disks("", ""))
    assert setup(node, KILL_BEFORE_MKFS="1").returncode != 0
    assert node.known("disks")["arrays"][ARRAY]["label"] == ""
    done = setup(node)
    assert done.returncode == 0, done.stderr
    assert mounted(node) == {ARRAY: "/mnt/resource_nvme"}


def test_without_nvme_disks_there_is_nothing_to_do(machine: MakeMachine) -> None:
    node = machine()
    node.know("disks", {"disks": {}})
    done = setup(node)
    assert done.returncode == 0
    assert "no unused local NVMe disks" in done.stderr
    assert not (node.root / "mnt/resource_nvme").exists()
    assert node.calls("mdadm") in ([], ["--assemble --scan --quiet"])


def test_os_and_data_disks_are_never_touched(machine: MakeMachine) -> None:
    node = machine()
    world = disks("", "")
    world["disks"]["/dev/nvme7n1"] = {"model": REMOTE, "content": "part", "mounted": ""}
    world["disks"]["/dev/nvme8n1"] = {"model": REMOTE, "content": ""}
    node.know("disks", world)
    assert setup(node).returncode == 0
    assert node.known("disks")["arrays"][ARRAY]["members"] == ["/dev/nvme0n1", "/dev/nvme1n1"]
    assert not any("nvme7n1" in call or "nvme8n1" in call for call in node.calls("mdadm"))


def test_disks_that_somebody_uses_are_left_alone(machine: MakeMachine) -> None:
    node = machine()
    world = disks("", "part", "ext4", "raid:other:data")
    world["disks"]["/dev/nvme0n1"] |= {"content": "xfs", "mounted": "/mnt/mine"}
    node.know("disks", world)
    done = setup(node)
    assert done.returncode == 0
    for reason in (
        "skipping /dev/nvme0n1: it is in use",
        "skipping /dev/nvme1n1: it has partitions",
        "skipping /dev/nvme2n1: it is not",
        "skipping /dev/nvme3n1: it is not",
    ):
        assert reason in done.stderr
    assert node.known("disks")["arrays"] == {}


def test_half_a_list_of_disks_makes_no_array(machine: MakeMachine) -> None:
    node = machine()
    node.know("disks", disks("", ""))
    node.fake("lsblk", "[[ $* == *MODEL*nvme1n1 ]] && exit 1\n" + warm_fakes.body("disks", 'lsblk "$@"'))
    assert setup(node).returncode != 0
    assert not any("--create" in call for call in node.calls("mdadm"))


def test_a_single_disk_is_enough(machine: MakeMachine) -> None:
    node = machine()
    node.know("disks", disks(""))
    assert setup(node).returncode == 0
    assert mounted(node) == {ARRAY: "/mnt/resource_nvme"}


def test_what_the_image_has_mounted_there_is_kept(machine: MakeMachine) -> None:
    node = machine()
    node.know(
        "disks", disks("raid:image:128") | {"mounts": {"/dev/md128": str(node.root / "mnt/resource_nvme")}}
    )
    (node.root / "mnt/resource_nvme").mkdir(parents=True)
    assert setup(node).returncode == 0
    assert mounted(node) == {"/dev/md128": "/mnt/resource_nvme"}
    assert (node.root / "mnt/resource_nvme/hf_cache").is_dir()


def test_a_mount_that_fails_is_a_failure(machine: MakeMachine) -> None:
    node = machine()
    node.know("disks", disks("", "") | {"mount_fails": True})
    assert setup(node).returncode != 0
