"""The first boot: every step in order, failures said, nothing twice."""

import json
import os
import subprocess
from pathlib import Path

import pytest
from nodes.health_tools import GOOD, TABLE, aznhc, dcgm
from nodes.machine import Machine, MakeMachine
from nodes.settings import NFS

SCRIPT = '#!/bin/bash\necho "hello from $0"\necho ran >>"$WORLD/ran"\n'


def healthy(node: Machine) -> Machine:
    """A node on which all goes well."""
    node.know("disks", {"disks": {"/dev/nvme0n1": {"model": "Microsoft NVMe Direct Disk", "content": ""}}})
    node.write("etc/docker/daemon.json", json.dumps({"runtimes": {"nvidia": {}}}))
    aznhc(node, GOOD)
    dcgm(node, TABLE.format("Pass"))
    node.fake("ip", 'printf "2: eth0    inet 10.0.0.11/24 brd 10.0.0.255 scope global eth0\\n"')
    # Units are started by systemd; here the one that later steps rely on runs at once.
    scratch = '"$ROOT/usr/local/lib/clusterprint/setup-scratch"'
    node.fake(
        "systemctl",
        "[[ $1 == is-enabled ]] && exit 1\n"
        f'[[ $* == "enable --now clusterprint-scratch.service" ]] && {scratch}\n'
        "exit 0",
    )
    return node


def enabled(node: Machine) -> list[str]:
    return [call.split()[-1] for call in node.calls("systemctl") if call.startswith("enable ")]


def test_a_node_is_set_up_in_order(machine: MakeMachine) -> None:
    node = healthy(machine(startup_script=SCRIPT))
    done = node.run("provision")
    assert done.returncode == 0, done.stderr
    assert node.read("var/lib/clusterprint/provisioned") == "complete\n"
    assert enabled(node) == [
        "clusterprint-trust-head.timer",
        "clusterprint-scratch.service",
        "clusterprint-persistence.service",
    ]
    assert node.read("var/log/clusterprint/startup-script.log").startswith("hello from ")
    assert node.read("var/log/node-health.log.status").endswith(" healthy\n")
    assert json.loads(node.read("etc/docker/daemon.json"))["data-root"] == "/mnt/resource_nvme/docker"
    assert node.read("var/log/node-info.log") == "vm-000001 10.0.0.11 unknown\n"


def test_a_head_is_set_up(machine: MakeMachine) -> None:
    head = healthy(machine("head"))
    done = head.run("provision")
    assert done.returncode == 0, done.stderr
    assert enabled(head) == [
        "clusterprint-key.timer",
        "clusterprint-hosts.timer",
        "clusterprint-expiry.timer",
    ]
    assert head.calls("dcgmi") == []


def test_a_head_that_takes_part_is_set_up_as_both(machine: MakeMachine) -> None:
    head = healthy(machine("head", orchestration="flexible", head_is_node=True))
    assert head.run("provision").returncode == 0
    assert {"clusterprint-hosts.timer", "clusterprint-scratch.service"} <= set(enabled(head))
    assert head.calls("dcgmi")


def test_what_is_not_asked_for_is_not_started(machine: MakeMachine) -> None:
    node = healthy(machine(health_checks=False))
    node.run("provision")
    assert node.calls("dcgmi") == []
    assert not {"clusterprint-health.socket", "clusterprint-shares.service"} & set(enabled(node))


def test_what_is_asked_for_is_started(machine: MakeMachine) -> None:
    node = healthy(machine(health_endpoint=True, shares=(NFS,)))
    node.run("provision")
    assert {"clusterprint-health.socket", "clusterprint-shares.service"} <= set(enabled(node))


def test_shares_are_waited_for_while_permissions_arrive(machine: MakeMachine) -> None:
    node = healthy(machine(shares=(NFS,), startup_script=SCRIPT))
    node.fake("sleep")
    node.fake(
        "systemctl",
        "[[ $1 == is-enabled ]] && exit 1\n"
        "[[ $* == *shares* ]] || exit 0\n"
        "printf x >>$WORLD/tries; (($(stat -c %s $WORLD/tries) == 3))",
    )
    node.remove("docker")
    node.run("provision")
    assert enabled(node).count("clusterprint-shares.service") == 3
    assert node.calls("sleep") == ["30", "30"]
    assert (node.state / "ran").exists()


def test_a_step_that_fails_is_said_and_the_others_run(machine: MakeMachine) -> None:
    node = healthy(machine(startup_script="#!/bin/bash\nexit 7\n"))
    node.write("etc/docker/daemon.json", "{")
    node.remove("nvidia-ctk")
    done = node.run("provision")
    assert done.returncode == 1
    outcome = node.read("var/lib/clusterprint/provisioned")
    assert outcome == "failed: /usr/local/lib/clusterprint/setup-docker;run_startup_script\n"
    assert node.read("var/log/node-health.log.status").endswith(" healthy\n")


def test_an_unhealthy_node_is_a_failed_step(machine: MakeMachine) -> None:
    node = healthy(machine())
    dcgm(node, TABLE.format("Fail"))
    assert node.run("provision").returncode == 1
    assert "run-health-checks" in node.read("var/lib/clusterprint/provisioned")


def test_after_a_restart_half_way_it_goes_on_and_the_users_script_does_not_run_twice(
    machine: MakeMachine,
) -> None:
    node = healthy(machine(startup_script=SCRIPT))
    node.kill_during("provision", "hostname")
    assert not (node.root / "var/lib/clusterprint/provisioned").exists()
    node.fake("hostname", "printf 'vm-000001\\n'")
    assert node.run("provision").returncode == 0
    assert node.run("provision").returncode == 0
    assert (node.state / "ran").read_text("utf-8") == "ran\n"
    assert node.read("var/log/node-info.log").count("\n") == 1


def test_the_raid_service_of_the_image_does_not_get_in_the_way(machine: MakeMachine) -> None:
    node = healthy(machine())
    node.fake("systemctl")
    node.run("provision")
    assert "disable --now nvme-raid.service" in node.calls("systemctl")


# Single steps


def test_node_info_names_the_physical_host(machine: MakeMachine) -> None:
    node = healthy(machine())
    records = (("VirtualMachineName", "x"), ("PhysicalHostNameFullyQualified", "HOST-17"), ("Other", "y"))
    text = "".join(key.ljust(512, "\0") + value.ljust(2048, "\0") for key, value in records)
    node.write("var/lib/hyperv/.kvp_pool_3", text)
    assert node.run("node-info").stdout == "vm-000001 10.0.0.11 HOST-17\n"
    node.run("node-info")
    assert node.read("var/log/node-info.log") == "vm-000001 10.0.0.11 HOST-17\n"
    node.write("var/lib/hyperv/.kvp_pool_3", text.replace("HOST-17", "HOST-18"))
    node.run("node-info")
    assert node.read("var/log/node-info.log").splitlines()[1] == "vm-000001 10.0.0.11 HOST-18"


@pytest.mark.parametrize(("vendor", "calls"), [("nvidia", ["-pm 1"]), ("amd", []), ("none", [])])
def test_persistence_mode_is_for_nvidia(machine: MakeMachine, vendor: str, calls: list[str]) -> None:
    node = machine(gpu_vendor=vendor)
    node.fake("nvidia-smi")
    assert node.run("set-persistence-mode").returncode == 0
    assert node.calls("nvidia-smi") == calls


def test_a_driver_that_is_missing_is_said(machine: MakeMachine) -> None:
    done = machine().run("set-persistence-mode")
    assert done.returncode == 1
    assert "nvidia-smi" in done.stderr


@pytest.mark.parametrize("shell", ["bash", "sh"])
@pytest.mark.parametrize(("status", "home"), [(0, "/mnt/resource_nvme/hf_cache"), (1, "")])
def test_hf_home_is_on_scratch_where_there_is_one(
    machine: MakeMachine, shell: str, status: int, home: str
) -> None:
    node = machine()
    node.fake("mountpoint", f"exit {status}")
    done = subprocess.run(
        [shell, "-euc", f'. {node.root}/etc/profile.d/clusterprint.sh; printf %s "${{HF_HOME:-}}"'],
        env={**node.environment(), "PATH": os.pathsep.join([str(node.tools), os.environ["PATH"]])},
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout == home
    assert Path(home).is_absolute() or not home


def with_amd(machine: MakeMachine, *, appear: int) -> Machine:
    """A node whose eight GPUs are there after so many waits."""
    node = healthy(machine(gpu_vendor="amd", health_checks=False, startup_script=SCRIPT))
    folder = f"{node.root}/sys/class/kfd/kfd/topology/nodes"
    node.fake(
        "sleep",
        f'(($(grep -c "^sleep" "$WORLD/calls") == {appear})) || exit 0; '
        f"for each in {{0..9}}; do mkdir -p {folder}/$each; "
        f"echo $((each < 2 ? 0 : each)) >{folder}/$each/gpu_id; done",
    )
    node.write("sys/class/kfd/kfd/topology/nodes/0/gpu_id", "0\n")
    return node


def test_gpus_of_amd_are_waited_for_before_the_startup_script(machine: MakeMachine) -> None:
    node = with_amd(machine, appear=12)
    done = node.run("provision")
    assert done.returncode == 0, done.stderr
    assert len([call for call in node.calls("sleep") if call == "10"]) == 12
    assert done.stderr.index("wait-for-gpus") < done.stderr.index("setup-docker")


def test_gpus_of_amd_that_never_come_are_said(machine: MakeMachine) -> None:
    node = with_amd(machine, appear=1000)
    done = node.run("provision")
    assert done.returncode == 1
    assert "the driver shows 0 of 8 GPUs after 15 minutes" in done.stderr
    assert len([call for call in node.calls("sleep") if call == "10"]) == 90
