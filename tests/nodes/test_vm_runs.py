"""Programs that run over several nodes of kind vm: when, where, once, and what becomes of their results."""

import shutil
from pathlib import Path
from typing import Any

import pytest
from nodes.keys import KEYS, WANTED
from nodes.test_vm_hosts import THIS, node_with, other
from nodes.vm_machine import MakeVmMachine, VmMachine

from clusterprint.nodes.vm.run import description
from clusterprint.plan.vm_nodes import RunFacts

FACTS = RunFacts(
    run="hpl-12345678",
    group="nodes",
    nodes=3,
    processes_per_node=2,
    bucket="results",
    results="spani/runs/hpl-12345678",
    folder="/opt/hpl",
    time_limit=0,
    options=("--bind-to", "core"),
    env={"OMP_NUM_THREADS": "2", "NAME": "a b=$(c)"},
    command=("xhpl", "two words"),
    files={"/opt/hpl/HPL.dat": "900150983cd24fb0d6963f7d28e17f72"},
    minimum=None,
)

# It notes how it was called, one word a line, and under which circumstances.
MPIRUN = """
printf '%s\\n' "$@" >"$WORLD/mpirun"
env | grep -E '^(OMP_NUM_THREADS|NAME|HOME)=' >"$WORLD/environment"
pwd >"$WORLD/where"
echo 176 GFlops
"""
# Other nodes are ready when there is a file of their name; this one says so itself.
SSH = """
while [[ $1 == -* ]]; do shift 2; done
[[ $1 == spani-0 || -e $WORLD/ready-$1 ]] || exit 255
[[ $1 != spani-0 ]] || exec "$ROOT$2"
cat >/dev/null
"""


def cluster(vm_machine: MakeVmMachine, facts: RunFacts = FACTS, **changes: Any) -> VmMachine:
    """The first of three nodes, which has booted; the others are ready, too."""
    node = node_with(vm_machine, other(1), other(2), ssh=True, mpi=True, **changes)
    node.fake("mpirun", MPIRUN)
    node.fake("ssh", SSH)
    node.fake("runuser", 'while [[ $1 != -- ]]; do shift; done; shift; exec "$@"')
    node.write("opt/hpl/HPL.dat", "abc")
    (node.root / "home/clusterprint").mkdir()
    for name in ("spani-1", "spani-2"):
        (node.state / f"ready-{name}").touch()
    describe(node, facts)
    assert node.boot().returncode == 0, node.log()
    return node


def describe(node: VmMachine, facts: RunFacts) -> None:
    node.write("etc/clusterprint/runs/20-mpi", description(facts))


def ran(node: VmMachine) -> int:
    return len(node.calls("mpirun"))


def bucket(node: VmMachine, name: str, run: str = FACTS.run) -> str:
    text: str = node.known("google")["objects"]["results"][f"spani/runs/{run}/{name}"]
    return text


def status(node: VmMachine, run: str = FACTS.run) -> dict[str, str]:
    return dict(line.split("=", 1) for line in bucket(node, "status", run).splitlines())


def test_a_program_runs_once_over_all_nodes(vm_machine: MakeVmMachine) -> None:
    node = cluster(vm_machine)
    assert (node.state / "enabled/clusterprint-runs.timer").exists()
    done = node.run("run-programs")
    assert done.returncode == 0, done.stderr
    words = (node.state / "mpirun").read_text("utf-8").splitlines()
    assert words[:2] == ["-np", "6"]
    assert words[words.index("--map-by") + 1] == "ppr:2:node"
    assert words[words.index("btl_tcp_if_include") + 1] == "10.0.16.0/20"
    assert words[words.index("oob_tcp_if_include") + 1] == "10.0.16.0/20"
    assert words[-8:] == ["-x", "NAME", "-x", "OMP_NUM_THREADS", "--bind-to", "core", "xhpl", "two words"]
    hosts = node.read("var/lib/clusterprint/runs/hpl-12345678/hosts")
    assert hosts == "".join(f"spani-{number} slots=2\n" for number in (0, 1, 2))
    environment = (node.state / "environment").read_text("utf-8").splitlines()
    assert sorted(environment) == ["HOME=/home/clusterprint", "NAME=a b=$(c)", "OMP_NUM_THREADS=2"]
    assert (node.state / "where").read_text("utf-8").endswith("/opt/hpl\n")
    assert bucket(node, "log") == "176 GFlops\n"
    said = status(node)
    assert (said["state"], said["node"], said["exit_status"]) == ("succeeded", "spani-0", "0")
    assert said["ended"] >= said["started"] > "2026"
    folder = "spani/runs/hpl-12345678"
    assert node.known("google")["uploaded"] == [f"{folder}/status", f"{folder}/log", f"{folder}/status"]

    assert node.run("run-programs").returncode == 0
    assert node.boot().returncode == 0
    assert node.run("run-programs").returncode == 0
    assert ran(node) == 1


def test_another_description_is_another_run(vm_machine: MakeVmMachine) -> None:
    node = cluster(vm_machine)
    node.run("run-programs")
    describe(node, replaced(run="hpl-2", results="spani/runs/hpl-2", command=("xhpl",)))
    assert node.run("run-programs").returncode == 0
    assert ran(node) == 2
    assert status(node, "hpl-2")["state"] == "succeeded"


def replaced(**changes: Any) -> RunFacts:
    return RunFacts(**{name: getattr(FACTS, name) for name in FACTS.__struct_fields__} | changes)


def test_it_waits_for_a_node_that_joins_an_hour_later(vm_machine: MakeVmMachine) -> None:
    node = cluster(vm_machine)
    node.world(machines=[THIS, other(1)])
    node.run("update-hosts")
    done = node.run("run-programs")
    assert (done.returncode, ran(node)) == (0, 0)
    assert "2 of 3 nodes are known" in done.stderr
    (node.state / "ready-spani-2").unlink()
    node.world(machines=[THIS, other(1), other(2)])
    node.run("update-hosts")
    assert "spani-2 is not ready, or cannot be reached" in node.run("run-programs").stderr
    assert "results" not in node.known("google").get("objects", {})
    (node.state / "ready-spani-2").touch()
    node.run("run-programs")
    assert ran(node) == 1


def test_it_waits_for_the_files_that_it_is_about(vm_machine: MakeVmMachine) -> None:
    node = cluster(vm_machine)
    node.write("opt/hpl/HPL.dat", "an earlier one")
    assert "spani-0 is not ready" in node.run("run-programs").stderr
    node.write("opt/hpl/HPL.dat", "abc")
    node.run("run-programs")
    assert ran(node) == 1


def test_only_the_first_node_runs_it(vm_machine: MakeVmMachine) -> None:
    node = cluster(vm_machine)
    node.world(name="spani-1")
    assert node.run("run-programs").returncode == 0
    assert ran(node) == 0


def test_a_node_whose_setup_failed_runs_nothing(vm_machine: MakeVmMachine) -> None:
    node = cluster(vm_machine)
    assert node.boot(startup_script="#!/bin/sh\nexit 1\n").returncode == 1
    assert "this node is not ready" in node.run("run-programs").stderr
    assert ran(node) == 0


@pytest.mark.parametrize(
    ("body", "limit", "exit_status", "message"),
    [
        ("echo no; exit 3", 0, "3", "it ended with exit status 3"),
        ("exec sleep 30", 1, "124", "it did not end within 1 seconds"),
    ],
)
def test_a_program_that_fails_has_failed_for_good(
    vm_machine: MakeVmMachine, body: str, limit: int, exit_status: str, message: str
) -> None:
    node = cluster(vm_machine, replaced(time_limit=limit))
    node.remove("sleep")
    node.fake("mpirun", body)
    assert node.run("run-programs").returncode == 0
    said = status(node)
    assert (said["state"], said["exit_status"], said["message"]) == ("failed", exit_status, message)
    node.run("run-programs")
    assert ran(node) == 1


def test_a_run_whose_claim_was_answered_to_nobody_is_begun_all_the_same(vm_machine: MakeVmMachine) -> None:
    node = cluster(vm_machine)
    node.world(loses_answer=True)
    node.run("run-programs")
    assert (ran(node), status(node)["state"]) == (0, "running")
    node.write("proc/sys/kernel/random/uuid", "another\n")
    assert node.run("run-programs").returncode == 0
    assert (ran(node), status(node)["state"]) == (1, "succeeded")


def test_a_node_that_went_down_while_it_ran_says_so(vm_machine: MakeVmMachine) -> None:
    node = cluster(vm_machine)
    node.remove("sleep")
    node.kill_during("run-programs", "mpirun")
    node.fake("mpirun", MPIRUN)
    assert status(node)["state"] == "running"
    assert node.boot().returncode == 0
    assert node.run("run-programs").returncode == 0
    said = status(node)
    assert (said["state"], said["message"]) == (
        "failed",
        "the node that had started it went down while it ran",
    )
    node.run("run-programs")
    assert not (node.state / "mpirun").exists()


def test_a_node_that_was_made_anew_finds_what_was_done(vm_machine: MakeVmMachine) -> None:
    node = cluster(vm_machine)
    ended = "run=hpl-12345678\nstate=succeeded\nnode=spani-0\n"
    node.world(objects={"results": {"spani/runs/hpl-12345678/status": ended}})
    assert "it has ended already" in node.run("run-programs").stderr
    node.run("run-programs")
    assert (ran(node), bucket(node, "status")) == (0, ended)


def test_what_another_node_runs_is_left_to_it(vm_machine: MakeVmMachine) -> None:
    node = cluster(vm_machine)
    running = "run=hpl-12345678\nstate=running\nnode=spani-00\n"
    node.world(objects={"results": {"spani/runs/hpl-12345678/status": running}})
    assert "spani-00 runs it" in node.run("run-programs").stderr
    assert (ran(node), bucket(node, "status")) == (0, running)


def test_what_comes_later_waits_for_what_is_not_ready(vm_machine: MakeVmMachine) -> None:
    node = cluster(vm_machine)
    node.write(
        "etc/clusterprint/runs/10-nccl", description(replaced(run="nccl-1", files={"/opt/x": 32 * "0"}))
    )
    assert node.run("run-programs").returncode == 0
    assert ran(node) == 0
    node.write("etc/clusterprint/runs/10-nccl", description(replaced(run="nccl-1", group="others")))
    assert node.run("run-programs").returncode == 0
    assert ran(node) == 1


def test_without_a_bucket_that_takes_the_status_nothing_begins(vm_machine: MakeVmMachine) -> None:
    node = cluster(vm_machine)
    node.world(refuses=True)
    done = node.run("run-programs")
    assert "bucket results did not take the status (HTTP 403): may the nodes write to it?" in done.stderr
    assert ran(node) == 0
    node.world(refuses=False)
    node.run("run-programs")
    assert ran(node) == 1


def test_a_result_that_could_not_be_delivered_is_delivered_later(vm_machine: MakeVmMachine) -> None:
    node = cluster(vm_machine)
    node.fake("mpirun", MPIRUN + '"$REAL/sed" -i \'s/^{/{"refuses": true, /\' "$WORLD/google.json"\n')
    done = node.run("run-programs")
    assert done.returncode == 1
    assert "did not take the result" in done.stderr
    assert status(node)["state"] == "running"
    node.world(refuses=False)
    assert node.run("run-programs").returncode == 0
    assert (ran(node), status(node)["state"], bucket(node, "log")) == (1, "succeeded", "176 GFlops\n")


def test_a_clock_that_jumps_neither_ends_nor_repeats_it(vm_machine: MakeVmMachine) -> None:
    node = cluster(vm_machine, replaced(time_limit=3600))
    node.fake("date", "[[ -e $WORLD/mpirun ]] && echo 2001-01-01T00:00:00Z || echo 2026-11-22T00:00:00Z")
    assert node.run("run-programs").returncode == 0
    node.run("run-programs")
    assert (ran(node), status(node)["state"]) == (1, "succeeded")


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
    assert "use an image that has them" in node.log()


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
        (OUTPUT.format(390, 0), 320, "succeeded", "bus bandwidth 390.705 GB/s, of at least 320"),
        (OUTPUT.format(90, 0), 320, "failed", "bus bandwidth 90.705 GB/s, but at least 320 was expected"),
        (OUTPUT.format(90, 0), 0, "succeeded", "nothing is known to compare it with"),
        (OUTPUT.format(390, 17), 0, "failed", "wrong results (17 values)"),
        ("", 0, "failed", "did not say its bus bandwidth"),
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
    assert "it is not what it was when it was pinned" in node.log()
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
