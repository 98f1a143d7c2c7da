"""The local SSDs of a machine of kind vm as one disk, and the limits of what runs on it."""

from typing import Any

from nodes.vm_machine import MakeVmMachine, VmMachine

ARRAY = "/dev/md/cp-scratch"


def disks(*models: str) -> dict[str, Any]:
    return {"disks": {f"/dev/nvme{n}n1": {"model": each, "content": ""} for n, each in enumerate(models)}}


def node_with(vm_machine: MakeVmMachine, *models: str, **changes: object) -> VmMachine:
    node = vm_machine(**{"scratch": "/mnt/scratch", "local_ssds": 2, **changes})
    node.know("disks", disks(*models))
    return node


def test_local_ssds_become_one_disk_and_the_boot_disk_is_left_alone(vm_machine: MakeVmMachine) -> None:
    node = node_with(vm_machine, "nvme_card-pd", "nvme_card0", "nvme_card1  ")
    done = node.boot()
    assert done.returncode == 0, node.log()
    world = node.known("disks")
    assert world["arrays"][ARRAY]["members"] == ["/dev/nvme1n1", "/dev/nvme2n1"]
    assert world["mounts"] == {ARRAY: f"{node.root}/mnt/scratch"}
    assert world["disks"]["/dev/nvme0n1"]["content"] == ""
    assert node.steps() == {"scratch": "done"}


def test_it_is_back_after_a_reboot_with_what_was_on_it(vm_machine: MakeVmMachine) -> None:
    node = node_with(vm_machine, "nvme_card", "nvme_card")
    node.boot()
    node.boot()
    assert node.known("disks")["mounts"] == {ARRAY: f"{node.root}/mnt/scratch"}
    assert len(node.calls("mkfs.xfs")) == 1
    units = [call for call in node.calls("systemctl") if "scratch" in call]
    assert units[0] == "enable clusterprint-scratch.service"


def test_a_missing_disk_is_said_and_nothing_is_made_of_the_others(vm_machine: MakeVmMachine) -> None:
    node = node_with(vm_machine, "nvme_card-pd", "nvme_card0")
    assert node.boot().returncode == 1
    assert "has 1 local SSDs, expected 2 for its type" in node.status()["steps"][0]["message"]
    assert node.calls("mdadm") == []


def test_disks_that_are_in_use_are_a_failure(vm_machine: MakeVmMachine) -> None:
    node = node_with(vm_machine, "nvme_card0", "nvme_card1")
    world = node.known("disks")
    for disk in world["disks"].values():
        disk["content"] = "ext4"
    node.know("disks", world)
    assert node.boot().returncode == 1
    assert "no unused local SSD for /mnt/scratch" in node.status()["steps"][0]["message"]


def test_tools_that_the_image_lacks_are_installed(vm_machine: MakeVmMachine) -> None:
    node = node_with(vm_machine, "nvme_card0", "nvme_card1")
    (node.tools / "mdadm").rename(node.state / "mdadm")
    # The way to the internet is there at the third look.
    node.fake(
        "apt-get",
        "[[ $* == *update* ]] && exit 0\n"
        'printf x >>"$WORLD/tries"; (($("$REAL/stat" -c %s "$WORLD/tries") == 3)) || exit 100\n'
        f'"$REAL/mv" "$WORLD/mdadm" {node.tools}/mdadm',
    )
    assert node.boot().returncode == 0, node.log()
    assert node.calls("sleep") == ["15", "15"]
    assert node.calls("apt-get")[-1].endswith("install mdadm xfsprogs")


def test_memory_may_be_pinned_by_logins_and_services(vm_machine: MakeVmMachine) -> None:
    node = vm_machine(unlimited_memlock=True)
    node.fake(
        "systemctl",
        '[[ $1 == show ]] && { "$REAL/cat" "$WORLD/limit"; exit; }\n'
        '[[ $1 != daemon-reexec ]] || echo infinity >"$WORLD/limit"',
    )
    (node.state / "limit").write_text("8388608\n", "utf-8")
    assert node.boot().returncode == 0
    assert node.boot().returncode == 0
    assert node.calls("systemctl").count("daemon-reexec") == 1
    assert "* hard memlock unlimited\n" in node.read("etc/security/limits.d/90-clusterprint.conf")
    assert "DefaultLimitMEMLOCK=infinity\n" in node.read("etc/systemd/system.conf.d/90-clusterprint.conf")
