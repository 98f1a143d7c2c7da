"""The server for agents, as the SDK's own client meets it over standard input and output."""

import json
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import anyio
import pytest
from mcp.client.client import Client
from mcp.client.stdio import StdioServerParameters, stdio_client
from support import BLUEPRINTS, ROOT, Run

from clusterprint.cli import mcp_server
from clusterprint.cli.mcp import mcp as command
from clusterprint.cli.mcp_tools import TOOLS, copy_of_cloud
from clusterprint.errors import EnvironmentFailure, UsageError

Answers = list[tuple[bool, str]]


class Call(NamedTuple):
    """A call of a tool."""

    tool: str
    arguments: dict[str, Any]


def ask(folder: Path, *calls: Call, environment: dict[str, str] | None = None) -> Answers:
    """The answers to some calls in one session: whether each is an error, and its text."""

    async def talk() -> Answers:
        started = StdioServerParameters(
            command=sys.executable, args=["-m", "clusterprint", "mcp"], cwd=folder, env=environment
        )
        async with Client(stdio_client(started)) as client:
            offered = {each.name for each in (await client.list_tools()).tools}
            assert offered == TOOLS.keys()
            found = [await client.call_tool(*each) for each in calls]
        return [
            (each.is_error, "\n".join(getattr(part, "text", "") for part in each.content)) for each in found
        ]

    return anyio.run(talk)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    made = tmp_path / "work"
    (made / "blueprints").mkdir(parents=True)
    shutil.copy(BLUEPRINTS / "vm-smallest.yaml", made / "blueprints")
    (made.parent / "outside.yaml").write_text("clusterprint: v1\nkind: vm\nname: outside\n")
    (made / "link.yaml").symlink_to(made.parent / "outside.yaml")
    (made / "up").symlink_to(made.parent)
    return made


def test_the_page_and_the_schemas_have_the_options_of_the_commands() -> None:
    page = (ROOT / "docs/agents.md").read_text("utf-8")
    for tool in TOOLS.values():
        schema = tool.schema()
        assert tool.description
        assert all(each["description"] for each in schema["properties"].values())
        [row] = [line for line in page.splitlines() if line.startswith(f"| `{tool.name}` |")]
        assert {*schema["properties"]} == {each.strip(" `") for each in row.split("|")[3].split(",")}


@pytest.mark.slow
@pytest.mark.process
def test_tools_answer_as_their_commands(folder: Path, clusterprint: Run) -> None:
    (folder / "blueprints/wrong.yaml").write_text("clusterprint: v1\nkind: vm\nname: wrong\n")
    found = ask(
        folder,
        Call("validate", {"format": "json"}),
        Call("explain", {"name": "GCP001"}),
        Call("choose", {"gpus": 8, "gpu": "h200", "kind": "vm", "format": "json"}),
        Call("show", {"blueprint": "first"}),
        Call("explain", {"name": "nothing_such"}),
        Call("validate", {"paths": ["first"], "strict": True}),
    )
    assert [failed for failed, _ in found] == [False, False, False, False, True, False]
    checked, explained, chosen, shown, unknown, strict = (text for _, text in found)
    assert "exit code 1: There are problems in a blueprint" in checked
    as_command = clusterprint("validate", "--format", "json", cwd=folder)
    assert json.loads(checked.partition("\nexit code")[0]) == json.loads(as_command.stdout)
    assert "zone" in explained
    assert "a3-ultragpu-8g" in chosen
    assert "# resolved: stack first" in shown
    assert "nothing_such" in unknown
    assert strict.endswith("exit code 0: Done. Also when there was nothing to do, see 7.")


@pytest.mark.slow
@pytest.mark.process
def test_a_change_is_reviewed(folder: Path) -> None:
    git = ("git", "-c", "user.name=me", "-c", "user.email=me@example.com")
    for words in (("init", "-q", "-b", "main"), ("add", "blueprints"), ("commit", "-qm", "first")):
        subprocess.run([*git, *words], cwd=folder, check=True)
    file = folder / "blueprints/vm-smallest.yaml"
    file.write_text(file.read_text().replace("a2-highgpu-1g", "a2-highgpu-2g"))
    [(failed, text)] = ask(folder, Call("review", {"base": "main", "format": "markdown"}))
    assert (failed, "a2-highgpu-2g" in text) == (False, True)
    assert "exit code 4" in text
    (folder / "part").mkdir()
    refused = subprocess.run(
        [sys.executable, "-m", "clusterprint", "mcp"],
        cwd=folder / "part",
        input="",
        capture_output=True,
        text=True,
        check=False,
    )
    assert (refused.returncode, f"start it in {folder.resolve()}" in refused.stderr) == (2, True)


@pytest.mark.slow
@pytest.mark.terraform
def test_simulated_clouds_are_planned_and_looked_at(folder: Path, clusterprint: Run) -> None:
    made = clusterprint("up", "--yes", "--simulate", "sim", "first", cwd=folder)
    assert made.returncode == 0, made.stderr
    before = {each: each.read_bytes() for each in (folder / "sim").rglob("*") if each.is_file()}
    # Whatever Terraform is given, it writes down first.
    real = shutil.which("terraform") or shutil.which("tofu")
    programs, seen = folder.parent / "bin", folder.parent / "seen"
    programs.mkdir()
    (programs / "terraform").write_text(f'#!/bin/sh\nenv >> "{seen}"\nexec "{real}" "$@"\n')
    (programs / "terraform").chmod(0o755)
    secret = {
        "GOOGLE_APPLICATION_CREDENTIALS": "credentials-of-mine",
        "ARM_CLIENT_SECRET": "credentials-of-mine",
        "KUBECONFIG": "credentials-of-mine",
        "PATH": f"{programs}{os.pathsep}{os.environ['PATH']}",
    }
    planned, looked = ask(
        folder,
        Call("plan", {"paths": ["first"], "brief": True}),
        Call("status", {"paths": ["first"], "simulate": "sim"}),
        environment=secret,
    )
    assert "first: 23 changes" in planned[1]
    assert "as the blueprint says" in looked[1]
    assert "1 of 1 ready" in looked[1]
    assert [planned[0], looked[0]] == [False, False]
    assert before == {each: each.read_bytes() for each in before}
    assert "HOME=" in seen.read_text()
    assert "credentials-of-mine" not in seen.read_text()
    assert f"HOME={Path.home()}\n" not in seen.read_text()


REFUSED = {
    "a path that leads out": (Call("validate", {"paths": ["../outside.yaml"]}), "outside of the folder"),
    "an absolute path": (Call("show", {"blueprint": "/etc/passwd"}), "outside of the folder"),
    "a link": (Call("validate", {"paths": ["link.yaml"]}), "outside of the folder"),
    "a link of a folder": (Call("validate", {"in": ["up"]}), "outside of the folder"),
    "an option": (Call("validate", {"paths": ["--jobs=9"]}), "begins with -"),
    "standard input": (Call("show", {"blueprint": "-"}), "begins with -"),
    "a base that leads out": (Call("review", {"base": "up"}), "outside of the folder"),
    "a Terraform plan": (Call("review", {"base": "main", "plan": ["/etc/passwd"]}), "outside of the folder"),
    "an unknown argument": (Call("choose", {"gpus": 8, "gpu": "l4", "out": "x"}), "'out' was unexpected"),
    "a missing argument": (Call("review", {}), "'base' is a required property"),
    "another type": (Call("choose", {"gpus": "8", "gpu": "l4"}), "gpus: '8' is not of type 'integer'"),
    "a secret": (Call("show", {"blueprint": 1, "token": "hf_" + "aB3dE6gH9j" * 4}), "not of type 'string'"),
    "no simulated cloud": (
        Call("status", {"paths": ["first"], "simulate": "blueprints"}),
        "is no simulated cloud",
    ),
    "a real cloud": (Call("status", {"paths": ["first"]}), "'simulate' is a required property"),
    "an unknown tool": (Call("up", {}), "there is no tool 'up'"),
}


@pytest.mark.slow
@pytest.mark.process
def test_what_agents_may_not_is_refused(folder: Path) -> None:
    found = ask(folder, *(call for call, _ in REFUSED.values()))
    for (name, (_, said)), (failed, text) in zip(REFUSED.items(), found, strict=True):
        assert failed, name
        assert said in text, (name, text)
        assert "hf_aB3" not in text, name


def test_a_simulated_cloud_with_links_is_not_copied(folder: Path) -> None:
    (folder / "sim/cloud").mkdir(parents=True)
    (folder / "sim/cloud/contents.sqlite").write_text("")
    copy = copy_of_cloud("sim", folder, folder / "to")
    assert [each.name for each in copy.rglob("*") if each.is_file()] == ["contents.sqlite"]
    (folder / "sim/cloud/passwd").symlink_to("/etc/passwd")
    with pytest.raises(UsageError, match="it has links"):
        copy_of_cloud("sim", folder, folder / "to")


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., tuple[bool, str]]:
    """A command as the server runs it, with Terraform that writes its process id down and sleeps."""
    (tmp_path / "bin").mkdir()
    (tmp_path / "bin/terraform").write_text(f'#!/bin/sh\necho $$ > "{tmp_path}/pid"\nexec sleep 300\n')
    (tmp_path / "bin/terraform").chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}/bin{os.pathsep}{os.environ['PATH']}")

    def run(folder: Path, words: list[str], seconds: float) -> tuple[bool, str]:
        answer = anyio.run(mcp_server.run, words, folder, tmp_path, seconds)
        return answer.is_error, "\n".join(getattr(each, "text", "") for each in answer.content)

    return run


@pytest.mark.slow
@pytest.mark.process
def test_what_takes_too_long_is_ended_with_its_programs(
    run: Callable[..., tuple[bool, str]], folder: Path, tmp_path: Path
) -> None:
    for seconds in (8, 16, 32, 64, 128):  # until Terraform has started, on a slow machine
        failed, text = run(folder, ["plan", "--simulate"], seconds)
        assert (failed, text) == (True, f"not finished after {seconds} seconds: name fewer clusters")
        if (tmp_path / "pid").exists():
            break
    pid = int((tmp_path / "pid").read_text())
    for _ in range(100):
        if not Path(f"/proc/{pid}/cmdline").exists() or not Path(f"/proc/{pid}/cmdline").read_bytes():
            break
        time.sleep(0.1)
    else:
        pytest.fail(f"process {pid} still runs")


@pytest.mark.slow
@pytest.mark.process
def test_of_a_long_answer_the_beginning_is_kept(
    run: Callable[..., tuple[bool, str]], folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(mcp_server, "MOST", 1000)
    failed, text = run(folder, ["show", "first"], 100)
    assert not failed
    kept, _, rest = text.partition("\n... ")
    assert kept.startswith("# blueprints/vm-smallest.yaml: all values")
    assert len(kept.encode()) <= 1000
    assert "more bytes: name one cluster" in rest


def test_without_the_sdk_it_says_what_to_install(monkeypatch: pytest.MonkeyPatch, folder: Path) -> None:
    monkeypatch.chdir(folder)
    monkeypatch.setitem(sys.modules, "mcp.server.lowlevel", None)
    monkeypatch.delitem(sys.modules, "clusterprint.cli.mcp_server", raising=False)
    with pytest.raises(EnvironmentFailure, match=r"pip install 'mcp>=2\.3,<3'"):
        command.main([], standalone_mode=False)


def test_the_copy_of_a_simulated_cloud_has_its_capacity_locks(tmp_path: Path) -> None:
    """Without them, `status` would compare the copy with the first wish of each group."""
    for name in ("cloud/contents.sqlite", "capacity/0123/wish.capacity.lock", "stacks/log"):
        (tmp_path / "sim" / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "sim" / name).write_text(name)
    copy = copy_of_cloud("sim", tmp_path, tmp_path / "home")
    found = {each.relative_to(copy).as_posix() for each in copy.rglob("*") if each.is_file()}
    assert found == {"cloud/contents.sqlite", "capacity/0123/wish.capacity.lock"}
