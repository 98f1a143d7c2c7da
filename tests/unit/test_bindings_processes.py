"""The bindings loader in whole processes: how they leave, and what they build with Node."""

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import IO, Any, NamedTuple

import pytest
from jsii._embedded import jsii as embedded

from clusterprint.bindings import node

ROOT = Path(__file__).parents[2]
PROGRAM = ROOT / "tests" / "bindings_scratch" / "program.py"
EXIT_CODE = 5  # of the program when all went well


# --- leaving ------------------------------------------------------------------------------------------------

LONG = "x" * 100_000
REGISTERED = "import atexit; atexit.register(lambda: print('at exit'));"


def leaving(
    code: int, script: str = "", stdout: int | IO[str] = subprocess.PIPE
) -> subprocess.CompletedProcess[str]:
    """Prints `a` into a buffer, so that only `leave` gets to see where that goes."""
    return subprocess.run(
        [
            sys.executable,
            "-c",
            f"{script}print('a'); from clusterprint.cli.process_end import leave; leave({code})",
        ],
        env={name: value for name, value in os.environ.items() if name != "PYTHONUNBUFFERED"},
        cwd=ROOT,
        stdout=stdout,
        stderr=subprocess.PIPE,
        text=True,
        check=False,
    )


@pytest.mark.process
@pytest.mark.parametrize("code", [0, 1, 3])
def test_leave_keeps_output_exit_code_and_exit_functions(code: int) -> None:
    left = leaving(code, f"{REGISTERED}print('{LONG}');")
    assert (left.returncode, left.stdout, left.stderr) == (code, f"{LONG}\na\nat exit\n", "")


@pytest.mark.process
@pytest.mark.parametrize("code", [0, 1])
def test_leave_says_nothing_about_a_reader_that_has_gone(code: int) -> None:
    reader, writer = os.pipe()
    os.close(reader)
    left = leaving(code, stdout=writer)
    os.close(writer)
    assert (left.returncode, left.stderr) == (code, "")


@pytest.mark.process
@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs a device that is always full")
@pytest.mark.parametrize(("code", "seen"), [(0, 3), (1, 1)])
def test_leave_does_not_call_lost_output_a_success(code: int, seen: int) -> None:
    with Path("/dev/full").open("w") as full:
        left = leaving(code, stdout=full)
    assert left.returncode == seen
    assert left.stderr.startswith("clusterprint: error: output could not be written: ")


# --- whole processes ----------------------------------------------------------------------------------------


class Finished(NamedTuple):
    """The output and the files of a process, and those it did not remove."""

    code: int
    stdout: str
    stderr: str
    json: bytes | None
    left_over: list[str]


class Started(NamedTuple):
    """A process, where it writes, and the folder in which it is."""

    process: subprocess.Popen[str]
    out: Path
    scratch: Path

    def finish(self) -> Finished:
        """Wait for it."""
        stdout, stderr = self.process.communicate(timeout=600)
        made = self.out / "stacks" / "scratch" / "cdk.tf.json"
        return Finished(
            self.process.returncode,
            stdout,
            stderr,
            made.read_bytes() if made.exists() else None,
            [path.name for path in self.scratch.iterdir()],
        )


Synth = Callable[..., Finished]
Start = Callable[..., Started]


@pytest.fixture(scope="module")
def start(tmp_path_factory: pytest.TempPathFactory) -> Start:
    """Starts the scratch program without Node on the PATH; a warm cache unless told otherwise."""
    shared = tmp_path_factory.mktemp("cache")

    def run(*steps: str, cache: Path = shared, **variables: str) -> Started:
        out = tmp_path_factory.mktemp("out")
        scratch = tmp_path_factory.mktemp("tmp")
        variables = {"CLUSTERPRINT_CACHE": str(cache), "TMPDIR": str(scratch), **variables}
        process = subprocess.Popen(
            [sys.executable, str(PROGRAM), str(out), *steps],
            env={"PATH": "/nowhere", "PYTHONPATH": str(ROOT), "HOME": str(scratch), **variables},
            cwd=scratch, text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        )  # fmt: skip
        return Started(process, out, scratch)

    return run


@pytest.fixture(scope="module")
def synth(start: Start) -> Synth:
    """Runs it to its end."""
    return lambda *steps, **options: start(*steps, **options).finish()


@pytest.fixture(scope="module")
def usual(synth: Synth) -> Finished:
    return synth()


def assert_good(run: Finished) -> None:
    """Exit code and output have arrived, stderr is empty, and nothing is left over."""
    assert (run.code, run.stdout, run.stderr) == (EXIT_CODE, "synthesized\n", "")
    assert run.json is not None
    assert run.left_over == []


@pytest.mark.slow
def test_a_synth_needs_no_node_on_the_path_and_says_nothing(usual: Finished) -> None:
    assert_good(usual)


@pytest.mark.slow
@pytest.mark.long
def test_cut_complete_and_plain_bindings_give_the_same_bytes(synth: Synth, usual: Finished) -> None:
    complete = synth(CLUSTERPRINT_BINDINGS="full")
    assert_good(complete)
    plain = synth("plain", JSII_NODE=str(node.bundled_node()), JSII_RUNTIME_PACKAGE_CACHE="disabled")
    assert plain.code == EXIT_CODE
    assert usual.json == complete.json == plain.json


@pytest.mark.slow
@pytest.mark.long
def test_a_file_that_jsii_unpacked_only_in_part_is_named_with_what_helps(
    synth: Synth, usual: Finished, tmp_path: Path
) -> None:
    assert_good(synth(cache=tmp_path))
    (unpacked,) = (tmp_path / "jsii").rglob("lib/compute-network/index.js")
    unpacked.write_bytes(unpacked.read_bytes()[:100])
    again = synth(cache=tmp_path)
    assert "compute-network/index.js is damaged" in again.stderr
    assert f"remove {tmp_path / 'jsii'}, which is made again" in again.stderr
    shutil.rmtree(tmp_path / "jsii")
    assert synth(cache=tmp_path).json == usual.json


@pytest.mark.slow
@pytest.mark.long
def test_several_processes_may_be_the_first(start: Start, usual: Finished, tmp_path: Path) -> None:
    processes = [start(cache=tmp_path) for _ in range(4)]
    for run in [each.finish() for each in processes]:
        assert_good(run)
        assert run.json == usual.json


@pytest.mark.slow
@pytest.mark.long
def test_a_cache_that_cannot_be_written_is_tolerated(synth: Synth, usual: Finished, tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    run = synth(cache=tmp_path / "file" / "below")
    assert_good(run)
    assert run.json == usual.json


@pytest.mark.slow
@pytest.mark.long
@pytest.mark.parametrize("program", ["/bin/false", "/nowhere/node"])
def test_a_node_that_does_not_start_is_an_environment_failure(program: str, synth: Synth) -> None:
    run = synth(JSII_NODE=program)
    assert run.json is None
    assert f"EnvironmentFailure: Node ({program}) does not start" in run.stderr.splitlines()[-1]
    assert run.left_over == []


# --- requests to the engine ---------------------------------------------------------------------------------

# In a process of its own: a process has one engine.
BEGIN = """
import json
from clusterprint.bindings import path_of, prepare
prepare()
from cdktf import App, TerraformLocal, TerraformOutput, TerraformStack, Testing
from constructs import Construct
stack = TerraformStack(App(), "one")
"""


def said(script: str) -> Any:
    command = [sys.executable, "-c", BEGIN + script]
    ended = subprocess.run(command, capture_output=True, text=True, check=False)
    assert ended.returncode == 0, ended.stderr
    return json.loads(ended.stdout)


@pytest.mark.process
def test_a_construct_knows_the_path_that_the_engine_gives_it() -> None:
    paths = said("""
inner = Construct(Construct(stack, "a/b"), "Default")
found = [inner, TerraformOutput(inner, "out", value=1), stack]
print(json.dumps([["/".join(path_of(each)), each.node.path] for each in found]))
""")
    assert paths == [["one/a--b/Default"] * 2, ["one/a--b/Default/out"] * 2, ["one"] * 2]


@pytest.mark.process
def test_many_requests_ahead_are_all_done_and_in_their_order() -> None:
    outputs = said("""
for number in range(170):
    TerraformOutput(stack, f"o{number}", value=number).override_logical_id(f"renamed_{number}")
    stack.add_override("output.last.value", number)
print(Testing.synth(stack))
""")
    there = outputs["output"]
    assert [there[f"renamed_{number}"]["value"] for number in range(170)] == list(range(170))
    assert there["last"] == {"value": 169}


@pytest.mark.process
def test_the_error_of_a_request_ahead_is_raised_by_the_next_one() -> None:
    answers = said("""
local = TerraformLocal(stack, "out", 1)
local.fqn
local.override_logical_id("late")
stack.add_override("terraform.x", 1)
try:
    stack.node.id
    met = None
except Exception as error:
    met = str(error).splitlines()[0]
print(json.dumps([met, stack.node.id, local.node.id]))
""")
    assert "logical" in answers[0].lower()
    assert answers[1:] == ["one", "out"]


@pytest.mark.process
def test_the_engine_is_one_process() -> None:
    """Left alone, jsii starts a Node that starts another one."""
    children, grandchildren = said("""
import os, subprocess
listed = subprocess.run(["ps", "-A", "-o", "ppid=,pid=,comm="], capture_output=True, text=True, check=True)
processes = [each.split()[:3] for each in listed.stdout.splitlines()]
nodes = [pid for parent, pid, name in processes if parent == str(os.getpid()) and name == "node"]
print(json.dumps([len(nodes), [name for parent, _, name in processes if parent in nodes]]))
""")
    assert (children, grandchildren) == (1, [])


@pytest.mark.process
def test_what_the_engine_prints_is_no_answer(tmp_path: Path) -> None:
    (tmp_path / "talk.cjs").write_text('setImmediate(() => console.log("from the engine"));')
    ended = subprocess.run(
        [sys.executable, "-c", BEGIN + "print(stack.node.id)"],
        env=os.environ | {"NODE_OPTIONS": f"--require {tmp_path / 'talk.cjs'}"},
        capture_output=True,
        text=True,
        check=True,
    )
    assert (ended.stdout, ended.stderr) == ("one\n", "from the engine\n")


@pytest.mark.process
def test_a_runtime_that_the_user_names_is_started_as_jsii_does(tmp_path: Path) -> None:
    """Here it is jsii's own, a Node that starts another one."""
    folder_of_jsii = Path(str(embedded.__file__)).parent
    for each in folder_of_jsii.glob("*.js"):
        folder, _, name = each.name.partition("__")
        (tmp_path / folder).mkdir(exist_ok=True)
        shutil.copy(each, tmp_path / folder / name)
    ended = subprocess.run(
        [sys.executable, "-c", BEGIN + "print(stack.node.id)"],
        env=os.environ | {"JSII_RUNTIME": str(tmp_path / "bin" / "jsii-runtime.js")},
        capture_output=True,
        text=True,
        check=True,
    )
    assert (ended.stdout, ended.stderr) == ("one\n", "")
