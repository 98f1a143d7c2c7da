"""Requirements of programs on several nodes: Open MPI, RDMA, and the benchmark of NCCL."""

import shutil
from pathlib import Path

import pytest
from nodes.keys import KEYS, WANTED
from nodes.test_vm_hosts import node_with
from nodes.vm_cluster import cluster, replaced, status
from nodes.vm_machine import MakeVmMachine, VmMachine

# Open MPI


def test_open_mpi_and_the_user_come_where_they_are_not(vm_machine: MakeVmMachine) -> None:
    node = node_with(vm_machine, ssh=True, mpi=True)
    node.fake("getent", "exit 2")
    node.fake("useradd")
    node.fake("apt-get")
    assert node.boot().returncode == 0, node.log()
    (call,) = [call for call in node.calls("apt-get") if " install " in call]
    assert call.endswith("install openmpi-bin libopenmpi-dev")
    (user,) = node.calls("useradd")
    assert user.endswith("--home-dir /home/clusterprint --shell /bin/bash clusterprint")
    node.fake("getent", "echo there")
    node.fake("mpirun")
    node.boot()
    assert (len(node.calls("useradd")), node.steps()["mpi"]) == (1, "done")


def test_red_hats_open_mpi_is_where_programs_find_it(vm_machine: MakeVmMachine) -> None:
    node = node_with(vm_machine, ssh=True, mpi=True)
    node.fake("getent", "echo there")
    node.write("usr/lib64/openmpi/bin/not-yet", "#!/bin/sh\n", 0o755)
    place = node.root / "usr/lib64/openmpi/bin"
    node.fake("dnf", f'[[ $* != *install* ]] || "$REAL/mv" {place}/not-yet {place}/mpirun')
    assert node.boot().returncode == 0, node.log()
    assert node.calls("dnf")[-1].endswith("install openmpi openmpi-devel")
    assert (node.root / "usr/local/bin/orted").readlink() == Path("/usr/lib64/openmpi/bin/orted")


def test_without_packages_the_image_has_to_have_mpi(vm_machine: MakeVmMachine) -> None:
    node = node_with(vm_machine, ssh=True, mpi=True)
    assert node.boot().returncode == 1
    assert "use an image that has one of them" in node.log()


# RDMA without GPUs


def test_mpi_talks_over_the_rdma_interface(vm_machine: MakeVmMachine) -> None:
    node = cluster(vm_machine)
    node.write("sys/class/infiniband/irdma0/ports/1/state", "4: ACTIVE\n")
    assert node.boot(rdma={"FI_PROVIDER": "verbs;ofi_rxm"}).returncode == 0, node.log()
    assert node.read("var/lib/clusterprint/rdma.env") == "FI_PROVIDER=verbs;ofi_rxm\n"
    node.fake("mpirun", 'echo "$* : $FI_PROVIDER : $FI_UNIVERSE_SIZE" >"$WORLD/said"')
    assert node.run("run-programs").returncode == 0
    said = (node.state / "said").read_text("utf-8")
    assert "-x FI_PROVIDER -x FI_UNIVERSE_SIZE" in said
    assert said.split(" : ")[1:] == ["verbs;ofi_rxm", "6\n"]
    assert node.boot(rdma={}).returncode == 0, node.log()
    assert not (node.root / "var/lib/clusterprint/rdma.env").exists()


def test_without_the_driver_mpi_does_not_take_the_ordinary_interface(vm_machine: MakeVmMachine) -> None:
    node = cluster(vm_machine)
    assert node.boot(rdma={"FI_PROVIDER": "verbs;ofi_rxm"}).returncode == 1
    assert "the RDMA interface has no driver" in node.log()


def test_without_mpi_the_driver_is_missed_only(vm_machine: MakeVmMachine) -> None:
    node = vm_machine(rdma={"FI_PROVIDER": "verbs;ofi_rxm"})
    assert node.boot().returncode == 0, node.log()
    assert "the RDMA interface has no driver" in node.log()


# NCCL's benchmark

OUTPUT = """\
#       size         count      type   redop    root     time   algbw    busbw  wrong
  8589934592    2147483648     float     sum      -1    41234  208.32  {0}.62      0
# Out of bounds values : {1} OK
# Avg bus bandwidth    : {0}.705
"""


@pytest.mark.parametrize(
    ("output", "minimum", "state", "message"),
    [
        (OUTPUT.format(390, 0), 320, "succeeded", "bus bandwidth 390.705 GB/s, minimum 320"),
        (OUTPUT.format(90, 0), 320, "failed", "bus bandwidth 90.705 GB/s is below the minimum of 320"),
        (OUTPUT.format(90, 0), 0, "succeeded", "no minimum is known for comparison"),
        (OUTPUT.format(390, 17), 0, "failed", "wrong results (17 values)"),
        ("", 0, "failed", "did not report its bus bandwidth"),
    ],
)
def test_the_benchmark_is_judged(
    vm_machine: MakeVmMachine, output: str, minimum: int, state: str, message: str
) -> None:
    node = cluster(vm_machine, replaced(minimum=minimum))
    (node.state / "output").write_text(output, "utf-8")
    node.write("var/lib/clusterprint/nccl.env", "NCCL_NET=gIB\nLD_LIBRARY_PATH=/usr/local/gib/lib64\n")
    node.fake(
        "mpirun",
        '[[ "$* $NCCL_NET" == *"-x NCCL_NET -x LD_LIBRARY_PATH"*gIB ]] || exit 9\ncat "$WORLD/output"',
    )
    assert node.run("run-programs").returncode == 0
    said = status(node)
    assert said["state"] == state
    assert message in said["message"]


# It unpacks what would be downloaded, and notes how it is built.
MAKE = """
while [[ $1 != --directory ]]; do shift; done
"$REAL/mkdir" -p "$2/build"
printf '#!/bin/sh\\n' >"$2/build/all_reduce_perf"
"$REAL/chmod" 755 "$2/build/all_reduce_perf"
"""


def with_nccl_tests(vm_machine: MakeVmMachine) -> VmMachine:
    """A machine that can build them: its image knows NVIDIA's repository already."""
    node = node_with(vm_machine, ssh=True, mpi=True, nccl_tests=True)
    for tool in ("mpirun", "tar", "apt-get"):
        node.fake(tool)
    # It reads what it is given, or the pipe to it breaks whenever it ends first.
    node.fake("sha256sum", "cat >/dev/null")
    node.fake("make", MAKE)
    node.fake("nproc", "echo 8")
    node.fake("uname", "echo x86_64")
    node.fake("nvidia-smi", "printf '9.0\\n9.0\\n'")
    node.write("usr/lib/x86_64-linux-gnu/openmpi/include/mpi.h", "")
    node.write("etc/os-release", "ID=ubuntu\nVERSION_ID=24.04\nVERSION_CODENAME=noble\n")
    node.write(
        "etc/apt/sources.list.d/cuda.list",
        "deb https://developer.download.nvidia.com/compute/cuda/repos/ubuntu2404/x86_64 /\n",
    )
    node.world(pages={"https://github.com/NVIDIA/nccl-tests/archive/v2.13.6.tar.gz": "an archive"})
    return node


def test_the_benchmark_is_built_for_the_gpus_once(vm_machine: MakeVmMachine) -> None:
    node = with_nccl_tests(vm_machine)
    assert node.boot().returncode == 0, node.log()
    (call,) = node.calls("make")
    assert "NVCC_GENCODE=-gencode=arch=compute_90,code=sm_90" in call
    assert f"MPI_HOME={node.root}/usr/lib/x86_64-linux-gnu/openmpi" in call
    (installed,) = [call for call in node.calls("apt-get") if " install " in call]
    assert "cuda-nvcc-12-9=12.9.86-1" in installed
    assert not (node.root / "etc/apt/sources.list.d/clusterprint-nccl-tests.list").exists()
    assert (node.root / "opt/clusterprint/nccl-tests/all_reduce_perf").exists()
    assert node.boot().returncode == 0
    assert len(node.calls("make")) == 1
    node.fake("nvidia-smi", "echo 10.0")
    assert node.boot().returncode == 0, node.log()
    assert "sm_100" in node.calls("make")[1]


def test_an_archive_that_is_another_one_is_not_built(vm_machine: MakeVmMachine) -> None:
    node = with_nccl_tests(vm_machine)
    node.remove("sha256sum")
    (node.bin / "sha256sum").symlink_to(str(shutil.which("sha256sum")))
    assert node.boot().returncode == 1
    assert "its checksum does not match" in node.log()
    assert node.calls("make") == []


def test_a_repository_is_known_by_the_name_of_the_release(vm_machine: MakeVmMachine) -> None:
    node = with_nccl_tests(vm_machine)
    (node.root / "etc/apt/sources.list.d/cuda.list").unlink()
    node.fake("uname", "echo aarch64")
    node.fake("gpg", f'exec "$REAL/gpg" "${{@/EB693B3035CD5710E231E123A4B469963BF863CC/{WANTED}}}"')
    place = "https://developer.download.nvidia.com/compute/cuda/repos/ubuntu2404/sbsa"
    node.world(pages={**node.known("google")["pages"], f"{place}/3bf863cc.pub": KEYS})
    assert node.boot().returncode == 0, node.log()
    listed = node.read("etc/apt/sources.list.d/clusterprint-nccl-tests.list")
    assert listed.endswith(f"{place} /\n")
