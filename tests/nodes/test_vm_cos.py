"""Machines of kind vm with Container-Optimized OS: little can be written to, and nothing is installed."""

import msgspec
import pytest
from nodes.cos_machine import cos_node, reboot, starts, words
from nodes.vm_machine import MakeVmMachine, VmMachine

from clusterprint.nodes.vm import metadata
from clusterprint.plan.vm_nodes import BucketMount, ContainerPlan, HealthPlan, ReceivePlan

SCRIPT = '#!/bin/bash\necho ran >>"$WORLD/ran"\n'
CONTAINER = ContainerPlan(
    image="us-docker.pkg.dev/p/r/train:1",
    args=("--x",),
    env={"A": "1"},
    ports=(),
    gpus=True,
    restart="always",
)
TCPXO = ReceivePlan(
    plugin="us-docker.pkg.dev/g/plugin:v1",
    daemon="us-docker.pkg.dev/g/daemon:v2",
    entrypoint="",
    arguments=("--num_hops=2",),
    capabilities=(),
    environment={"NCCL_FASTRAK_LLCM_DEVICE_DIRECTORY": "/dev/aperture_devices"},
    profile="nccl-env-profile.sh",
)
TCPX = ReceivePlan(
    plugin="us-docker.pkg.dev/g/plugin:v3",
    daemon="us-docker.pkg.dev/g/daemon:v4",
    entrypoint="/tcpgpudmarxd/build/app/tcpgpudmarxd",
    arguments=("--uds_path", "/run/tcpx", "--setup_param", "--verbose 128 2 0"),
    capabilities=("IPC_LOCK",),
    environment={"NCCL_NET_GDR_LEVEL": "PIX"},
    profile="",
)


def test_our_files_are_in_memory_as_usr_cannot_be_written_to(vm_machine: MakeVmMachine) -> None:
    node = cos_node(vm_machine, startup_script=SCRIPT)
    assert node.boot().returncode == 0, node.log()
    (mount,) = [call for call in node.calls("mount") if "tmpfs" in call]
    assert mount == f"-t tmpfs -o mode=755 clusterprint {node.root}/usr/local"
    assert node.guest_attributes()["state"] == "ready"
    assert reboot(node).returncode == 0
    assert node.steps() == {"startup-script": "done"}
    assert (node.state / "ran").read_text("utf-8") == "ran\nran\n"


def test_on_other_systems_usr_is_left_alone(vm_machine: MakeVmMachine) -> None:
    node = vm_machine(startup_script=SCRIPT)
    node.boot()
    assert node.calls("mount") == []


def test_the_start_up_script_runs_where_programs_may(vm_machine: MakeVmMachine) -> None:
    """Nothing below /var runs on this system."""
    node = cos_node(vm_machine, startup_script=SCRIPT)
    node.boot()
    assert (node.root / "usr/local/lib/clusterprint/startup-script").exists()
    assert not (node.root / "var/lib/clusterprint/startup-script").exists()


# The driver


def test_the_driver_is_of_the_branch_and_is_there_again_after_a_reboot(vm_machine: MakeVmMachine) -> None:
    node = cos_node(vm_machine, driver="580")
    assert node.boot().returncode == 0, node.log()
    assert node.calls("cos-extensions") == ["install gpu -- -version=R580"]
    assert node.known("disks")["executable"] == [f"{node.root}/var/lib/nvidia"]
    assert node.run("run-steps").returncode == 0
    assert len(node.calls("cos-extensions")) == 1
    assert reboot(node).returncode == 0
    assert len(node.calls("cos-extensions")) == 2
    assert node.steps() == {"driver": "done"}


def test_an_image_without_the_branch_says_so(vm_machine: MakeVmMachine) -> None:
    node = cos_node(vm_machine, driver="999")
    (node.state / "no-driver").touch()
    assert node.boot().returncode == 1
    assert "does this image have branch 999" in node.status()["steps"][0]["message"]
    assert len(node.calls("cos-extensions")) == 10


def test_a_driver_that_finds_nothing_is_a_failure(vm_machine: MakeVmMachine) -> None:
    node = cos_node(vm_machine, driver="580")
    node.fake("cos-extensions", '"$REAL/mkdir" -p "$ROOT/var/lib/nvidia"')
    assert node.boot().returncode == 1
    assert "finds no GPU" in node.status()["steps"][0]["message"]


# Docker and the scratch disk


def with_ssd(vm_machine: MakeVmMachine) -> VmMachine:
    node = cos_node(vm_machine, docker=True, scratch="/mnt/disks/scratch", local_ssds=1, gpus=0)
    node.know("disks", {"disks": {"/dev/nvme0n1": {"model": "nvme_card", "content": ""}}})
    return node


def test_the_data_of_docker_lie_on_the_local_ssds(vm_machine: MakeVmMachine) -> None:
    node = with_ssd(vm_machine)
    assert node.boot().returncode == 0, node.log()
    assert node.steps() == {"scratch": "done", "docker": "done"}
    scratch, data = (f"{node.root}/{each}" for each in ("mnt/disks/scratch/docker", "var/lib/docker"))
    assert f"--bind {scratch} {data}" in node.calls("mount")
    calls = node.calls("systemctl")
    assert calls.index("stop docker.socket docker.service") < calls.index("start docker.service")


def test_what_lies_there_already_is_not_put_there_again(vm_machine: MakeVmMachine) -> None:
    node = with_ssd(vm_machine)
    node.boot()
    # As the kernel shows it: one folder in two places.
    (node.root / "var/lib/docker").rmdir()
    (node.root / "var/lib/docker").symlink_to(node.root / "mnt/disks/scratch/docker")
    assert node.run("run-steps").returncode == 0
    assert node.calls("systemctl").count("stop docker.socket docker.service") == 1


def test_without_local_ssds_docker_stays_where_it_is(vm_machine: MakeVmMachine) -> None:
    node = cos_node(vm_machine, docker=True, gpus=0)
    assert node.boot().returncode == 0
    assert [call for call in node.calls("mount") if "--bind" in call] == []


# The container


def test_the_container_has_every_gpu_and_the_libraries_of_the_driver(vm_machine: MakeVmMachine) -> None:
    node = cos_node(vm_machine, driver="580", container=CONTAINER)
    assert node.boot().returncode == 0, node.log()
    started = words(node, "clusterprint")
    for device in ("nvidia0", "nvidia1", "nvidiactl", "nvidia-uvm"):
        assert f"<--device></dev/{device}>" in started
    assert "</var/lib/nvidia/lib64:/usr/local/nvidia/lib64:ro>" in started
    assert "<--gpus>" not in started
    assert "<--network>" not in started
    assert (node.state / "password").read_text("utf-8") == "t-1\n"


def test_without_a_driver_there_are_no_gpus_for_it(vm_machine: MakeVmMachine) -> None:
    node = cos_node(vm_machine, container=CONTAINER)
    assert node.boot().returncode == 1
    assert "is a driver installed" in node.status()["steps"][-1]["message"]


def test_a_container_without_gpus_needs_none(vm_machine: MakeVmMachine) -> None:
    node = cos_node(vm_machine, container=msgspec.structs.replace(CONTAINER, gpus=False))
    assert node.boot().returncode == 0
    assert "nvidia" not in words(node, "clusterprint")


def test_after_a_reboot_it_is_the_same_container(vm_machine: MakeVmMachine) -> None:
    node = cos_node(vm_machine, driver="580", container=CONTAINER)
    node.boot()
    assert reboot(node).returncode == 0
    assert starts(node, "clusterprint") == 1
    assert node.calls("docker").count("start clusterprint") == 4


# GPUDirect


def receiving(vm_machine: MakeVmMachine, kind: str = "tcpxo", **changes: object) -> VmMachine:
    receive = TCPXO if kind == "tcpxo" else TCPX
    node = cos_node(vm_machine, **{"driver": "580", "gpudirect": kind, "receive": receive, **changes})
    (node.state / "plugin").write_text(kind, "utf-8")
    for slot, vendor, device in (
        ("06", "0x1ae0", "0x0084"),
        ("07", "0x1ae0", "0x0042"),
        ("08", "0x10de", "0x0084"),
    ):
        folder = f"sys/bus/pci/devices/0000:{slot}:00.1"
        node.write(f"{folder}/vendor", f"{vendor}\n")
        node.write(f"{folder}/device", f"{device}\n")
        node.write(f"{folder}/resource0", "", 0o600)
    return node


def message(node: VmMachine) -> str:
    """Why the step failed."""
    (said,) = [step["message"] for step in node.status()["steps"] if step["name"] == "receive"]
    return str(said)


def test_tcpxo_has_its_plug_in_its_cards_and_its_daemon(vm_machine: MakeVmMachine) -> None:
    node = receiving(vm_machine)
    assert node.boot().returncode == 0, node.log()
    assert node.steps() == {"driver": "done", "docker": "done", "receive": "done"}
    (installed,) = [call for call in node.calls("docker") if "--install-nccl" in call]
    assert installed == (
        f"run --rm --network host --volume /var/lib:/var/lib {TCPXO.plugin} install --install-nccl"
    )
    assert f"{node.root}/var/lib/tcpxo" in node.known("disks")["executable"]
    assert node.calls("modprobe") == ["import-helper"]
    card = f"{node.root}/sys/bus/pci/devices/0000:06:00.1"
    shown = [call for call in node.calls("mount") if "aperture_devices" in call]
    assert shown == [f"--bind {card} {node.root}/dev/aperture_devices/0000:06:00.1"]
    assert (node.root / "sys/bus/pci/devices/0000:06:00.1/resource0").stat().st_mode & 0o777 == 0o666
    assert (node.root / "sys/bus/pci/devices/0000:07:00.1/resource0").stat().st_mode & 0o777 == 0o600
    daemon = words(node, "clusterprint-receive")
    assert "<--privileged><--network><host>" in daemon
    assert daemon.endswith(f"<{TCPXO.daemon}><--num_hops=2>")
    assert "-w -I INPUT -p tcp -j ACCEPT" in node.calls("iptables")


def test_tcpxo_tells_containers_what_the_plug_in_says(vm_machine: MakeVmMachine) -> None:
    node = receiving(vm_machine, container=CONTAINER)
    assert node.boot().returncode == 0, node.log()
    assert node.read("var/lib/clusterprint/nccl.env") == (
        "NCCL_FASTRAK_IFNAME=eth1,eth2\n"
        "NCCL_TUNER_CONFIG_PATH=/usr/local/tcpxo/lib64/tuner\n"
        "NCCL_FASTRAK_LLCM_DEVICE_DIRECTORY=/dev/aperture_devices\n"
        "LD_LIBRARY_PATH=/usr/local/tcpxo/lib64:/usr/local/nvidia/lib64\n"
    )
    started = words(node, "clusterprint")
    env, own = "/var/lib/clusterprint/nccl.env", "/var/lib/clusterprint/container.env"
    assert started.index(f"<{env}>") < started.index(f"<{own}>")
    for part in (
        "<--network><host>",
        "</var/lib/tcpxo/lib64:/usr/local/tcpxo/lib64:ro>",
        "<--mount><type=bind,source=/dev/aperture_devices,target=/dev/aperture_devices,bind-propagation=rslave>",
    ):
        assert part in started
    assert "<--cap-add>" not in started


def test_tcpx_meets_by_sockets(vm_machine: MakeVmMachine) -> None:
    node = receiving(vm_machine, "tcpx", container=CONTAINER)
    assert node.boot().returncode == 0, node.log()
    assert (node.root / "run/tcpx").is_dir()
    assert node.calls("modprobe") == []
    daemon = words(node, "clusterprint-receive")
    assert "</run/tcpx:/run/tcpx>" in daemon
    assert "<--entrypoint></tcpgpudmarxd/build/app/tcpgpudmarxd>" in daemon
    assert daemon.endswith("<--setup_param><--verbose 128 2 0>")
    started = words(node, "clusterprint")
    assert "<--mount><type=bind,source=/run/tcpx,target=/run/tcpx,bind-propagation=rslave>" in started
    assert "<--cap-add><IPC_LOCK>" in started
    assert node.read("var/lib/clusterprint/nccl.env") == (
        "NCCL_NET_GDR_LEVEL=PIX\nLD_LIBRARY_PATH=/usr/local/tcpx/lib64:/usr/local/nvidia/lib64\n"
    )


def test_a_running_daemon_is_left_alone_and_another_one_is_started_when_asked_for(
    vm_machine: MakeVmMachine,
) -> None:
    node = receiving(vm_machine)
    node.boot()
    restarts = node.calls("systemctl").count("restart clusterprint-receive.service")
    assert restarts == 1
    assert node.run("run-steps").returncode == 0
    assert node.calls("systemctl").count("restart clusterprint-receive.service") == 1
    assert len([call for call in node.calls("docker") if "--install-nccl" in call]) == 1
    node.boot(receive=msgspec.structs.replace(TCPXO, plugin="us-docker.pkg.dev/g/plugin:v9", daemon="d:9"))
    assert node.calls("systemctl").count("restart clusterprint-receive.service") == 2
    assert words(node, "clusterprint-receive").endswith("<d:9><--num_hops=2>")
    assert len([call for call in node.calls("docker") if "--install-nccl" in call]) == 2


def test_after_a_reboot_everything_is_there_again(vm_machine: MakeVmMachine) -> None:
    node = receiving(vm_machine, container=CONTAINER)
    node.boot()
    assert reboot(node).returncode == 0, node.log()
    assert starts(node, "clusterprint-receive") == 2
    assert starts(node, "clusterprint") == 1
    assert node.calls("modprobe") == ["import-helper"] * 2
    assert len([call for call in node.calls("mount") if "aperture_devices" in call]) == 2
    assert len([call for call in node.calls("docker") if "--install-nccl" in call]) == 1


def test_another_plug_in_is_another_container(vm_machine: MakeVmMachine) -> None:
    node = receiving(vm_machine, container=CONTAINER)
    node.boot()
    assert starts(node, "clusterprint") == 1
    node.boot(receive=msgspec.structs.replace(TCPXO, plugin="us-docker.pkg.dev/g/plugin:v9"))
    assert starts(node, "clusterprint") == 2


def test_a_firewall_that_is_open_is_not_opened_again(vm_machine: MakeVmMachine) -> None:
    node = receiving(vm_machine)
    (node.state / "open").touch()
    assert node.boot().returncode == 0
    assert [call for call in node.calls("iptables") if "-I" in call] == []


def test_a_daemon_that_ends_is_a_failure(vm_machine: MakeVmMachine) -> None:
    node = receiving(vm_machine, container=CONTAINER)
    (node.state / "dies.clusterprint-receive").touch()
    assert node.boot().returncode == 1
    assert "does not stay up: Error: no permission" in message(node)
    assert node.steps()["container"] == "waiting"


def test_a_daemon_that_was_started_again_in_between_is_not_up(vm_machine: MakeVmMachine) -> None:
    node = receiving(vm_machine)
    # Between two looks it ends, and its service starts it again.
    node.fake("sleep", 'printf "%s\\n" $RANDOM$RANDOM >"$WORLD/docker/clusterprint-receive.runs"')
    assert node.boot().returncode == 1
    assert "does not stay up" in message(node)


@pytest.mark.parametrize(
    ("spoil", "said"),
    [
        (lambda node: (node.state / "no-image").touch(), "can this machine reach Google's registries"),
        (lambda node: node.fake("modprobe", "exit 1"), "could not load kernel module import-helper"),
        (lambda node: node.write("sys/bus/pci/devices/0000:06:00.1/vendor", "0x8086\n"), "no network cards"),
        (
            lambda node: (node.state / "plugin").write_text("other"),
            "did not install libnccl-net.so in /var/lib/tcpxo",
        ),
    ],
)
def test_what_stands_in_the_way_of_gpudirect_is_said(
    vm_machine: MakeVmMachine, spoil: object, said: str
) -> None:
    node = receiving(vm_machine)
    assert callable(spoil)
    spoil(node)
    assert node.boot().returncode == 1
    assert said in message(node)


def test_a_plug_in_without_its_profile_is_a_failure(vm_machine: MakeVmMachine) -> None:
    node = receiving(vm_machine, receive=msgspec.structs.replace(TCPXO, profile="other.sh"))
    assert node.boot().returncode == 1
    assert "other.sh sets no NCCL variables" in message(node)


def test_only_what_this_system_can_have_is_on_it(vm_machine: MakeVmMachine) -> None:
    """Whatever is asked for: rules refuse the rest, and defaults are meant for other systems."""
    settings = msgspec.structs.replace(
        cos_node(vm_machine).settings,
        hosts=True,
        ssh=True,
        health=HealthPlan(interfaces=9, rdma_interfaces=0),
        mounts=(BucketMount(bucket="b", mount="/mnt/b", read_only=False, profile=""),),
        gpudirect="roce",
    )
    script = metadata(settings)["startup-script"]
    steps = {line.rpartition("/")[2] for line in script.splitlines() if "/steps/" in line and line[0] == "#"}
    assert steps == set()
