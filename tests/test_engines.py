"""Both engines make the same stacks: cdktf, the default, and cdktn, which goes on where cdktf ended."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from support import BLUEPRINTS, GOLDENS, ROOT, cases, read_stack, stacks_of
from test_goldens import without_scripts

CDKTN = ROOT / ".cache/clis/cdktn-engine"
#: What its bindings of the provider kubernetes 3 write as a list of one; for Terraform both are one block.
LISTED = ("kubernetes_namespace_v1", "kubernetes_role_v1")

pytestmark = [pytest.mark.slow, pytest.mark.process, pytest.mark.xdist_group("cdktn")]


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """The stacks of all blueprints and goldens, made by cdktn: a folder for each of both folders."""
    if not (CDKTN / "cdktn").is_dir():
        message = "needs cdktn: run `python tools/install_clis.py` (index of Python packages)"
        pytest.fail(message) if os.environ.get("CI") else pytest.skip(message)
    folders = {}
    for source in (BLUEPRINTS, GOLDENS):
        folders[source.name] = tmp_path_factory.mktemp("out")
        done = subprocess.run(
            [sys.executable, "-m", "clusterprint", "synth", source, "--out", folders[source.name]],
            env={**os.environ, "PYTHONPATH": str(CDKTN), "CLUSTERPRINT_ENGINE": ""},
            cwd=ROOT, capture_output=True, text=True, check=False,
        )  # fmt: skip
        assert done.returncode == 0, done.stderr
    return folders


def as_cdktf(stack: dict[str, Any]) -> dict[str, Any]:
    """A stack of cdktn without the lists of one block that docs/engine.md names."""
    for kind in LISTED:
        for resource in stack.get("resource", {}).get(kind, {}).values():
            (resource["metadata"],) = resource["metadata"]
    return stack


@pytest.mark.parametrize("case", cases(), ids=lambda path: path.stem)
def test_cdktn_makes_the_stacks_of_cdktf(case: Path, made: dict[str, Path]) -> None:
    folders = stacks_of(case, made[case.parent.name] / "stacks")
    stacks = {
        folder.name: as_cdktf(without_scripts(read_stack(folder / "cdk.tf.json"))) for folder in folders
    }
    golden = json.loads((GOLDENS / f"{case.stem}.tf.json").read_text("utf-8"))
    assert stacks == (golden if len(stacks) > 1 else {folders[0].name: golden})


def test_it_is_cdktn_that_made_them(made: dict[str, Path]) -> None:
    (version,) = {
        json.loads(file.read_text("utf-8"))["//"]["metadata"]["version"]
        for file in made["blueprints"].glob("stacks/*/cdk.tf.json")
    }
    assert version == "0.24.0"
