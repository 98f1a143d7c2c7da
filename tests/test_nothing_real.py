"""A simulated cloud is all that a command with --simulate meets: no program, no API of a real one."""

import re
import shlex
import socket
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from every_command import arguments, every_command, simulation
from stand_ins import StandIns
from support import BLUEPRINTS, Run
from test_env_file import FIRST

from clusterprint.blueprint import KINDS
from clusterprint.exit_codes import Code

pytestmark = [pytest.mark.slow, pytest.mark.terraform]

CLUSTERS = {"vm": "vm-smallest", "gke": "gke-mpi-hpl", "ray": "ray-l4-dev", "vmss": "vmss-nc-dev"}
SIMULATING = {words: command for words, command in every_command() if simulation(command)}
#: What is not the same for a cluster of kind ray as for one of kind gke.
OF_RAY = {
    *(
        (each,)
        for each in ("up", "status", "ssh", "logs", "submit", "results", "kubeconfig", "dashboard", "down")
    ),
    *(("jobs", each) for each in ("list", "watch", "cancel")),
}
#: What not every kind has is refused: a shell on nodes of GKE, a job of machines, a kubeconfig.
EXPECTED: dict[tuple[str, ...], set[Code]] = {
    **{
        (each,): {Code.DONE, Code.WRONG_USAGE}
        for each in ("ssh", "logs", "submit", "results", "kubeconfig", "dashboard")
    },
    ("jobs", "list"): {Code.DONE, Code.WRONG_USAGE},
    ("jobs", "watch"): {Code.DONE, Code.WRONG_USAGE},
    ("jobs", "cancel"): {Code.WRONG_USAGE},  # no job is named
    ("env-file",): {Code.CHANGES},
    ("prove",): {Code.WRONG_USAGE},  # the cluster exists
    # A blueprint of Azure does not say where the bucket is to be.
    ("init", "state"): {Code.DONE, Code.WRONG_USAGE},
}


@pytest.fixture
def reached() -> Iterator[list[str]]:
    """The requests to a proxy: all requests to the clouds' APIs go there, and no further."""
    asked: list[str] = []
    with socket.create_server(("127.0.0.1", 0)) as server, pytest.MonkeyPatch.context() as patch:

        def refuse() -> None:
            while True:
                try:
                    connection, _ = server.accept()
                except OSError:
                    return
                with connection:
                    asked.append(connection.recv(1000).decode(errors="replace"))

        refusing = threading.Thread(target=refuse, daemon=True)
        refusing.start()
        for name in ("HTTPS_PROXY", "HTTP_PROXY", "https_proxy", "http_proxy"):
            patch.setenv(name, f"http://127.0.0.1:{server.getsockname()[1]}")
        for name in ("NO_PROXY", "no_proxy"):
            patch.setenv(name, "localhost,127.0.0.1,::1")
        yield asked
        # A thread that waits on a closed socket takes connections of whoever gets its number next.
        server.shutdown(socket.SHUT_RDWR)
        refusing.join()


def test_all_kinds_are_tried() -> None:
    assert CLUSTERS.keys() == KINDS.keys()
    assert SIMULATING.keys() >= OF_RAY


@pytest.mark.parametrize("kind", [pytest.param("vm", marks=pytest.mark.covering), "gke", "ray", "vmss"])
def test_no_program_and_no_api_of_a_real_cloud_is_met(
    kind: str, clusterprint: Run, tmp_path: Path, reached: list[str]
) -> None:
    real = StandIns(tmp_path / "bin", gcloud=[], az=[], kubectl=[], ssh=[], helm=[], ray=[])
    (tmp_path / "env.list").write_text(FIRST.replace("ACTION=Create", "ACTION=plan"))
    (tmp_path / "scripts").mkdir()
    (tmp_path / "scripts/ready.txt").write_text("")
    first, last = ("up",), ("down",)
    tried = SIMULATING.keys() & OF_RAY if kind == "ray" else SIMULATING.keys()
    for words in (first, *sorted(tried - {first, last}), last):
        options = ("--run", "--yes", "--include-data")
        given = arguments(SIMULATING[words], BLUEPRINTS / f"{CLUSTERS[kind]}.yaml", tmp_path, *options)
        done = clusterprint(*words, *given, env=real.first, cwd=tmp_path)
        assert (real.calls, reached) == ([], []), words
        said = done.stdout + done.stderr
        assert done.returncode in EXPECTED.get(words, {Code.DONE}), said
        if words == first:
            _follow(done.stdout, clusterprint, tmp_path, real)
            if kind in ("gke", "ray"):
                _look_inside(clusterprint, BLUEPRINTS / f"{CLUSTERS[kind]}.yaml", tmp_path, real)


def _look_inside(clusterprint: Run, blueprint: Path, folder: Path, real: StandIns) -> None:
    """The two other questions of `status`: nothing waits, and of what there is, nothing differs."""
    asked = ("status", blueprint, "--simulate", folder / "sim")
    waits = clusterprint(*asked, "--why", env=real.first, cwd=folder)
    assert (waits.returncode, "nothing waits" in waits.stdout) == (Code.DONE, True), (
        waits.stdout + waits.stderr
    )
    conform = clusterprint(*asked, "--conform", env=real.first, cwd=folder)
    assert " 0 differences in " in conform.stdout, conform.stdout + conform.stderr
    assert "a simulated cloud has only nodes and jobs" in conform.stdout
    assert conform.returncode == Code.FAILED  # not everything could be compared


def _follow(said: str, clusterprint: Run, folder: Path, real: StandIns) -> None:
    """What is printed after `up` as the next commands works where it is printed."""
    commands = re.findall(r": clusterprint (.*)", said.partition("What next:")[2])
    assert any(each.startswith("status --simulate ") for each in commands), said
    for each in commands:
        words = shlex.split(each)
        if words[0] != "down":
            done = clusterprint(*words, env=real.first, cwd=folder)
            assert done.returncode == Code.DONE, (each, done.stdout + done.stderr)
    assert not real.calls
