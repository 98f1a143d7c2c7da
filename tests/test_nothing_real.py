"""A simulated cloud is all that a command with --simulate meets: no program, no API of a real one."""

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
#: Nodes and jobs cannot be reached in a simulated cloud; `status` says so, and tells the rest.
EXPECTED: dict[tuple[str, ...], set[Code]] = {
    ("ssh",): {Code.WRONG_USAGE},
    ("logs",): {Code.WRONG_USAGE},
    ("status",): {Code.DONE, Code.FAILED},
    ("env-file",): {Code.CHANGES},
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

        threading.Thread(target=refuse, daemon=True).start()
        for name in ("HTTPS_PROXY", "HTTP_PROXY", "https_proxy", "http_proxy"):
            patch.setenv(name, f"http://127.0.0.1:{server.getsockname()[1]}")
        for name in ("NO_PROXY", "no_proxy"):
            patch.setenv(name, "localhost,127.0.0.1,::1")
        yield asked


def test_all_kinds_are_tried() -> None:
    assert CLUSTERS.keys() == KINDS.keys()


@pytest.mark.parametrize("kind", [pytest.param("vm", marks=pytest.mark.covering), "gke", "ray", "vmss"])
def test_no_program_and_no_api_of_a_real_cloud_is_met(
    kind: str, clusterprint: Run, tmp_path: Path, reached: list[str]
) -> None:
    real = StandIns(tmp_path / "bin", gcloud=[], az=[], kubectl=[], ssh=[], helm=[])
    (tmp_path / "env.list").write_text(FIRST.replace("ACTION=Create", "ACTION=plan"))
    (tmp_path / "scripts").mkdir()
    (tmp_path / "scripts/ready.txt").write_text("")
    first, last = ("up",), ("down",)
    for words in (first, *sorted(SIMULATING.keys() - {first, last}), last):
        options = ("--run", "--yes", "--include-data")
        given = arguments(SIMULATING[words], BLUEPRINTS / f"{CLUSTERS[kind]}.yaml", tmp_path, *options)
        done = clusterprint(*words, *given, env=real.first, cwd=tmp_path)
        assert (real.calls, reached) == ([], []), words
        said = done.stdout + done.stderr
        assert done.returncode in EXPECTED.get(words, {Code.DONE}), said


def test_what_is_refused_names_the_command(clusterprint: Run, tmp_path: Path) -> None:
    real = StandIns(tmp_path / "bin", gcloud=[], kubectl=[])
    for words, program in (
        (("ssh", "first"), "gcloud compute ssh first-0"),
        (("ssh", "ray-dev"), "kubectl --context=gke_"),
        (("logs", "first"), "gcloud compute ssh first-0"),
        (("logs", "first", "--serial"), "gcloud compute instances get-serial-port-output first-0"),
    ):
        done = clusterprint(*words, "--simulate", tmp_path / "sim", env=real.first)
        assert (done.returncode, real.calls) == (2, [])
        assert "nodes and jobs are not simulated, and nothing was run" in done.stderr
        assert f"would run: {program}" in done.stderr
        assert clusterprint(*words, "--simulate", tmp_path / "sim", "--print").stdout.startswith(program)
