"""The Python API, as a program uses it."""

import inspect
import json
import shutil
from pathlib import Path

import pytest
from support import BLUEPRINTS, Run

from clusterprint import api

WRONG = "clusterprint: v1\nkind: vm\nname: wrong\nnodes: {machine_type: g2-standard-9}\n"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    made = tmp_path / "blueprints"
    made.mkdir()
    shutil.copy(BLUEPRINTS / "vm-smallest.yaml", made / "first.yaml")
    return made


def test_the_five_functions_are_typed_and_documented() -> None:
    functions = [each for each in map(api.__dict__.get, api.__all__) if inspect.isfunction(each)]
    assert [each.__name__ for each in functions] == ["load", "review", "simulate", "synthesize", "validate"]
    page = (BLUEPRINTS.parent / "docs/python.md").read_text("utf-8")
    for each in functions:
        assert each.__doc__
        assert "return" in inspect.get_annotations(each)
        named = [name for name in inspect.signature(each).parameters if name != "paths"]
        [row] = [line for line in page.splitlines() if line.startswith(f"| `{each.__name__}(")]
        assert all(f"{name}=" in row for name in named), row


def test_files_are_loaded_and_validated_as_by_the_command(folder: Path, clusterprint: Run) -> None:
    [loaded] = api.load(folder)
    assert loaded.data
    assert loaded.data["name"] == "first"
    (folder / "wrong.yaml").write_text(WRONG)
    found = api.validate(folder)
    assert (found.ok, found.clusters) == (False, ("first", "wrong"))
    assert found.text == clusterprint("validate", folder).stdout.rstrip("\n")
    assert {each.code for each in found.diagnostics if each.severity is api.Severity.ERROR}
    (folder / "broken.yaml").write_text("a: [")
    broken = next(each for each in api.load(folder) if each.file.endswith("broken.yaml"))
    assert (broken.data, len(broken.diagnostics)) == (None, 1)


def test_secrets_are_not_returned(folder: Path) -> None:
    secret = "hf_" + "aB3dE6gH9j" * 4
    (folder / "secret.yaml").write_text(f"clusterprint: v1\nkind: vm\nname: x\nx-token: {secret}\n")
    assert secret not in repr((api.load(folder), api.validate(folder)))


def test_only_valid_blueprints_are_synthesized(folder: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    [file] = api.synthesize(folder, out=out)
    assert "google_compute_network" in json.loads(file.read_text())["resource"]
    (folder / "wrong.yaml").write_text(WRONG)
    with pytest.raises(api.Invalid, match="the blueprints have problems") as error:
        api.synthesize(folder / "wrong.yaml", out=tmp_path / "other")
    assert not error.value.validation.ok
    assert not (tmp_path / "other").exists()
    shutil.rmtree(folder)
    shutil.rmtree(out)
    with pytest.raises(api.UsageError):
        api.validate(tmp_path)


def test_a_change_is_reviewed_as_by_the_command(folder: Path, tmp_path: Path, clusterprint: Run) -> None:
    before, after = tmp_path / "before", tmp_path / "after"
    shutil.copytree(folder, before / "blueprints")
    shutil.copytree(folder, after / "blueprints")
    file = after / "blueprints/first.yaml"
    file.write_text(file.read_text().replace("machine_type: ", "count: 2, machine_type: "))
    found = api.review(base=str(before), head=str(after))
    said = clusterprint("review", "--base", before, "--head", after, "--format", "json").stdout
    assert found == json.loads(said)
    assert api.review(base=str(before), head=str(before))["verdict"] != found["verdict"]


@pytest.mark.slow
@pytest.mark.terraform
def test_plans_are_simulated(folder: Path) -> None:
    found = api.simulate(folder)
    assert (found.failed, found.changes) == (False, True)
    assert "Plan: " in found.text
    (folder / "first.yaml").write_text(WRONG)
    with pytest.raises(api.Invalid):
        api.simulate(folder)
