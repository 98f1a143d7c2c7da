"""The health of a machine of kind vm: what it finds, where it says so, and what follows."""

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from nodes.vm_machine import MakeVmMachine, VmMachine

import clusterprint.nodes
from clusterprint.derived import ports
from clusterprint.plan.vm_nodes import HealthPlan

LINKS = "".join(f"\t Link {n}: 26.562 GB/s\n" for n in range(3))
SMI = """
case "$1" in
--list-gpus) for n in 0 1; do printf 'GPU %s: NVIDIA H200\\n' $n; done ;;
--query-gpu=*) printf '0, 0\\n1, 0\\n' ;;
--query-remapped-rows=*) printf '00000000:04:00.0, 0\\n00000000:05:00.0, 0\\n' ;;
nvlink) printf 'GPU %s: NVIDIA H200\\n{LINKS}' 0; printf 'GPU %s: NVIDIA H200\\n{LINKS}' 1 ;;
esac
""".replace("{LINKS}", LINKS.replace("\t", "\\t").replace("\n", "\\n"))


def healthy(vm_machine: MakeVmMachine, **changes: object) -> VmMachine:
    """Two GPUs, two gVNICs and two RDMA interfaces, as they should be; and some of what software makes."""
    node = vm_machine(gpus=2, health=HealthPlan(interfaces=2, rdma_interfaces=2), **changes)
    node.fake("nvidia-smi", SMI)
    for name in ("eth0", "eth1", "rdma0", "rdma1"):
        (node.root / f"sys/class/net/{name}/device").mkdir(parents=True)
    (node.root / "sys/class/net/docker0").mkdir()
    for number in (0, 1):
        (node.root / f"sys/class/net/rdma{number}/device/infiniband").mkdir()
        node.write(f"sys/class/infiniband/mlx5_{number}/ports/1/state", "4: ACTIVE\n")
    return node


def smi(node: VmMachine, before: str, after: str) -> None:
    assert before in SMI
    node.fake("nvidia-smi", SMI.replace(before, after))


def test_a_healthy_machine_says_so(vm_machine: MakeVmMachine) -> None:
    node = healthy(vm_machine)
    assert node.boot().returncode == 0, node.log()
    assert node.steps() == {"health": "done"}
    done = node.run("clusterprint-health")
    assert done.returncode == 0
    assert [line.split()[:3] for line in done.stdout.splitlines()] == [
        ["ok", "gpus", "2"],
        ["ok", "memory", "no"],
        ["ok", "nvlink", "3"],
        ["ok", "network", "2"],
        ["ok", "rdma", "2"],
        ["ok", "links", "2"],
    ]
    assert node.guest_attributes()["health"].startswith("healthy\n")
    assert (node.state / "enabled/clusterprint-health.timer").exists()


SPOILED: dict[str, tuple[Callable[[VmMachine], object], str]] = {
    "a GPU is missing": (lambda node: smi(node, "for n in 0 1", "for n in 0"), "gpus 1 GPUs, expected 2"),
    "no driver": (lambda node: node.remove("nvidia-smi"), "driver not responding: nvidia-smi not found"),
    "the driver is stuck": (
        lambda node: node.fake("nvidia-smi", "echo 'Unable to determine the device handle'; exit 15"),
        "driver not responding: Unable to determine the device handle",
    ),
    "errors of memory": (lambda node: smi(node, "0, 0\\n1, 0", "0, 0\\n1, 3"), "memory GPU 1: 3 errors."),
    "rows are used up": (
        lambda node: smi(node, "05:00.0, 0", "05:00.0, 1"),
        "memory 00000000:05:00.0 has no spare rows left.",
    ),
    "a link is down": (
        lambda node: smi(node, "Link 2: 26.562 GB/s\\n' 1", "Link 2: <inactive>\\n' 1"),
        "nvlink GPU 1 has links missing or down",
    ),
    "a card is missing": (
        lambda node: (node.root / "sys/class/net/eth1/device").rmdir(),
        "network 1 network interfaces, expected 2",
    ),
    "an RDMA link is down": (
        lambda node: node.write("sys/class/infiniband/mlx5_1/ports/1/state", "1: DOWN\n"),
        "links 1 RDMA links are up, expected 2",
    ),
}


@pytest.mark.parametrize("case", SPOILED)
def test_what_is_bad_ends_the_chain_and_is_said(vm_machine: MakeVmMachine, case: str) -> None:
    spoil, finding = SPOILED[case]
    node = healthy(vm_machine, startup_script="#!/bin/sh\ntouch $WORLD/ran\n")
    spoil(node)
    assert node.boot().returncode == 1
    assert node.steps() == {"health": "failed", "startup-script": "waiting"}
    assert finding in node.status()["steps"][0]["message"]
    assert node.guest_attributes()["health"].startswith("unhealthy\n")
    assert not (node.state / "ran").exists()


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (f"GPU %s: NVIDIA H200\\n{LINKS}".replace("\t", "\\t").replace("\n", "\\n"), "GPU %s: NVIDIA L4\\n"),
        ("26.562 GB/s", "<inactive>"),
    ],
)
def test_gpus_without_links_are_fine(vm_machine: MakeVmMachine, before: str, after: str) -> None:
    node = healthy(vm_machine)
    smi(node, before, after)
    assert node.boot().returncode == 0, node.log()
    assert "no links found" in node.run("clusterprint-health").stdout


def test_gpus_that_count_no_errors_are_fine(vm_machine: MakeVmMachine) -> None:
    node = healthy(vm_machine)
    smi(node, "0, 0\\n1, 0", "0, [N/A]\\n1, [N/A]")
    assert node.boot().returncode == 0


def test_machines_without_gpus_and_rdma_are_examined_too(vm_machine: MakeVmMachine) -> None:
    node = healthy(vm_machine)
    node.remove("nvidia-smi")
    assert node.boot(gpus=0, health=HealthPlan(interfaces=2, rdma_interfaces=0)).returncode == 0


def test_a_scratch_disk_that_went_away_is_found_later(vm_machine: MakeVmMachine) -> None:
    node = healthy(vm_machine, scratch="/mnt/scratch", local_ssds=1)
    node.know("disks", {"disks": {"/dev/nvme0n1": {"model": "nvme_card", "content": ""}}})
    assert node.boot().returncode == 0, node.log()
    node.know("disks", {**node.known("disks"), "mounts": {}})
    done = node.run("clusterprint-health", "--publish")
    assert done.returncode == 1
    assert "/mnt/scratch is not mounted" in done.stdout
    assert "/mnt/scratch is not mounted" in node.guest_attributes()["health"]
    assert node.run("clusterprint-health", "--all").returncode == 64


def asked(node: VmMachine) -> str:
    """The answer to a health check, in one line."""
    answer = node.run("answer-health", stdin="GET / HTTP/1.1\r\nHost: x\r\n\r\n").stdout
    lines = answer.splitlines()
    return f"{lines[0]} {lines[-1]}"


def test_health_checks_hear_what_was_found(vm_machine: MakeVmMachine) -> None:
    node = healthy(vm_machine)
    assert node.boot().returncode == 0, node.log()
    assert asked(node) == "HTTP/1.1 200 OK healthy"
    node.remove("nvidia-smi")
    assert node.run("clusterprint-health", "--publish").returncode == 1
    assert asked(node) == "HTTP/1.1 503 Service Unavailable unhealthy"


def test_a_machine_that_was_not_examined_since_its_boot_is_left_alone(vm_machine: MakeVmMachine) -> None:
    node = healthy(vm_machine)
    node.remove("nvidia-smi")
    assert node.boot().returncode == 1
    assert asked(node).endswith("unhealthy")
    folder = "usr/local/lib/clusterprint/steps"
    node.fake("nvidia-smi", SMI)
    node.write(f"{folder}/06-stop", "#!/bin/bash\nexit 1\n", 0o755)
    # What starts the socket at a boot.
    socket = node.read("etc/systemd/system/clusterprint-answer.socket")
    forgotten = re.findall(r"^ExecStartPre=/bin/rm -f (/\S+)$", socket, re.MULTILINE)
    (node.root / forgotten[0].lstrip("/")).unlink()
    assert node.boot().returncode == 1
    assert asked(node) == "HTTP/1.1 200 OK unknown"


def test_health_checks_may_begin_on_any_node(vm_machine: MakeVmMachine) -> None:
    """A group that begins to check would recreate those that do not answer, all of them."""
    node = vm_machine(gpus=0)
    assert node.boot().returncode == 0
    units = "etc/systemd/system"
    wants = node.read(f"{units}/clusterprint-setup.service.d/answer.conf").splitlines()
    assert {"Wants=clusterprint-answer.socket", "After=clusterprint-answer.socket"} <= set(wants)
    assert (node.root / f"{units}/clusterprint-answer.socket").exists()
    assert (node.root / f"{units}/clusterprint-answer@.service").exists()
    assert asked(node) == "HTTP/1.1 200 OK unknown"


def test_the_socket_is_where_health_checks_come() -> None:
    unit = Path(clusterprint.nodes.__file__).parent / "vm/files/repair/etc/systemd/system"
    assert f"ListenStream={ports.HEALTH}\n" in (unit / "clusterprint-answer.socket").read_text("utf-8")
