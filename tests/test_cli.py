"""The command line from outside: exit codes, formats, exact text."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from support import BLUEPRINTS, ROOT, Run, StacksOf

pytestmark = pytest.mark.process

GOOD = (BLUEPRINTS / "vm-smallest.yaml").read_text("utf-8")
WRONG_ZONE = GOOD.replace("zone: us-central1-a", "zone: us-east4-b")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder of blueprints: one good, one with a mistake, one that is not valid YAML."""
    made = tmp_path / "blueprints"
    made.mkdir()
    (made / "good.yaml").write_text(GOOD)
    (made / "wrong.yaml").write_text(WRONG_ZONE.replace("name: first", "name: second"))
    (made / "broken.yml").write_text("kind: [vm\n")
    return made


def test_clean_blueprints_exit_with_0(clusterprint: Run) -> None:
    done = clusterprint("validate", "blueprints")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout == f"{len(list(BLUEPRINTS.glob('*.yaml')))} blueprints checked: no problems\n"


def test_every_file_is_checked_and_the_last_line_sums_up(clusterprint: Run, folder: Path) -> None:
    done = clusterprint("validate", folder)
    assert done.returncode == 1
    assert "GCP001" in done.stdout
    assert "broken.yml:1:7" in done.stdout
    assert done.stdout.splitlines()[-1].startswith("3 blueprints checked: 2 errors")


def test_the_default_is_the_folder_blueprints(clusterprint: Run, folder: Path) -> None:
    assert (
        clusterprint("validate", cwd=folder.parent).stdout
        == clusterprint("validate", "blueprints", cwd=folder.parent).stdout
    )


def test_without_blueprints_it_is_wrong_usage(clusterprint: Run, tmp_path: Path) -> None:
    done = clusterprint("validate", cwd=tmp_path)
    assert (done.returncode, done.stdout) == (2, "")
    assert (
        done.stderr
        == "error: there is no folder blueprints/ here: name the blueprints or folders to look at\n"
    )


def test_an_empty_folder_is_wrong_usage(clusterprint: Run, tmp_path: Path) -> None:
    assert clusterprint("validate", tmp_path).returncode == 2


def test_a_missing_file_is_a_problem_of_its_own(clusterprint: Run, folder: Path) -> None:
    done = clusterprint("validate", folder / "good.yaml", folder / "nowhere.yaml")
    assert done.returncode == 1
    assert "nowhere.yaml" in done.stdout
    assert "Traceback" not in done.stderr


def test_an_unknown_option_is_wrong_usage(clusterprint: Run) -> None:
    assert clusterprint("validate", "--stric").returncode == 2


@pytest.mark.parametrize("value", ["--yes", "--approved=plan.json", "--simulate"])
def test_an_option_is_not_the_value_of_the_one_before(clusterprint: Run, tmp_path: Path, value: str) -> None:
    done = clusterprint("up", "--simulate", value, tmp_path / "b.yaml", cwd=tmp_path)
    assert done.returncode == 2
    assert f"--simulate needs a value, and {value} is an option" in done.stderr
    assert not list(tmp_path.iterdir())


def test_a_misspelt_command_gets_a_suggestion(clusterprint: Run) -> None:
    done = clusterprint("valdate")
    assert done.returncode == 2
    assert "Did you mean 'validate'?" in done.stderr


def test_standard_input(clusterprint: Run, tmp_path: Path) -> None:
    done = clusterprint("validate", "-", cwd=tmp_path, input=WRONG_ZONE)
    assert done.returncode == 1
    assert " --> -:8:7" in done.stdout


def test_data_files_further_down_are_not_taken_for_blueprints(clusterprint: Run, folder: Path) -> None:
    (folder / "files").mkdir()
    (folder / "files" / "job.yaml").write_text("apiVersion: v1\nkind: Pod\n")
    (folder / "files" / "third.yaml").write_text(GOOD.replace("name: first", "name: third"))
    done = clusterprint("validate", folder)
    assert done.stdout.splitlines()[-1].startswith("4 blueprints checked")


def test_json_has_every_problem_with_its_place(clusterprint: Run, folder: Path) -> None:
    report = json.loads(clusterprint("validate", folder, "--format", "json").stdout)
    found = {(Path(each["file"]).name, each["code"]): each for each in report["diagnostics"]}
    assert (found["wrong.yaml", "GCP001"]["line"], found["wrong.yaml", "GCP001"]["column"]) == (8, 7)
    assert report["summary"]["files"] == 3


def test_several_processes_find_the_same(clusterprint: Run, folder: Path) -> None:
    (folder / "twin.yaml").write_text(GOOD)
    assert clusterprint("validate", folder, "--jobs", "2").stdout == clusterprint("validate", folder).stdout


def test_strict_counts_warnings(clusterprint: Run, tmp_path: Path) -> None:
    file = tmp_path / "far.yaml"
    file.write_text(
        GOOD.replace("region: us-central1", "region: us-west4").replace(
            "zone: us-central1-a", "zone: us-west4-a"
        )
    )
    assert clusterprint("validate", file).returncode == 0
    assert clusterprint("validate", file, "--strict").returncode == 1


def test_a_note_fails_nothing(clusterprint: Run, tmp_path: Path) -> None:
    folder = tmp_path / "two"
    folder.mkdir()
    (folder / "first.yaml").write_text(GOOD)
    (folder / "second.yaml").write_text(GOOD.replace("name: ", "name: a"))
    run = clusterprint("validate", folder, "--strict")
    assert "\nnote[FL005]: the networks of 2 clusters" in f"\n{run.stdout}"
    assert run.stdout.endswith("no problems, 1 note\n")
    assert run.returncode == 0
    found = json.loads(clusterprint("validate", folder, "--format", "json").stdout)
    assert found["diagnostics"][0]["severity"] == "note"
    sarif = json.loads(clusterprint("validate", folder, "--format", "sarif").stdout)["runs"][0]
    assert sarif["results"][0]["level"] == "note"


def test_text_has_no_colour_unless_it_goes_to_a_terminal(clusterprint: Run, folder: Path) -> None:
    assert "\x1b" not in clusterprint("validate", folder).stdout


def test_validate_needs_no_node_no_terraform_and_no_home(folder: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "clusterprint", "validate", folder / "good.yaml"],
        env={"PATH": "", "PYTHONPATH": str(ROOT)},
        cwd="/",
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")


def test_validate_never_loads_the_engine() -> None:
    program = (
        "import sys; from pathlib import Path; from clusterprint.examine import examine; "
        f"examine([Path({str(BLUEPRINTS)!r})]); "
        "print([name for name in ('cdktf', 'jsii', 'constructs', 'stacks') if name in sys.modules])"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, check=True
    )
    assert done.stdout == "[]\n"


# ---- synth


def test_synth_writes_stacks_and_names_them(clusterprint: Run, tmp_path: Path) -> None:
    done = clusterprint("synth", BLUEPRINTS / "vm-smallest.yaml", "--out", tmp_path / "out")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout == f"{tmp_path}/out/stacks/first/cdk.tf.json\n"


def test_synth_with_problems_leaves_the_earlier_output(clusterprint: Run, tmp_path: Path) -> None:
    file, out = tmp_path / "one.yaml", tmp_path / "out"
    file.write_text(GOOD)
    clusterprint("synth", file, "--out", out)
    before = (out / "stacks/first/cdk.tf.json").read_bytes()
    file.write_text(WRONG_ZONE)
    done = clusterprint("synth", file, "--out", out)
    assert (done.returncode, done.stdout) == (1, "")
    assert "GCP001" in done.stderr
    assert (out / "stacks/first/cdk.tf.json").read_bytes() == before


def test_synth_leaves_alone_what_terraform_keeps_beside_a_stack(clusterprint: Run, tmp_path: Path) -> None:
    lock = tmp_path / "out/stacks/first/.terraform.lock.hcl"
    lock.parent.mkdir(parents=True)
    lock.write_text("kept")
    clusterprint("synth", BLUEPRINTS / "vm-smallest.yaml", "--out", tmp_path / "out")
    assert lock.read_text() == "kept"
    assert not list(tmp_path.glob(".out-*"))


def test_synth_refuses_two_stacks_of_one_name(clusterprint: Run, folder: Path, tmp_path: Path) -> None:
    (folder / "broken.yml").unlink()
    (folder / "wrong.yaml").write_text(
        GOOD.replace("my-gpu-project", "other-project").replace("my-terraform", "other")
    )
    done = clusterprint("synth", folder, "--out", tmp_path / "out")
    assert done.returncode != 0
    assert "first" in done.stderr
    assert not (tmp_path / "out").exists()


def test_synth_into_a_place_that_cannot_be_written(clusterprint: Run, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    done = clusterprint("synth", BLUEPRINTS / "vm-smallest.yaml", "--out", tmp_path / "file" / "out")
    assert done.returncode == 3
    assert done.stderr.startswith("error: cannot write to ")
    assert "Traceback" not in done.stderr


@pytest.mark.slow
@pytest.mark.long
def test_synth_is_the_same_from_anywhere(clusterprint: Run, tmp_path: Path, synthesized: Path) -> None:
    out = tmp_path / "out"
    clusterprint(
        "synth",
        BLUEPRINTS,
        "--out",
        out,
        cwd=tmp_path,
        env={"PYTHONHASHSEED": "7", "LANG": "C", "TZ": "Asia/Tokyo"},
    )
    made = {
        file.relative_to(out / "stacks"): file.read_bytes()
        for file in (out / "stacks").rglob("*")
        if file.is_file()
    }
    assert made == {
        file.relative_to(synthesized): file.read_bytes() for file in synthesized.rglob("*") if file.is_file()
    }
    machine = (os.fsencode(str(ROOT)), os.fsencode(str(tmp_path)), os.fsencode(str(synthesized)))
    assert not [file for file, content in made.items() if any(path in content for path in machine)]


@pytest.mark.long
@pytest.mark.slow
def test_together_as_each_alone(stacks: StacksOf, synthesized: Path) -> None:
    for blueprint in BLUEPRINTS.glob("*.yaml"):
        for alone in stacks(blueprint):
            together = synthesized / alone.name / "cdk.tf.json"
            assert together.read_bytes() == (alone / "cdk.tf.json").read_bytes()


@pytest.mark.slow
def test_synth_killed_at_any_moment_leaves_old_or_new(tmp_path: Path, clusterprint: Run) -> None:
    file, out = tmp_path / "one.yaml", tmp_path / "out"
    file.write_text(GOOD)
    clusterprint("synth", file, "--out", out)
    stack = out / "stacks/first/cdk.tf.json"
    old = stack.read_bytes()
    file.write_text(GOOD.replace("a2-highgpu-1g", "a2-highgpu-2g"))
    for delay in (0.2, 0.4, 0.6, 0.8):
        process = subprocess.Popen(
            [sys.executable, "-m", "clusterprint", "synth", file, "--out", out],
            cwd=ROOT, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
        )  # fmt: skip
        time.sleep(delay)
        process.send_signal(signal.SIGKILL)
        process.wait()
        json.loads(stack.read_bytes())
        json.loads((out / "manifest.json").read_bytes())
    assert clusterprint("synth", file, "--out", out).returncode == 0
    assert stack.read_bytes() != old


# ---- the cdktf app


def app(*, cwd: Path = ROOT, **environment: str) -> "subprocess.CompletedProcess[str]":
    """Run main.py as the cdktf CLI does."""
    return subprocess.run(
        [sys.executable, ROOT / "main.py"],
        cwd=cwd, env={**os.environ, **environment}, capture_output=True, text=True, check=False, timeout=120,
    )  # fmt: skip


@pytest.mark.long
@pytest.mark.slow
def test_the_app_writes_the_same_bytes(tmp_path: Path, synthesized: Path) -> None:
    done = app(CDKTF_OUTDIR=str(tmp_path / "out"))
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    for file in synthesized.rglob("cdk.tf.json"):
        assert (tmp_path / "out/stacks" / file.relative_to(synthesized)).read_bytes() == file.read_bytes()


def test_the_app_stops_with_diagnostics(tmp_path: Path) -> None:
    file = tmp_path / "one.yaml"
    file.write_text(WRONG_ZONE)
    done = app(CLUSTERPRINT_BLUEPRINTS=str(file), CDKTF_OUTDIR=str(tmp_path / "out"))
    assert done.returncode == 1
    assert "error[GCP001]" in done.stderr
    assert "Traceback" not in done.stderr
    assert not (tmp_path / "out").exists()


def test_the_app_takes_its_blueprints_from_the_context(tmp_path: Path) -> None:
    file = tmp_path / "one.yaml"
    file.write_text(GOOD)
    context = json.dumps({"blueprints": str(file)})
    done = app(CDKTF_CONTEXT_JSON=context, CDKTF_OUTDIR=str(tmp_path / "out"))
    assert (done.returncode, done.stderr) == (0, "")
    assert [each.name for each in (tmp_path / "out/stacks").iterdir()] == ["first"]


@pytest.mark.slow
@pytest.mark.long
def test_the_complete_assembly_gives_the_same_bytes(
    clusterprint: Run, tmp_path: Path, synthesized: Path
) -> None:
    done = clusterprint("synth", BLUEPRINTS, "--out", tmp_path / "out", env={"CLUSTERPRINT_BINDINGS": "full"})
    assert (done.returncode, done.stderr) == (0, "")
    for file in synthesized.rglob("cdk.tf.json"):
        assert (tmp_path / "out/stacks" / file.relative_to(synthesized)).read_bytes() == file.read_bytes()


def test_synth_needs_no_terraform(clusterprint: Run, tmp_path: Path) -> None:
    """The engine would like to know the version of Terraform where a stack queues its machines."""
    words = ("synth", BLUEPRINTS / "vm-a3-ultra-flex.yaml", "--out", tmp_path / "out")
    done = clusterprint(*words, started=True, env={"PATH": ""})
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.process
def test_a_mistake_is_described_without_the_grammars_of_formats_that_no_schema_has(tmp_path: Path) -> None:
    """They take two seconds, where a package of Jupyter's is installed; others may want them afterwards."""
    (tmp_path / "wrong.yaml").write_text("clusterprint: v1\nkind: vm\nname: 3\n")
    code = (
        "import sys; from clusterprint.cli import group\n"
        f"try: group.main(['validate', {str(tmp_path / 'wrong.yaml')!r}], standalone_mode=False)\n"
        "finally: print('\\n', 'jsonschema' in sys.modules, 'rfc3987_syntax' in sys.modules)"
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert run.stdout.splitlines()[-1].split() == ["True", "False"]
