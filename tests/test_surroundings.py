"""Every command where a machine lacks what others have: a home, a stream, a folder of sane depth."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from every_command import Words, arguments, every_command
from support import BLUEPRINTS, ROOT, Run
from test_env_file import FIRST

from clusterprint.find import find

COMMANDS = dict(every_command())
#: What lets commands end by themselves, and do as much as they can without an account.
MORE = ("--plan-only", "--offline", "--check", "--run")
#: How a command starts; for a user that this system does not know, there is no home to be found either.
START = ("-m", "clusterprint")
UNKNOWN = (
    "-c",
    "import pwd, runpy; pwd.getpwuid = {}.__getitem__; runpy.run_module('clusterprint', run_name='__main__')",
)
HOMES = {
    "that does not exist": ("/proc/nonexistent", START),
    "that is read-only": ("/sys", START),
    "of nobody": (None, UNKNOWN),
}
#: Commands that write to a home, or start programs which do; the others have the one that fails most.
KEEPING = {("show",), ("synth",), ("up",), ("kubeconfig",), ("ssh",), ("dashboard",), ("submit",)}


def laid(folder: Path) -> Path:
    """A folder for a command, with an env file."""
    (folder / "scripts").mkdir()
    (folder / "scripts/ready.txt").write_text("")
    (folder / "env.list").write_text(FIRST.replace("ACTION=Create", "ACTION=plan"))
    return folder


@pytest.mark.process
@pytest.mark.slow
@pytest.mark.parametrize(
    ("words", "home"),
    [
        pytest.param(
            words, home, id=f"{' '.join(words)}-{home}", marks=() if words == ("show",) else pytest.mark.long
        )
        for words in COMMANDS
        for home in (HOMES if words in KEEPING else ["of nobody"])
    ],
)
def test_a_command_needs_no_home(words: Words, home: str, tmp_path: Path) -> None:
    """It works, or says what is missing; caches are only for speed."""
    place, start = HOMES[home]
    given = arguments(COMMANDS[words], BLUEPRINTS / "vm-smallest.yaml", laid(tmp_path), *MORE)
    kept = {
        name: value
        for name, value in os.environ.items()
        if name != "HOME" and not name.startswith(("XDG_", "CLUSTERPRINT", "JSII"))
    }
    done = subprocess.run(
        [sys.executable, *start, *words, *map(str, given)], cwd=tmp_path, stdin=subprocess.DEVNULL,
        env={**kept, **({"HOME": place} if place else {}), "PYTHONPATH": str(ROOT)},
        capture_output=True, text=True, check=False, timeout=300,
    )  # fmt: skip
    assert "clusterprint failed" not in done.stderr
    assert "Traceback" not in done.stderr
    unasked = "could not be checked" in done.stdout  # as doctor says with exit code 3
    # 6: nobody could be asked for a confirmation.
    assert done.returncode in {0, 1, 2, 4, 6} or unasked or "error: " in done.stderr, done.stderr


ALL_STREAMS = "<&- >&- 2>&-"


@pytest.mark.process
@pytest.mark.slow
@pytest.mark.parametrize(
    ("words", "closed"),
    [
        *(pytest.param(("list",), each, id=f"list {each}") for each in ("<&-", ">&-", "2>&-")),
        *(pytest.param(each, ALL_STREAMS, id=" ".join(each)) for each in COMMANDS),
    ],
)
def test_a_closed_stream_is_the_null_device(
    words: Words, closed: str, clusterprint: Run, tmp_path: Path
) -> None:
    """The exit code is that of the same command with open streams."""
    wrong = tmp_path / "wrong.yaml"
    wrong.write_text((BLUEPRINTS / "vm-smallest.yaml").read_text().replace("a2-highgpu-1g", "a2-nothing"))
    given = arguments(COMMANDS[words], wrong, tmp_path, *MORE)
    typed = ["sh", "-c", f'exec "$@" {closed}', "sh", sys.executable, "-m", "clusterprint", *words, *given]
    done = subprocess.run(
        typed, cwd=tmp_path, env={**os.environ, "PYTHONPATH": str(ROOT)}, stdin=subprocess.DEVNULL,
        capture_output=True, text=True, check=False, timeout=120,
    )  # fmt: skip
    assert "clusterprint failed" not in done.stderr
    assert "Traceback" not in done.stderr
    for made in tmp_path.glob("clusterprint-proof.*"):  # keys, which are never overwritten
        made.unlink()
    assert done.returncode == clusterprint(*words, *given, cwd=tmp_path).returncode


def test_a_folder_may_be_deeper_than_python_calls(tmp_path: Path) -> None:
    (tmp_path / "first.yaml").write_text("clusterprint: v1\n")
    here = Path.cwd()
    try:
        os.chdir(tmp_path)
        for level in range(3000):
            if level == 1500:
                Path("deep.yaml").write_text("clusterprint: v1\n")
            Path("d").mkdir()
            os.chdir("d")
        found = find([tmp_path])
    finally:
        os.chdir(here)
        subprocess.run(["rm", "-r", tmp_path / "d"], check=True)
    assert [each.name for each in found] == ["first.yaml", "deep.yaml"]
