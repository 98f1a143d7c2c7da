"""A cluster of three nodes of kind vm, for tests of programs that run over all of them."""

from typing import Any

from nodes.test_vm_hosts import node_with, other
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


def bucket(node: VmMachine, name: str, run: str = FACTS.run) -> str:
    text: str = node.known("google")["objects"]["results"][f"spani/runs/{run}/{name}"]
    return text


def status(node: VmMachine, run: str = FACTS.run) -> dict[str, str]:
    return dict(line.split("=", 1) for line in bucket(node, "status", run).splitlines())


def replaced(**changes: Any) -> RunFacts:
    return RunFacts(**{name: getattr(FACTS, name) for name in FACTS.__struct_fields__} | changes)
