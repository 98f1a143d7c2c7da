"""Settings of an earlier boot that a node of kind vm no longer has."""

from pathlib import Path

import pytest
from nodes.test_vm_container import CONTAINER
from nodes.vm_machine import MakeVmMachine, VmMachine

import clusterprint.nodes
from clusterprint.plan.vm_nodes import BucketMount

LAYERS = Path(clusterprint.nodes.__file__).parent / "vm/files"

OURS = "# clusterprint begin\nx\n# clusterprint end\n"

# Layers whose steps leave nothing that would go on by itself, and why.
NOTHING_TO_LEAVE = {
    "confidential-gpus": "GPUs are not ready again after the next start, and other machines have none",
    "driver": "without its driver nothing on the machine sees a GPU, whoever installed it",
    "driver-cos": "its modules are gone at the next boot",
    "docker": "Docker may have become somebody else's; it runs nothing of ours",
    "docker-cos": "Docker is part of the image",
    "image": "it is on machines that become images only, and the first boot of a node takes it away",
    "mpi": "its units go with their files, and with them what they run",
}

# Containers are files; "docker rm" takes one away unless it is told to fail.
DOCKER = """
case "$1" in
rm) [[ -e $WORLD/stuck ]] || "$REAL/rm" -f "$WORLD/containers/${!#}" ;;
create) "$REAL/mkdir" -p "$WORLD/containers"; "$REAL/touch" "$WORLD/containers/clusterprint" ;;
--config) [[ $3 != login ]] || "$REAL/cat" >/dev/null ;;
ps) [[ ! -e $WORLD/containers/clusterprint ]] || echo 0123456789ab ;;
esac
"""


def node_with(vm_machine: MakeVmMachine, **wishes: object) -> VmMachine:
    node = vm_machine(**wishes)
    node.fake("docker", DOCKER)
    node.fake("nvidia-ctk")
    node.fake("umount")
    return node


def layers_with_steps() -> set[str]:
    """Those of kind vm, and those that it shares with kind vmss."""
    return {
        file.relative_to(folder).parts[0]
        for folder in (LAYERS, LAYERS.parent.parent / "common/files")
        for file in folder.glob("*/usr/local/lib/clusterprint/steps/*")
    }


def leavers() -> dict[str, Path]:
    return {file.relative_to(LAYERS).parts[0]: file for file in LAYERS.glob("*/var/lib/clusterprint/leave/*")}


def test_every_layer_undoes_itself_or_says_why_not() -> None:
    assert layers_with_steps() == leavers().keys() | NOTHING_TO_LEAVE.keys()
    assert not leavers().keys() & NOTHING_TO_LEAVE.keys()


def test_no_two_layers_share_a_name() -> None:
    names = [file.name for file in leavers().values()]
    assert len({name[:2] for name in names}) == len(names)
    assert all(name[2:].startswith("-leave-") for name in names)


def test_a_container_that_is_no_longer_asked_for_is_gone(vm_machine: MakeVmMachine) -> None:
    node = node_with(vm_machine, container=CONTAINER)
    assert node.boot().returncode == 0, node.log()
    assert (node.state / "containers/clusterprint").exists()
    assert node.boot(container=None, docker=True).returncode == 0, node.log()
    assert node.steps() == {"leave-container": "done", "docker": "done"}
    assert not (node.state / "containers/clusterprint").exists()
    assert "disable --now clusterprint-container.service" in node.calls("systemctl")
    node.boot()
    assert node.steps() == {"docker": "done"}


def test_what_cannot_be_undone_fails_the_setup_and_is_tried_again(vm_machine: MakeVmMachine) -> None:
    node = node_with(vm_machine, container=CONTAINER)
    node.boot()
    (node.state / "stuck").touch()
    assert node.boot(container=None, startup_script="#!/bin/sh\n").returncode == 1
    assert node.steps() == {"leave-container": "failed", "startup-script": "waiting"}
    assert "could not be removed" in node.status()["steps"][0]["message"]
    (node.state / "stuck").unlink()
    assert node.run("run-steps").returncode == 0
    assert node.steps() == {"leave-container": "done", "startup-script": "done"}


def test_what_is_asked_for_again_is_not_undone(vm_machine: MakeVmMachine) -> None:
    node = node_with(vm_machine, container=CONTAINER)
    node.boot()
    (node.state / "stuck").touch()
    node.boot(container=None)
    assert node.boot(container=CONTAINER).returncode == 0, node.log()
    assert node.steps() == {"docker": "done", "container": "done"}


def test_without_gpudirect_nccl_is_told_nothing(vm_machine: MakeVmMachine) -> None:
    node = node_with(vm_machine, gpudirect="roce")
    script = node.write("usr/local/gib/scripts/set_nccl_env.sh", "export NCCL_NET=gIB\n")
    node.write("etc/environment", "PATH=/usr/bin\n")
    assert node.boot().returncode == 0, node.log()
    assert "NCCL_NET=gIB" in node.read("etc/environment")
    assert script.exists()
    node.boot(gpudirect="")
    assert node.steps() == {"leave-gib": "done"}
    assert node.read("etc/environment") == "PATH=/usr/bin\n"
    assert not (node.root / "var/lib/clusterprint/nccl.env").exists()
    assert not (node.root / "etc/profile.d/clusterprint-nccl.sh").exists()


def test_a_mount_that_is_no_longer_asked_for_leaves_no_folder(vm_machine: MakeVmMachine) -> None:
    node = node_with(
        vm_machine,
        mounts=(BucketMount(bucket="data", mount="/mnt/data", read_only=False, profile="training"),),
    )
    node.write("var/lib/clusterprint/placed", "/var/lib/clusterprint/leave/09-leave-buckets\n")
    node.write("var/lib/clusterprint/buckets", "data\t/mnt/data\trw\t-\n")
    (node.root / "mnt/data").mkdir(parents=True)
    leave = leavers()["buckets"].read_text("utf-8")
    node.write("var/lib/clusterprint/leave/09-leave-buckets", leave, 0o755)
    assert node.boot(mounts=()).returncode == 0, node.log()
    assert node.steps() == {"leave-buckets": "done"}
    assert not (node.root / "mnt/data").exists()
    assert not (node.root / "var/lib/clusterprint/buckets").exists()


@pytest.mark.parametrize(
    ("layer", "before", "gone", "kept"),
    [
        ("ray", {"var/lib/clusterprint/ray.role": "head\n"}, ["var/lib/clusterprint/ray.role"], {}),
        ("health", {"var/lib/clusterprint/health": "unhealthy\n"}, ["var/lib/clusterprint/health"], {}),
        ("hosts", {"var/lib/clusterprint/hosts/all": "a slots=1\n"}, ["var/lib/clusterprint/hosts"], {}),
        ("end", {"etc/motd.d/clusterprint-end": "x\n"}, ["etc/motd.d/clusterprint-end"], {}),
        (
            "ssh",
            {
                "etc/ssh/ssh_known_hosts": f"mine ssh-ed25519 A\n{OURS}",
                "etc/ssh/shosts.equiv": OURS,
                "etc/ssh/ssh_config.d/61-clusterprint-nodes.conf": "Host x\n",
            },
            ["etc/ssh/shosts.equiv", "etc/ssh/ssh_config.d/61-clusterprint-nodes.conf"],
            {"etc/ssh/ssh_known_hosts": "mine ssh-ed25519 A\n"},
        ),
        (
            "files",
            {
                "opt/ours/a": "a\n",
                "opt/theirs/b": "b\n",
                "opt/theirs/c": "c\n",
                "var/lib/clusterprint/files.ours": "/opt/ours/a\n/opt/theirs/b\n",
                "var/lib/clusterprint/files.folders": "/opt/ours\n/opt/theirs\n",
            },
            ["opt/ours", "opt/theirs/b", "var/lib/clusterprint/files.ours"],
            {"opt/theirs/c": "c\n"},
        ),
        (
            "scratch",
            {
                "var/lib/clusterprint/scratch": "/mnt/scratch\n",
                "etc/docker/daemon.json": '{"data-root": "/mnt/scratch/docker", "debug": true}',
            },
            ["var/lib/clusterprint/scratch"],
            {"etc/docker/daemon.json": '{\n  "debug": true\n}\n'},
        ),
    ],
)
def test_what_a_layer_leaves_behind(
    vm_machine: MakeVmMachine, layer: str, before: dict[str, str], gone: list[str], kept: dict[str, str]
) -> None:
    node = node_with(vm_machine)
    node.boot()
    for path, text in before.items():
        node.write(path, text)
    file = leavers()[layer]
    node.write(f"var/lib/clusterprint/leaving/{file.name}", file.read_text("utf-8"), 0o755)
    assert node.run("run-steps").returncode == 0, node.log()
    assert [path for path in gone if (node.root / path).exists()] == []
    assert {path: node.read(path) for path in kept} == kept
    assert not (node.root / f"var/lib/clusterprint/leaving/{file.name}").exists()
    # Nothing of it may be there at all.
    node.write(f"var/lib/clusterprint/leaving/{file.name}", file.read_text("utf-8"), 0o755)
    assert node.run("run-steps").returncode == 0, node.log()


@pytest.mark.parametrize(
    ("layer", "installed", "unit"),
    [
        ("dcgm", "dcgm-cuda12", "nvidia-dcgm.service"),
        ("ops-agent", "ops-agent", "google-cloud-ops-agent.service"),
    ],
)
def test_what_the_image_brought_is_left_to_it(
    vm_machine: MakeVmMachine, layer: str, installed: str, unit: str
) -> None:
    node = node_with(vm_machine)
    node.boot()
    file = leavers()[layer]
    for ours in (False, True):
        if ours:
            node.write(f"var/lib/clusterprint/installed/{installed}", "")
        node.write(f"var/lib/clusterprint/leaving/{file.name}", file.read_text("utf-8"), 0o755)
        assert node.run("run-steps").returncode == 0, node.log()
        assert (f"disable --now {unit}" in node.calls("systemctl")) == ours
