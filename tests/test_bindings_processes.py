"""The process of the engine: requests that are sent ahead, and what it is not asked for."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

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
    ended = subprocess.run([sys.executable, "-c", BEGIN + script], capture_output=True, text=True, check=True)
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
