"""Comfort of the command line: colours, help, completion, progress, schemas, no leftovers."""

import json
import os
import pty
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import click
import pytest
from support import BLUEPRINTS, ROOT, Run

from clusterprint import __version__
from clusterprint.blueprint import KINDS
from clusterprint.cli import Commands, group
from clusterprint.exit_codes import Code
from clusterprint.validate.schemas import ALL, whole_schema

pytestmark = pytest.mark.process

GOOD = (BLUEPRINTS / "vm-smallest.yaml").read_text("utf-8")


# ---- colours


@pytest.mark.parametrize(
    ("asked", "coloured"),
    [
        ({}, False),
        ({"FORCE_COLOR": "1"}, True),
        ({"FORCE_COLOR": "0"}, False),
        ({"FORCE_COLOR": ""}, False),
        ({"FORCE_COLOR": "1", "NO_COLOR": "1"}, False),
    ],
)
def test_force_color_colours_what_goes_to_a_pipe(
    clusterprint: Run, asked: dict[str, str], coloured: bool
) -> None:
    said = clusterprint("validate", BLUEPRINTS / "vm-smallest.yaml", env=asked).stdout
    assert ("\x1b[" in said) == coloured
    assert click.unstyle(said) == "1 blueprint checked: no problems\n"


# ---- version and help


def test_version_has_a_short_option(clusterprint: Run) -> None:
    assert clusterprint("-V").stdout == clusterprint("--version").stdout
    assert __version__ in clusterprint("-V").stdout


@pytest.mark.parametrize("command", [[], ["synth"], ["init"], ["init", "gitops"]])
def test_help_is_a_command_too(clusterprint: Run, command: list[str]) -> None:
    assert clusterprint("help", *command).stdout == clusterprint(*command, "--help").stdout != ""


def test_help_about_what_is_not_there(clusterprint: Run) -> None:
    unknown, too_far = clusterprint("help", "sinth"), clusterprint("help", "synth", "further")
    assert (unknown.returncode, too_far.returncode) == (2, 2)
    assert "Did you mean 'synth'?" in unknown.stderr
    assert "clusterprint synth has no commands of its own" in too_far.stderr


# ---- completion


@pytest.mark.parametrize(
    ("typed", "offered"),
    [
        ("sch", {"schema"}),
        ("help val", {"validate"}),
        ("explain vm", {"vm", "vmss", *(f"VM{number:03}" for number in range(1, 8) if number != 2)}),
        ("explain vm.nodes.c", {"vm.nodes.capacity", "vm.nodes.count"}),
        ("explain vm.nowhere.c", set()),
        ("explain gcp00", {f"GCP00{number}" for number in range(1, 10)}),
        ("machines a3-m", {"a3-megagpu-8g"}),
        ("machines standard_nd96isr_h2", {"Standard_ND96isr_H200_v5"}),
        ("schema p", {"policy"}),
        ("validate blueprints/vm-s", {"blueprints/vm-sample.yaml", "blueprints/vm-smallest.yaml"}),
        ("list bl", {"blueprints/gke-smallest.yaml"}),
        ("choose --gpu h2", {"h200-141gb"}),
        ("choose --region us-c", {"us-central1"}),
        ("choose --kind v", {"vm", "vmss"}),
    ],
)
def test_shells_complete(clusterprint: Run, typed: str, offered: set[str]) -> None:
    words = ["clusterprint", *typed.split()]
    asked = {
        "_CLUSTERPRINT_COMPLETE": "bash_complete",
        "COMP_WORDS": " ".join(words),
        "COMP_CWORD": str(len(words) - 1),
    }
    done = clusterprint(env=asked)
    found = {line.partition(",")[2] for line in done.stdout.splitlines() if line}
    assert offered <= found
    assert bool(found) == bool(offered)
    assert all(each.lower().startswith(words[-1].lower()) for each in found)


# ---- schemas


def test_the_schema_is_that_of_all_kinds_unless_one_is_named(clusterprint: Run) -> None:
    folder = ROOT / "schema"
    assert clusterprint("schema").stdout == whole_schema(ALL)
    for name in (*KINDS, "policy"):
        assert clusterprint("schema", name).stdout == (folder / f"{name}.schema.json").read_text("utf-8")
    assert clusterprint("schema", "slurm").returncode == 2


def test_the_path_of_the_schema_can_stand_in_a_first_line(clusterprint: Run) -> None:
    path = Path(clusterprint("schema", "--path").stdout.rstrip("\n"))
    assert path.is_absolute()
    assert json.loads(path.read_text("utf-8"))["title"] == "clusterprint blueprint"
    assert clusterprint("schema", "--path", "vm").stdout.endswith("vm.schema.json\n")


def test_the_schema_is_written_where_the_first_line_of_our_blueprints_looks(
    clusterprint: Run, tmp_path: Path
) -> None:
    blueprint = tmp_path / "blueprints" / "first.yaml"
    blueprint.parent.mkdir()
    blueprint.write_text(GOOD)
    done = clusterprint("schema", "--out", "schema/blueprint.schema.json", cwd=tmp_path)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    [line] = [each for each in GOOD.splitlines() if "yaml-language-server" in each]
    named = blueprint.parent / line.partition("$schema=")[2]
    assert named.read_text("utf-8") == clusterprint("schema").stdout
    assert clusterprint("schema", "--out", named, "--path").returncode == 2


# ---- progress


def on_a_terminal(*arguments: str | Path, cwd: Path) -> str:
    """The standard error of a command if that is a terminal."""
    ours, theirs = pty.openpty()
    with subprocess.Popen(
        [sys.executable, "-m", "clusterprint", *map(str, arguments)],
        cwd=cwd,
        env={**os.environ, "PYTHONPATH": str(ROOT), "TERM": "xterm"},
        stdout=subprocess.DEVNULL,
        stderr=theirs,
    ) as process:
        os.close(theirs)
        told = b""
        try:
            while piece := os.read(ours, 4096):
                told += piece
        except OSError:
            pass  # how Linux says that the other end is closed
        os.close(ours)
    assert process.returncode in {0, 4}
    return told.decode()


def test_synth_shows_progress_at_a_terminal_and_leaves_no_trace(clusterprint: Run, tmp_path: Path) -> None:
    (tmp_path / "first.yaml").write_text(GOOD)
    told = on_a_terminal("synth", "first.yaml", cwd=tmp_path)
    assert "building first (1 of 1) ..." in told
    assert told.endswith("\r\x1b[K")
    assert "\n" not in told
    assert clusterprint("synth", "first.yaml", cwd=tmp_path).stderr == ""


def test_review_shows_progress_at_a_terminal(tmp_path: Path) -> None:
    for side in ("old", "new"):
        (tmp_path / side).mkdir()
        (tmp_path / side / "first.yaml").write_text(GOOD.replace("name: first", f"name: {side}"))
    told = on_a_terminal("review", "--base", "./old", "--head", "./new", cwd=tmp_path)
    assert "checking the blueprints at ./old ..." in told
    assert "building new (1 of 1) ..." in told
    assert told.endswith("\r\x1b[K")


# ---- leftovers


def test_the_folder_of_a_renamed_cluster_is_removed(clusterprint: Run, tmp_path: Path) -> None:
    file = tmp_path / "first.yaml"
    file.write_text(GOOD)
    clusterprint("synth", "first.yaml", cwd=tmp_path)
    file.write_text(GOOD.replace("name: first", "name: renamed"))
    done = clusterprint("synth", "first.yaml", cwd=tmp_path)
    stacks = tmp_path / "cdktf.out" / "stacks"
    assert [each.name for each in stacks.iterdir()] == ["renamed"]
    assert done.stdout == "cdktf.out/stacks/renamed/cdk.tf.json\n"
    assert done.stderr == "removed cdktf.out/stacks/first: none of these blueprints has it\n"


@pytest.mark.parametrize("left", [".terraform", "terraform.tfstate", "errored.tfstate", "prod.auto.tfvars"])
def test_a_folder_that_terraform_has_used_is_kept_and_named(
    clusterprint: Run, tmp_path: Path, left: str
) -> None:
    file = tmp_path / "first.yaml"
    file.write_text(GOOD)
    clusterprint("synth", "first.yaml", cwd=tmp_path)
    kept = tmp_path / "cdktf.out" / "stacks" / "first"
    (kept / left).mkdir() if left == ".terraform" else (kept / left).write_text("{}")
    file.write_text(GOOD.replace("name: first", "name: renamed"))
    done = clusterprint("synth", "first.yaml", cwd=tmp_path)
    assert (kept / "cdk.tf.json").is_file()
    assert (
        f"left cdktf.out/stacks/first alone: none of these blueprints has it, but it holds {left};"
        in done.stderr
    )
    assert "terraform destroy" in done.stderr


def test_folders_that_are_no_stacks_are_left_alone(clusterprint: Run, tmp_path: Path) -> None:
    (tmp_path / "first.yaml").write_text(GOOD)
    foreign = tmp_path / "out" / "stacks" / "notes"
    foreign.mkdir(parents=True)
    (foreign / "files").mkdir()
    done = clusterprint("synth", "first.yaml", "--out", "out", cwd=tmp_path)
    assert foreign.is_dir()
    assert done.stderr == ""


def _commands(of: click.Group = group, above: str = "") -> Iterator[tuple[str, click.Command]]:
    context = click.Context(of)
    for name in of.list_commands(context):
        command = of.get_command(context, name)
        assert command is not None
        yield f"{above}{name}", command
        if isinstance(command, click.Group):
            yield from _commands(command, f"{name} ")


ALL_COMMANDS = [pytest.param(*each, id=each[0]) for each in _commands()]


@pytest.mark.parametrize(("name", "command"), ALL_COMMANDS)
def test_the_first_line_of_each_command_is_read_at_a_glance(name: str, command: click.Command) -> None:
    first, _, rest = (command.help or "").partition("\n")
    assert first.endswith(".")
    assert len(first.split()) <= 8
    assert rest.startswith("\n") or not rest
    assert command.get_short_help_str(60) == first, f"{name} is cut in the list of commands"


def test_help_lists_every_command_once_in_the_groups_of_the_documentation(clusterprint: Run) -> None:
    listed: dict[str, list[str]] = {}
    for line in clusterprint("--help").stdout.splitlines():
        if line.endswith(":") and not line.startswith((" ", "Usage", "Options")):
            names = listed.setdefault(line[:-1], [])
        elif listed and line.startswith("  ") and line.strip():
            names.append(line.split()[0])
    assert listed == {title: [*each] for title, each in Commands.GROUPS.items()}
    page = (ROOT / "docs" / "commands.md").read_text("utf-8")
    sections = {part.partition("\n")[0]: part for part in page.split("\n## ")[1:]}
    for title, commands in Commands.GROUPS.items():
        for name in commands:
            told = sections.get(title, page)
            assert re.search(rf"clusterprint {name}\b", told), f"docs/commands.md, {title}: {name}"


def test_the_help_of_the_program_lists_every_exit_code() -> None:
    listed = {int(each) for each in re.findall(r"\b(\d+) [a-z]", group.help or "")}
    assert listed == {int(code) for code in Code}
