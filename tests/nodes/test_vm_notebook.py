"""JupyterLab on machines of kind vm."""

import re
from pathlib import Path

import pytest
from nodes.vm_machine import MakeVmMachine, VmMachine

import clusterprint.nodes

LIST = Path(clusterprint.nodes.__file__).parent / "vm/files/notebook/etc/clusterprint/notebook.txt"
TOKEN = "0123456789abcdef"  # noqa: S105 - made up

# It makes an environment in which jupyter is the next one.
PYTHON = """
case "$*" in
--version) echo "Python $(cat "$WORLD/version")" ;;
*version_info*) [[ $("$REAL/cat" "$WORLD/version") != 3.9.* ]] ;;
*ensurepip*) [[ ! -e $WORLD/without-ensurepip ]] ;;
"-m venv "*)
    "$REAL/mkdir" -p "$3/bin"
    "$REAL/cp" "$WORLD/pip-of-it" "$3/bin/python"
    "$REAL/cp" "$WORLD/jupyter" "$3/bin/jupyter"
    "$REAL/chmod" 755 "$3/bin/python" "$3/bin/jupyter" ;;
esac
"""
# It notes how it is started, and from then on it is there.
JUPYTER = """#!/bin/bash
case "$1 $2" in
"server list")
    [[ ! -e $WORLD/running ]] ||
        printf '{"base_url": "/", "pid": %s, "port": 8888, "token": "TOKEN", "url": "x"}\\n' $PPID ;;
"server stop") rm "$WORLD/running" ;;
lab*) printf '%s\\n' "$*" >>"$WORLD/lab"; [[ -e $WORLD/taken ]] || touch "$WORLD/running" ;;
esac
""".replace("TOKEN", TOKEN)


def node_with(vm_machine: MakeVmMachine) -> VmMachine:
    node = vm_machine(notebook_port=8888)
    (node.state / "version").write_text("3.12.3\n")
    (node.state / "jupyter").write_text(JUPYTER)
    (node.state / "pip-of-it").write_text(
        '#!/bin/bash\nprintf "%s\\n" "$*" >>"$WORLD/pip"\n[[ ! -e $WORLD/offline ]]\n'
    )
    for name in ("cp", "setsid"):
        (node.bin / name).unlink(missing_ok=True)
        (node.bin / name).symlink_to(f"/usr/bin/{name}")
    node.fake("python3", PYTHON)
    node.fake("apt-get")
    node.fake("tail", '[[ $1 == --pid=* ]] || exec "$REAL/tail" "$@"')
    return node


def installs(node: VmMachine) -> list[str]:
    file = node.state / "pip"
    return file.read_text("utf-8").splitlines() if file.exists() else []


def test_every_wheel_is_known_by_its_hash() -> None:
    lines = [line for line in LIST.read_text("utf-8").splitlines() if not line.startswith("#")]
    assert len(lines) > 50
    for line in lines:
        assert re.match(r"[a-z0-9-]+==[0-9][^ ]*( ; [^-]+)?( --hash=sha256:[0-9a-f]{64})+$", line), line


def test_it_is_installed_once_from_the_list_alone(vm_machine: MakeVmMachine) -> None:
    node = node_with(vm_machine)
    assert node.boot().returncode == 0, node.log()
    (call,) = installs(node)
    for option in ("--require-hashes", "--only-binary :all:", "--no-deps"):
        assert option in call
    assert node.boot().returncode == 0
    assert len(installs(node)) == 1
    (node.state / "version").write_text("3.13.1\n")
    node.boot()
    assert len(installs(node)) == 2, "another Python is another place"


def test_what_was_interrupted_is_begun_anew(vm_machine: MakeVmMachine) -> None:
    node = node_with(vm_machine)
    (node.state / "offline").touch()
    assert node.boot().returncode == 1
    assert "no internet access" in node.status()["steps"][0]["message"]
    (node.state / "offline").unlink()
    assert node.run("run-steps").returncode == 0
    assert node.steps() == {"notebook": "done"}


def test_debian_has_a_part_of_python_in_a_package(vm_machine: MakeVmMachine) -> None:
    node = node_with(vm_machine)
    (node.state / "without-ensurepip").touch()
    assert node.boot().returncode == 0, node.log()
    assert node.calls("apt-get")[-1].endswith("install python3-venv")


def test_an_old_python_is_said(vm_machine: MakeVmMachine) -> None:
    node = node_with(vm_machine)
    (node.state / "version").write_text("3.9.18\n")
    assert node.boot().returncode == 1
    assert "Python 3.10 to 3.13" in node.status()["steps"][0]["message"]


def test_whoever_asks_starts_their_own_on_this_machine_only(vm_machine: MakeVmMachine) -> None:
    node = node_with(vm_machine)
    node.boot()
    done = node.run("clusterprint-notebook")
    assert done.stdout == f"http://localhost:8888/lab?token={TOKEN}\n", done.stderr
    started = (node.state / "lab").read_text("utf-8")
    assert "--ip=127.0.0.1 --port=8888" in started
    assert TOKEN not in started
    assert (node.home / ".local/share/clusterprint").stat().st_mode & 0o77 == 0
    node.run("clusterprint-notebook")
    assert len((node.state / "lab").read_text("utf-8").splitlines()) == 1, "it is found the second time"
    assert node.run("clusterprint-notebook", "stop").returncode == 0
    assert node.run("clusterprint-notebook", "stop").returncode == 1


@pytest.mark.parametrize(
    ("state", "arguments", "said"),
    [("taken", (), "already in use"), ("x", ("now",), "usage"), ("x", ("stop",), "you have no notebook")],
)
def test_what_does_not_work_is_said(
    vm_machine: MakeVmMachine, state: str, arguments: tuple[str, ...], said: str
) -> None:
    node = node_with(vm_machine)
    node.boot()
    (node.state / state).touch()
    done = node.run("clusterprint-notebook", *arguments)
    assert done.returncode == 1
    assert said in done.stderr
    assert done.stdout == ""


def test_before_it_is_installed_nobody_can_start_it(vm_machine: MakeVmMachine) -> None:
    node = node_with(vm_machine)
    (node.state / "offline").touch()
    node.boot()
    assert "clusterprint-status shows" in node.run("clusterprint-notebook").stderr
