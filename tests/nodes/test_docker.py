"""Docker's data on the scratch file system."""

import json
from typing import Any

import pytest
from nodes.machine import Machine, MakeMachine

# Images go where data-root is, and not to containerd, which knows nothing of it.
OWN_STORE = {"features": {"containerd-snapshotter": False}}
NVIDIA = {"runtimes": {"nvidia": {"path": "nvidia-container-runtime", "args": []}}, "log-driver": "local"}
# Containers keep their GPUs when systemd reads its units again.
GROUPS = {"exec-opts": ["native.cgroupdriver=cgroupfs"]}


def with_scratch(node: Machine, settings: str) -> Machine:
    node.know("disks", {"mounts": {"/dev/md/cp-scratch": str(node.root / "mnt/resource_nvme")}})
    node.fake("docker")
    node.write("etc/docker/daemon.json", settings)
    return node


def settings(node: Machine) -> Any:
    return json.loads(node.read("etc/docker/daemon.json"))


def restarts(node: Machine) -> int:
    return node.calls("systemctl").count("restart docker")


def test_the_nvidia_runtime_and_all_else_stay(machine: MakeMachine) -> None:
    node = with_scratch(machine(), json.dumps(NVIDIA))
    assert node.run("setup-docker").returncode == 0
    assert settings(node) == {**NVIDIA, "data-root": "/mnt/resource_nvme/docker", **OWN_STORE, **GROUPS}
    assert restarts(node) == 1


def test_docker_is_not_restarted_for_nothing(machine: MakeMachine) -> None:
    node = with_scratch(machine(), json.dumps(NVIDIA))
    node.run("setup-docker")
    assert node.run("setup-docker").returncode == 0
    assert restarts(node) == 1


@pytest.mark.parametrize("before", ["", "{}"])
def test_a_missing_nvidia_runtime_is_added(machine: MakeMachine, before: str) -> None:
    node = with_scratch(machine(), before)
    file = node.root / "etc/docker/daemon.json"
    node.fake("nvidia-ctk", f"printf '%s' '{json.dumps(NVIDIA)}' >{file}")
    assert node.run("setup-docker").returncode == 0
    assert settings(node)["runtimes"] == NVIDIA["runtimes"]
    assert settings(node)["data-root"] == "/mnt/resource_nvme/docker"


def test_amd_nodes_get_no_nvidia_runtime(machine: MakeMachine) -> None:
    node = with_scratch(machine(gpu_vendor="amd"), "{}")
    node.fake("nvidia-ctk")
    assert node.run("setup-docker").returncode == 0
    assert node.calls("nvidia-ctk") == []
    assert settings(node) == {"data-root": "/mnt/resource_nvme/docker", **OWN_STORE}


def test_without_scratch_docker_stays_where_it_was(machine: MakeMachine) -> None:
    node = with_scratch(machine(), json.dumps(NVIDIA))
    node.know("disks", {})
    assert node.run("setup-docker").returncode == 0
    assert settings(node) == {**NVIDIA, **GROUPS}


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (["native.cgroupdriver=systemd"], ["native.cgroupdriver=systemd"]),
        (["native.cgroupdriver=cgroupfs"], ["native.cgroupdriver=cgroupfs"]),
        (["isolation=default"], ["isolation=default", "native.cgroupdriver=cgroupfs"]),
    ],
)
def test_what_an_image_says_of_control_groups_counts(
    machine: MakeMachine, before: list[str], after: list[str]
) -> None:
    node = with_scratch(machine(), json.dumps({**NVIDIA, "exec-opts": before}))
    assert node.run("setup-docker").returncode == 0
    assert settings(node)["exec-opts"] == after


def test_settings_that_nobody_can_read_are_left_as_they_are(machine: MakeMachine) -> None:
    node = with_scratch(machine(gpu_vendor="none"), '{"data-root": ')
    done = node.run("setup-docker")
    assert done.returncode == 1
    assert "not a JSON object" in done.stderr
    assert node.read("etc/docker/daemon.json") == '{"data-root": '
    assert restarts(node) == 0


def test_the_container_of_the_health_checks_is_taken_along(machine: MakeMachine) -> None:
    node = with_scratch(machine(), json.dumps(NVIDIA))
    (node.root / "mnt/resource_nvme").mkdir(parents=True)
    name = "mcr.microsoft.com/aznhc/aznhc-nv:latest"
    node.fake(
        "docker", f'[[ $1 == images ]] && printf "%s\\n" ubuntu:24.04 {name}; [[ $1 != save ]] || touch "$3"'
    )
    assert node.run("setup-docker").returncode == 0
    archive = f"{node.root}/mnt/resource_nvme/.health-checks.tar"
    assert node.calls("docker")[1:] == [f"save --output {archive} {name}", f"load --quiet --input {archive}"]
    calls = (node.state / "calls").read_text("utf-8").splitlines()
    order = [call.split()[0] + " " + call.split()[1] for call in calls if "docker" in call]
    assert order.index("docker save") < order.index("systemctl restart") < order.index("docker load")
    assert list((node.root / "mnt/resource_nvme").iterdir()) == []


def test_docker_moves_without_a_container_that_cannot_be_saved(machine: MakeMachine) -> None:
    node = with_scratch(machine(), json.dumps(NVIDIA))
    node.fake("docker", '[[ $1 == images ]] && printf "x/aznhc:1\\n"; [[ $1 != save ]]')
    assert node.run("setup-docker").returncode == 0
    assert restarts(node) == 1
    assert not any(call.startswith("load") for call in node.calls("docker"))


def test_the_user_may_use_docker(machine: MakeMachine) -> None:
    node = with_scratch(machine(), json.dumps(NVIDIA))
    node.fake("getent")
    node.run("setup-docker")
    assert node.calls("usermod") == ["--append --groups docker azureuser"]


def test_a_machine_without_docker_is_fine(machine: MakeMachine) -> None:
    assert machine().run("setup-docker").returncode == 0
