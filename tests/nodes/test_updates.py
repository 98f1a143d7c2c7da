"""Automatic updates: none by default, security updates in their window, or whatever the image does."""

import re
import subprocess
from pathlib import Path

import pytest
from nodes.conftest import need
from nodes.machine import Machine, MakeMachine
from nodes.test_provision import enabled, healthy
from nodes.vm_machine import MakeVmMachine

from clusterprint.nodes.vm import metadata
from clusterprint.plan.updates import UpdatesPlan

HOLD = UpdatesPlan()
WINDOW = UpdatesPlan(security=True, calendar="Sat,Sun *-*-* 02:00:00 UTC", first=1796436000, seconds=14400)
HELD = "etc/apt/apt.conf.d/zz-clusterprint-updates"
SECURITY = "etc/apt/apt.conf.d/zz-clusterprint-security"
SNAP = "[[ $1 == get ]] && cat $WORLD/hold; [[ $1 != set ]] || echo forever >$WORLD/hold"


def unattended(machine: Machine) -> str:
    """What apt understands of its files on a machine."""
    need("apt-config")
    first = machine.write("apt.conf", f'Dir::Etc::Parts "{machine.root}/etc/apt/apt.conf.d";\n')
    return subprocess.run(
        ["apt-config", "dump"],
        env={"PATH": "/usr/bin", "APT_CONFIG": str(first)},
        capture_output=True,
        text=True,
        check=True,
    ).stdout


def test_by_default_nothing_updates_itself(vm_machine: MakeVmMachine) -> None:
    node = vm_machine(updates=HOLD)
    node.fake("snap", SNAP)
    assert node.boot().returncode == 0, node.log()
    assert 'APT::Periodic::Enable "0";' in node.read(HELD)
    for service in ("dnf-automatic", "dnf-automatic-install"):
        drop_in = node.read(f"etc/systemd/system/{service}.service.d/clusterprint.conf")
        place = drop_in.partition("ConditionPathExists=!/")[2].strip()
        assert (node.root / place).exists(), "systemd skips the service while this exists"
    assert "set system refresh.hold=forever" in node.calls("snap")
    assert not (node.root / SECURITY).exists()
    assert node.steps() == {"updates": "done"}


def test_what_the_image_does_comes_back_with_the_mode_image(vm_machine: MakeVmMachine) -> None:
    node = vm_machine(updates=WINDOW)
    node.fake("snap", SNAP)
    node.fake("unattended-upgrade")
    node.boot()
    assert node.boot(updates=None).returncode == 0, node.log()
    assert node.steps() == {"leave-updates": "done"}
    for gone in (HELD, SECURITY, "etc/systemd/system/dnf-automatic.service.d/clusterprint.conf"):
        assert not (node.root / gone).exists()
    assert "unset system refresh.hold" in node.calls("snap")
    assert "disable --now clusterprint-updates.timer" in node.calls("systemctl")


def test_snaps_held_by_their_owner_stay_held(vm_machine: MakeVmMachine) -> None:
    node = vm_machine(updates=HOLD)
    node.boot()
    node.fake("snap", "[[ $1 != get ]] || echo 2030-01-01T00:00:00Z")
    assert node.boot(updates=None).returncode == 0
    assert "unset system refresh.hold" not in node.calls("snap")


def test_snaps_that_cannot_be_held_are_said_and_stop_nothing(vm_machine: MakeVmMachine) -> None:
    node = vm_machine(updates=HOLD)
    node.fake("snap", "exit 1")
    assert node.boot().returncode == 0
    assert "snaps could not be held" in node.log()


def test_security_updates_come_in_their_window(vm_machine: MakeVmMachine, systemd_analyze: str) -> None:
    node = vm_machine(updates=WINDOW)
    node.fake("apt-get")
    assert node.boot().returncode == 0, node.log()
    assert any("install unattended-upgrades" in call for call in node.calls("apt-get"))
    assert "enable --now clusterprint-updates.timer" in node.calls("systemctl")
    timer = node.read("etc/systemd/system/clusterprint-updates.timer.d/window.conf")
    calendar = timer.partition("OnCalendar=\nOnCalendar=")[2].splitlines()[0]
    assert calendar == WINDOW.calendar
    subprocess.run([systemd_analyze, "calendar", calendar], check=True, capture_output=True)
    service = node.read("etc/systemd/system/clusterprint-updates.service.d/window.conf")
    assert "TimeoutStartSec=14400\n" in service
    assert 'APT::Periodic::Enable "0";' in node.read(HELD), "the image's own timers install nothing"


@pytest.mark.parametrize(("now", "installs"), [(1796435999, False), (1796436000, True)])
def test_nothing_is_installed_before_the_first_window(
    vm_machine: MakeVmMachine, now: int, *, installs: bool
) -> None:
    node = vm_machine(updates=WINDOW)
    node.fake("apt-get")
    node.fake("unattended-upgrade")
    node.boot()
    node.fake("date", f"echo {now}")
    assert node.run("install-security-updates").returncode == 0
    assert bool(node.calls("unattended-upgrade")) == installs


def test_a_list_that_cannot_be_read_stops_no_update(vm_machine: MakeVmMachine) -> None:
    node = vm_machine(updates=UpdatesPlan(security=True))
    node.fake("apt-get", "exit 100")
    node.fake("unattended-upgrade")
    node.boot()
    assert node.run("install-security-updates").returncode == 0
    assert node.calls("unattended-upgrade") == [""]


def test_rocky_installs_security_updates_with_dnf(vm_machine: MakeVmMachine) -> None:
    node = vm_machine(updates=UpdatesPlan(security=True))
    node.fake("dnf")
    assert node.boot().returncode == 0, node.log()
    assert node.calls("dnf")[0].endswith("install dnf-automatic")
    node.fake("dnf-automatic")
    assert node.run("install-security-updates").returncode == 0
    (call,) = node.calls("dnf-automatic")
    settings = Path(call.split()[0]).read_text("utf-8")
    assert "upgrade_type = security" in settings
    assert "excludepkgs = kernel*," in settings


def test_an_image_without_packages_says_what_to_write(vm_machine: MakeVmMachine) -> None:
    node = vm_machine(updates=UpdatesPlan(security=True))
    assert node.boot().returncode == 1
    assert "updates: {mode: hold}" in node.status()["steps"][0]["message"]


def test_apt_reads_what_is_never_updated(vm_machine: MakeVmMachine) -> None:
    node = vm_machine(updates=UpdatesPlan(security=True))
    node.fake("unattended-upgrade")
    node.boot()
    said = unattended(node)
    assert 'APT::Periodic::Enable "0";' in said
    patterns = [
        line.split('"')[1] for line in said.splitlines() if line.startswith("Unattended-Upgrade::Package-Bl")
    ]
    held = re.compile("|".join(f"(?:{each})" for each in patterns if each))
    for name in (
        *("linux-image-6.8.0-1055-gcp", "linux-modules-nvidia-580-server-open-gcp", "linux-gcp"),
        *(
            "libnvidia-compute-580-server",
            "nvidia-utils-580-server",
            "nvidia-fabricmanager-580",
            "cuda-drivers",
        ),
        *(
            "xserver-xorg-video-nvidia-580",
            "libnccl2",
            "nccl-gib",
            "datacenter-gpu-manager-4-core",
            "amdgpu-dkms",
        ),
        *(
            "lustre-client-utils",
            "amlfs-lustre-client-2.15.6",
            "docker.io",
            "docker-ce",
            "containerd.io",
            "runc",
        ),
        *(
            "nvidia-container-toolkit",
            "libnvidia-container1",
            "rdma-core",
            "libibverbs1",
            "mlnx-ofed-kernel-dkms",
        ),
        *("openmpi-bin", "slurmd", "libcudnn9-cuda-12", "gcsfuse", "moby-engine"),
    ):
        assert held.match(name), name
    for name in ("openssh-server", "libc6", "libcurl4t64", "libcups2t64", "openssl", "sudo", "python3.12"):
        assert not held.match(name), name


def test_container_optimized_os_is_told_by_metadata(vm_machine: MakeVmMachine) -> None:
    settings = vm_machine(updates=HOLD, system="cos").settings
    assert metadata(settings)["cos-update-strategy"] == "update_disabled"
    assert HELD not in metadata(settings)["startup-script"]
    assert "cos-update-strategy" not in metadata(vm_machine(system="cos").settings)


@pytest.mark.parametrize("role", ["node", "head"])
def test_machines_of_a_scale_set_are_held_too(machine: MakeMachine, role: str) -> None:
    node = healthy(machine(role, updates=WINDOW))
    node.fake("unattended-upgrade")
    node.fake("apt-get")
    done = node.run("provision")
    assert done.returncode == 0, done.stderr
    assert 'APT::Periodic::Enable "0";' in node.read(HELD)
    assert "clusterprint-updates.timer" in enabled(node)
    assert node.read("etc/systemd/system/clusterprint-updates.timer.d/window.conf").count("OnCalendar=") == 2


def test_a_scale_set_may_leave_updates_to_its_image(machine: MakeMachine) -> None:
    node = healthy(machine(updates=None))
    assert node.run("provision").returncode == 0
    assert not (node.root / HELD).exists()
