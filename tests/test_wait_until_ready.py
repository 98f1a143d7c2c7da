"""The script that an apply of `kind: vm` waits by, with a gcloud that answers from files."""

import re
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from clusterprint.nodes import deploy

pytestmark = pytest.mark.process

BASH = str(shutil.which("bash"))
SCRIPT = Path(deploy.__file__).parent / deploy.WAIT_UNTIL_READY
# It says what the file of a node has in its first line, and drops that line, except for the last one.
GCLOUD = """#!/bin/bash
if [[ $* == *wait-until* ]]; then
    printf '%s\\n' "$*" >>"$WORLD/rolled"
    [[ ! -e $WORLD/rolling ]]
    exit
fi
node="$4"
[[ $* == *--project=p\\ --zone=z-$node* ]] || exit 9
if [[ $* == *describe* ]]; then
    cat "$WORLD/status-of-$node"
    exit 0
fi
[[ $* != *clusterprint/status* ]] || { printf '{"message": "50-buckets: no access"}\\n'; exit 0; }
if [[ -e $WORLD/refused ]]; then
    printf 'ERROR: Required compute.instances.getGuestAttributes permission\\n' >&2
    exit 1
fi
printf '%s\\n' "$node" >>"$WORLD/asked"
[[ ! -e $WORLD/slow ]] || /bin/sleep 2.1
head -n 1 "$WORLD/$node"
[[ $(wc -l <"$WORLD/$node") -lt 2 ]] || sed -i 1d "$WORLD/$node"
"""

Wait = Callable[..., "subprocess.CompletedProcess[str]"]


@pytest.fixture
def wait(tmp_path: Path) -> Wait:
    tools = tmp_path / "bin"
    tools.mkdir()
    for name, text in (("gcloud", GCLOUD), ("sleep", "#!/bin/bash\n")):
        (tools / name).write_text(text)
        (tools / name).chmod(0o755)

    def run(
        timeout: int = 60, without: str = "", replaced: str = "", stopped: str = "", **states: str
    ) -> "subprocess.CompletedProcess[str]":
        for name, text in states.items():
            (tmp_path / name).write_text(text)
        if without:
            (tools / without).unlink()
        return subprocess.run(
            [BASH, SCRIPT],
            env={
                "PATH": f"{tools}:/usr/bin:/bin" if not without else str(tools),
                "WORLD": str(tmp_path),
                "PROJECT": "p",
                "NODES": " ".join(f"z-{name}/{name}" for name in states if name != "slow"),
                "REPLACED": replaced,
                "MAY_BE_STOPPED": stopped,
                "SECONDS_TO_WAIT": str(timeout),
            },
            capture_output=True,
            text=True,
            check=False,
        )

    return run


def test_it_ends_when_all_are_ready_and_asks_nobody_twice_who_is(wait: Wait, tmp_path: Path) -> None:
    done = wait(a="ready\n", b="\nrunning\nready\n")
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines() == ["a is ready", "b is ready", "all nodes are ready"]
    assert sorted((tmp_path / "asked").read_text().split()) == ["a", "b", "b", "b"]


def test_a_node_that_slurm_has_stopped_is_not_waited_for(wait: Wait, tmp_path: Path) -> None:
    for name, status in (("a", "TERMINATED"), ("b", "RUNNING"), ("c", "TERMINATED")):
        (tmp_path / f"status-of-{name}").write_text(f"{status}\n")
    done = wait(timeout=1, stopped="a b", a="\n", b="\nready\n", c="\nready\n")
    assert done.stdout.splitlines() == [
        "a is stopped: Slurm starts it for jobs",
        "b is ready",
        "c is ready",
        "all nodes are ready",
    ]


def test_a_node_that_failed_ends_it_at_once_with_the_reason(wait: Wait) -> None:
    done = wait(a="running\n", b="failed\n")
    assert done.returncode == 1
    assert "50-buckets: no access" in done.stderr
    assert "the setup of b failed. Why: gcloud compute ssh b --project=p --zone=z-b" in done.stderr


def test_after_the_time_it_says_who_is_left_and_what_to_do(wait: Wait) -> None:
    done = wait(timeout=1, a="ready\n", b="running\n")
    assert done.returncode == 1
    assert "not ready after 1 s: z-b/b." in done.stderr
    assert "apply again" in done.stderr


def test_who_may_not_ask_is_told_at_once(wait: Wait) -> None:
    done = wait(a="running\n", refused="")
    assert done.returncode == 1
    assert "gcloud may not ask the nodes: ERROR: Required compute.instances.getGuestAttributes" in done.stderr


def test_without_gcloud_it_says_what_is_needed(wait: Wait) -> None:
    done = wait(without="gcloud", a="ready\n")
    assert done.returncode == 1
    assert "this needs the command gcloud" in done.stderr


def test_sixteen_are_asked_at_once_and_nobody_after_the_time(wait: Wait, tmp_path: Path) -> None:
    nodes = [f"n{number:02}" for number in range(20)]
    done = wait(timeout=2, slow="", **dict.fromkeys(nodes, "running\n"))
    assert done.returncode == 1
    assert f"not ready after 2 s: {' '.join(f'z-{each}/{each}' for each in nodes)}." in done.stderr
    assert sorted((tmp_path / "asked").read_text().split()) == nodes[:16]


def test_all_of_several_batches_are_asked(wait: Wait) -> None:
    nodes = [f"n{number:02}" for number in range(40)]
    done = wait(**dict.fromkeys(nodes, "ready\n"))
    assert done.stdout.splitlines() == [*(f"{each} is ready" for each in nodes), "all nodes are ready"]


def test_without_nodes_it_ends_at_once_also_in_an_old_bash(wait: Wait) -> None:
    assert wait().stdout == "all nodes are ready\n"
    # Before version 4.4 an empty list is an unset variable.
    bare = re.findall(r'(?<![+])"\$\{\w+\[@\]\}"', SCRIPT.read_text("utf-8"))
    assert bare == []


def test_nodes_that_are_being_replaced_are_not_asked(wait: Wait, tmp_path: Path) -> None:
    done = wait(replaced="z-1/c-nodes z-2/d-nodes", a="ready\n")
    assert done.returncode == 0, done.stderr
    asked = [line.rpartition("=")[0] for line in (tmp_path / "rolled").read_text().splitlines()]
    command = "--quiet compute instance-groups managed wait-until"
    assert asked == [
        f"{command} {name} --project=p --zone={zone} --version-target-reached --timeout"
        for zone, name in (("z-1", "c-nodes"), ("z-2", "d-nodes"))
    ]
    (tmp_path / "asked").unlink()
    (tmp_path / "rolling").touch()
    done = wait(replaced="z-1/c-nodes", a="ready\n")
    assert done.returncode == 1
    assert "c-nodes has not replaced its nodes" in done.stderr
    assert not (tmp_path / "asked").exists()
