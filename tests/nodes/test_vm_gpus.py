"""The NVIDIA driver and Docker on machines of kind vm."""

import json

import pytest
from nodes.keys import KEYS, WANTED
from nodes.vm_machine import MakeVmMachine, VmMachine

MODULES = "linux-modules-nvidia-580-server-open-6.8.0-1024-gcp"


def bare(vm_machine: MakeVmMachine, *, modules: bool = True, **changes: object) -> VmMachine:
    """Ubuntu without a driver; the tools come with the packages."""
    node = vm_machine(**{"driver": "580", **changes})
    node.fake("uname", "echo 6.8.0-1024-gcp")
    node.fake("apt-cache", "" if modules else "exit 100")
    node.fake("nvidia-smi", '[[ -e $WORLD/loaded ]] || exit 9; echo "GPU 0: NVIDIA L4"')
    node.fake("modprobe", 'touch "$WORLD/loaded"')
    (node.tools / "nvidia-smi").rename(node.state / "nvidia-smi")
    node.fake(
        "apt-get",
        f'[[ $* != *nvidia-utils* ]] || "$REAL/mv" "$WORLD/nvidia-smi" {node.tools}/nvidia-smi',
    )
    return node


def installed(node: VmMachine) -> list[str]:
    (call,) = [call for call in node.calls("apt-get") if " install " in call]
    return call.split(" install ")[1].split()


def test_the_driver_comes_with_modules_that_are_signed_for_the_kernel(vm_machine: MakeVmMachine) -> None:
    node = bare(vm_machine)
    assert node.boot().returncode == 0, node.log()
    assert installed(node) == ["nvidia-headless-no-dkms-580-server-open", "nvidia-utils-580-server", MODULES]
    assert node.boot().returncode == 0
    assert len(node.calls("modprobe")) == 1


def test_for_a_kernel_without_modules_they_are_compiled(vm_machine: MakeVmMachine) -> None:
    node = bare(vm_machine, modules=False)
    assert node.boot().returncode == 0
    assert installed(node)[2:] == ["nvidia-dkms-580-server-open", "linux-headers-6.8.0-1024-gcp"]


def test_gpus_behind_switches_get_the_fabric_manager(vm_machine: MakeVmMachine) -> None:
    node = bare(vm_machine)
    for slot, vendor, kind in (("04", "0x10de", "0x030200"), ("05", "0x10de", "0x068000")):
        node.write(f"sys/bus/pci/devices/0000:{slot}:00.0/vendor", f"{vendor}\n")
        node.write(f"sys/bus/pci/devices/0000:{slot}:00.0/class", f"{kind}\n")
    assert node.boot().returncode == 0
    assert installed(node)[-1] == "nvidia-fabricmanager-580"
    assert "enable --now nvidia-fabricmanager.service" in node.calls("systemctl")


def test_a_driver_that_works_is_left_alone(vm_machine: MakeVmMachine) -> None:
    node = bare(vm_machine)
    node.fake("nvidia-smi", 'echo "GPU 0: NVIDIA L4"')
    assert node.boot().returncode == 0
    assert node.calls("apt-get") == []


@pytest.mark.parametrize(
    ("spoil", "message"),
    [
        (lambda node: node.write("etc/os-release", "ID=rocky\n"), "on Ubuntu only"),
        (
            lambda node: node.fake("apt-get", "echo 'E: Unable to locate package x' >&2; exit 100"),
            "E: Unable to locate package x",
        ),
        (lambda node: node.fake("modprobe", "exit 1"), "is secure boot enabled?"),
        (lambda node: node.fake("modprobe"), "finds no GPU"),
    ],
)
def test_what_stands_in_the_way_is_said(vm_machine: MakeVmMachine, spoil: object, message: str) -> None:
    node = bare(vm_machine)
    assert callable(spoil)
    spoil(node)
    assert node.boot().returncode == 1
    assert message in node.status()["steps"][0]["message"]


# NCCL

SET_NCCL = 'export NCCL_NET=gIB NCCL_IB_TC=52\nexport OTHER=x\n[ "$unset" = 1 ]\n'


def with_gib(vm_machine: MakeVmMachine) -> VmMachine:
    """The package brings the library and its script."""
    node = vm_machine(gpudirect="roce")
    node.write("etc/environment", 'PATH="/usr/bin"\n')
    script = node.state / "set_nccl_env.sh"
    script.write_text(SET_NCCL, "utf-8")
    place = node.root / "usr/local/gib/scripts"
    node.fake(
        "apt-get",
        f'[[ $* == *"install nccl-gib=1.1.0*" ]] || exit 0\n"$REAL/mkdir" -p {place}\n'
        f'"$REAL/mv" {script} {place}/',
    )
    node.fake("gpg", f'exec "$REAL/gpg" "${{@/35BAA0B33E9EB396F59CA838C0BA5CE6DC6315A3/{WANTED}}}"')
    node.world(pages={"https://packages.cloud.google.com/apt/doc/apt-key.gpg": KEYS})
    return node


def test_nccl_is_set_up_for_the_machine_in_sessions_and_containers(vm_machine: MakeVmMachine) -> None:
    node = with_gib(vm_machine)
    assert node.boot().returncode == 0, node.log()
    variables = "NCCL_IB_TC=52\nNCCL_NET=gIB\n"
    environment = f'PATH="/usr/bin"\n# clusterprint begin\n{variables}# clusterprint end\n'
    assert node.read("etc/environment") == environment
    assert node.read("var/lib/clusterprint/nccl.env") == f"{variables}LD_LIBRARY_PATH=/usr/local/gib/lib64\n"
    assert node.boot().returncode == 0
    assert node.read("etc/environment") == environment
    assert len([call for call in node.calls("apt-get") if " install " in call]) == 1


def test_a_plug_in_that_does_not_know_the_machine_is_a_failure(vm_machine: MakeVmMachine) -> None:
    node = with_gib(vm_machine)
    (node.state / "set_nccl_env.sh").write_text("exit 1\n", "utf-8")
    assert node.boot().returncode == 1
    assert "sets no NCCL variables" in node.status()["steps"][0]["message"]


# DCGM

SMI = "echo '| NVIDIA-SMI 580.95.05    Driver Version: 580.95.05    CUDA Version: {}     |'"
CUDA = "https://developer.download.nvidia.com/compute/cuda/repos/ubuntu2404/x86_64"


def with_dcgm(vm_machine: MakeVmMachine, cuda: str) -> VmMachine:
    """Ubuntu with a driver; the package brings dcgmi."""
    node = vm_machine(dcgm=True)
    node.write("etc/os-release", "ID=ubuntu\nVERSION_ID=24.04\nVERSION_CODENAME=noble\n")
    node.fake("uname", "echo x86_64")
    node.fake("nvidia-smi", SMI.format(cuda))
    node.fake("dcgmi")
    (node.tools / "dcgmi").rename(node.state / "dcgmi")
    node.fake("apt-get", f'[[ $* != *gpu-manager* ]] || "$REAL/mv" "$WORLD/dcgmi" {node.tools}/dcgmi')
    node.fake("gpg", f'exec "$REAL/gpg" "${{@/EB693B3035CD5710E231E123A4B469963BF863CC/{WANTED}}}"')
    node.world(pages={f"{CUDA}/3bf863cc.pub": KEYS})
    return node


@pytest.mark.parametrize("cuda", ["12", "13"])
def test_dcgm_comes_for_the_cuda_of_the_driver_once(vm_machine: MakeVmMachine, cuda: str) -> None:
    node = with_dcgm(vm_machine, f"{cuda}.0")
    assert node.boot().returncode == 0, node.log()
    assert installed(node) == [
        "datacenter-gpu-manager-4-core=1:4.4.0-1",
        f"datacenter-gpu-manager-4-cuda{cuda}=1:4.4.0-1",
    ]
    listed = node.read(f"etc/apt/sources.list.d/clusterprint-dcgm-cuda{cuda}.list")
    assert listed.endswith(f"{CUDA} /\n")
    assert "enable --now nvidia-dcgm.service" in node.calls("systemctl")
    assert node.boot().returncode == 0


def test_a_driver_that_dcgm_does_not_know_is_a_failure(vm_machine: MakeVmMachine) -> None:
    node = with_dcgm(vm_machine, "99.0")
    assert node.boot().returncode == 1
    assert "no edition of DCGM for CUDA '99'" in node.status()["steps"][0]["message"]


# Docker

NVIDIA = {"runtimes": {"nvidia": {"path": "nvidia-container-runtime"}}}
# With control groups that systemd does not manage, containers keep their GPUs when it reads its units again.
SET_UP = {**NVIDIA, "exec-opts": ["native.cgroupdriver=cgroupfs"]}


def with_docker(node: VmMachine) -> VmMachine:
    """Docker and NVIDIA's toolkit, which are there at once."""
    node.fake("docker")
    node.fake("nvidia-ctk", f"printf '%s' '{json.dumps(NVIDIA)}' >{node.root}/etc/docker/daemon.json")
    return node


def settings(node: VmMachine) -> object:
    return json.loads(node.read("etc/docker/daemon.json"))


def test_docker_keeps_its_data_on_the_local_ssds(vm_machine: MakeVmMachine) -> None:
    node = with_docker(vm_machine(docker=True, scratch="/mnt/scratch", local_ssds=1))
    node.know("disks", {"disks": {"/dev/nvme0n1": {"model": "nvme_card", "content": ""}}})
    assert node.boot().returncode == 0, node.log()
    assert settings(node) == {
        **SET_UP,
        "data-root": "/mnt/scratch/docker",
        "features": {"containerd-snapshotter": False},
    }
    assert node.steps() == {"scratch": "done", "docker": "done"}
    drop_in = node.read("etc/systemd/system/docker.service.d/clusterprint.conf")
    assert "Requires=clusterprint-scratch.service" in drop_in
    node.boot()
    assert node.calls("systemctl").count("restart docker") == 1


def test_docker_without_local_ssds_stays_where_it_is(vm_machine: MakeVmMachine) -> None:
    node = with_docker(vm_machine(docker=True))
    assert node.boot().returncode == 0, node.log()
    assert settings(node) == SET_UP
    assert not (node.root / "etc/systemd/system/docker.service.d").exists()


def test_docker_and_the_toolkit_are_installed(vm_machine: MakeVmMachine) -> None:
    node = with_docker(vm_machine(docker=True))
    for tool in ("docker", "nvidia-ctk"):
        (node.tools / tool).rename(node.state / tool)
    bring = '"$REAL/mv" "$WORLD/{0}" {1}/{0}'
    node.fake(
        "apt-get",
        f"[[ $* != *docker.io ]] || {bring.format('docker', node.tools)}\n"
        f"[[ $* != *nvidia-container-toolkit=* ]] || {bring.format('nvidia-ctk', node.tools)}",
    )
    node.fake(
        "gpg",
        f'exec "$REAL/gpg" "${{@/C95B321B61E88C1809C4F759DDCAE044F796ECB0/{WANTED}}}"',
    )
    node.world(pages={"https://nvidia.github.io/libnvidia-container/gpgkey": KEYS})
    assert node.boot().returncode == 0, node.log()
    listed = node.read("etc/apt/sources.list.d/clusterprint-nvidia-container-toolkit.list")
    assert listed.endswith("https://nvidia.github.io/libnvidia-container/stable/deb/$(ARCH) /\n")
    assert "libnvidia-container1=1.18.2-1" in node.calls("apt-get")[-1]
    assert settings(node) == SET_UP


def test_machines_without_gpus_get_docker_alone(vm_machine: MakeVmMachine) -> None:
    node = with_docker(vm_machine(docker=True, gpus=0))
    node.remove("nvidia-ctk")
    assert node.boot().returncode == 0, node.log()
    assert node.calls("apt-get") == []


# Confidential GPUs


def confidential(vm_machine: MakeVmMachine, answer: str) -> VmMachine:
    node = vm_machine(confidential_gpus=True, gpus=1)
    node.fake("nvidia-smi", answer)
    return node


def test_confidential_gpus_are_set_ready_at_each_boot(vm_machine: MakeVmMachine) -> None:
    node = confidential(vm_machine, "echo 'CC status: ON'")
    assert node.boot().returncode == 0, node.log()
    assert node.boot().returncode == 0
    assert node.calls("nvidia-smi").count("conf-compute -srs 1") == 2


@pytest.mark.parametrize(
    ("answer", "message"),
    [
        ("echo 'CC status: OFF'", "is not in confidential mode"),
        ("exit 2", "use a newer one"),
        ("[[ $* != *-srs* ]] || exit 1; echo 'CC status: ON'", "could not set the GPU to ready"),
    ],
)
def test_confidential_gpus_that_stay_closed_end_the_chain(
    vm_machine: MakeVmMachine, answer: str, message: str
) -> None:
    node = confidential(vm_machine, answer)
    assert node.boot().returncode == 1
    assert message in node.status()["steps"][0]["message"]
