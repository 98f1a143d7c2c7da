"""The command that run-nccl-test starts on the first node."""

import pytest
from nodes.machine import Machine, MakeMachine

NVIDIA = "opt/nccl-tests/build/all_reduce_perf"
MODULES = """module() {
    [[ $* == "load mpi/hpcx" ]] && export LD_LIBRARY_PATH=/opt/hpcx/lib
}
false
unset_on_purpose="$NOT_SET"
"""


def with_benchmark(node: Machine, place: str = NVIDIA) -> Machine:
    node.write(place, "#!/bin/bash\n", 0o755)
    node.fake("mpirun", 'cat "$4" >>"$WORLD/hosts"')
    return node


def mpirun(node: Machine) -> str:
    (call,) = node.calls("mpirun")
    return call.replace(str(node.root), "")


def test_every_gpu_of_every_host_takes_part(machine: MakeMachine) -> None:
    node = with_benchmark(machine())
    done = node.run("all-reduce", "8G", stdin="a\nb\n")
    assert done.returncode == 0, done.stderr
    call = mpirun(node)
    assert call.startswith("-np 16 --hostfile ")
    assert "--map-by ppr:8:node" in call
    assert (node.state / "hosts").read_text("utf-8") == "a slots=8\nb slots=8\n"
    assert call.endswith(f"/{NVIDIA} -b 8G -e 8G -f 0 -g 1 -t 1 -R 1 -N 10")


def test_the_settings_of_the_size_reach_every_process(machine: MakeMachine) -> None:
    node = with_benchmark(machine())
    node.write("opt/microsoft/ndv5/topo.xml", "<system/>\n")
    node.run("all-reduce", "8G", stdin="a\n")
    call = mpirun(node)
    for variable in ("NCCL_DEBUG=WARN", "UCX_TLS=rc", "NCCL_TOPO_FILE=/opt/microsoft/ndv5/topo.xml"):
        assert f"-x {variable}" in call


def test_a_topology_that_the_image_lacks_is_not_named(machine: MakeMachine) -> None:
    node = with_benchmark(machine())
    node.run("all-reduce", "8G", stdin="a\n")
    assert "NCCL_TOPO_FILE" not in mpirun(node)


def test_mpi_comes_from_the_modules_of_the_image(machine: MakeMachine) -> None:
    node = with_benchmark(machine())
    node.write("etc/profile.d/modules.sh", MODULES)
    done = node.run("all-reduce", "8G", stdin="a\n")
    assert done.returncode == 0, done.stderr
    assert "-x LD_LIBRARY_PATH" in mpirun(node)


def test_amd_has_rccl(machine: MakeMachine) -> None:
    node = with_benchmark(machine(gpu_vendor="amd"), "opt/rccl-tests/all_reduce_perf")
    assert node.run("all-reduce", "1G", stdin="a\n").returncode == 0
    assert mpirun(node).endswith("/opt/rccl-tests/all_reduce_perf -b 1G -e 1G -f 0 -g 1 -t 1 -n 50")


@pytest.mark.parametrize("tool", ["mpirun", "benchmark"])
def test_an_image_without_what_is_needed_is_said(machine: MakeMachine, tool: str) -> None:
    node = machine()
    if tool == "mpirun":
        node.write(NVIDIA, "#!/bin/bash\n", 0o755)
    done = node.run("all-reduce", "8G", stdin="a\n")
    assert done.returncode == 1
    assert ("all_reduce_perf" if tool == "benchmark" else "mpirun") in done.stderr


def test_nothing_is_left_behind(machine: MakeMachine) -> None:
    node = with_benchmark(machine())
    folder = node.state / "tmp"
    folder.mkdir()
    node.run("all-reduce", "8G", stdin="a\n", TMPDIR=str(folder))
    assert list(folder.iterdir()) == []
