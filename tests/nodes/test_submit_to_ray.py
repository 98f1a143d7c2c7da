"""`clusterprint submit` with Ray's own client and a real Ray; only the port-forward is played.

Ray is large, and has an environment of its own: `python tools/install_clis.py`.
"""

import os
import shutil
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest
from support import BLUEPRINTS, ROOT, Run

# Ports of Ray are those of the machine: one Ray at a time.
pytestmark = [pytest.mark.slow, pytest.mark.long, pytest.mark.xdist_group("ray")]

BIN = ROOT / ".cache/clis/ray/bin"
JAX = ROOT / "tests/data/fake_ray/jax"
# A port-forward to a port of this machine: two streams for each connection.
FORWARD = """\
#!{python}
import asyncio, sys
async def copy(reader, writer):
    while data := await reader.read(65536):
        writer.write(data)
        await writer.drain()
    writer.close()
async def serve(reader, writer):
    there = await asyncio.open_connection("127.0.0.1", {there})
    await asyncio.gather(copy(reader, there[1]), copy(there[0], writer), return_exceptions=True)
async def main():
    here = int(sys.argv[-1].partition(":")[0])
    async with await asyncio.start_server(serve, "localhost", here) as server:
        await server.serve_forever()
asyncio.run(main())
"""
PROGRAM = """\
import os, sys, ray
ray.init()
squares = ray.get([ray.remote(lambda x: x * x).remote(x) for x in range(4)])
print("squares", squares, "beside", sorted(os.listdir(".")))
sys.exit(int(sys.argv[1]))
"""


@pytest.fixture(scope="module")
def cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, str]]:
    """An environment with Ray's client, and a kubectl that leads to the dashboard of a Ray that runs."""
    python = BIN / "python"
    probe = "import ray, aiohttp"
    if (
        not python.exists()
        or subprocess.run([python, "-c", probe], capture_output=True, check=False).returncode
    ):
        message = "needs Ray: run `python tools/install_clis.py` (index of Python packages)"
        pytest.fail(message) if os.environ.get("CI") else pytest.skip(message)
    port, agent = _free_port(), _free_port()
    # Sockets have short names.
    folder = Path("/tmp") / f"cp-ray-{os.getpid()}"  # noqa: S108
    words = ["start", "--head", "--block", "--port=0", f"--dashboard-port={port}", f"--temp-dir={folder}"]
    words += [
        "--node-ip-address=127.0.0.1",
        "--disable-usage-stats",
        f"--dashboard-agent-listen-port={agent}",
    ]
    sizes = ["--num-cpus=2", '--resources={"TPU": 16}', f"--object-store-memory={100 << 20}"]
    packages = tmp_path_factory.mktemp("packages")
    (packages / "jax").symlink_to(JAX)
    known = {**os.environ, "PYTHONPATH": str(packages), "PATH": f"{BIN}{os.pathsep}{os.environ['PATH']}"}
    process = subprocess.Popen([BIN / "ray", *words, *sizes], env=known, stdout=subprocess.DEVNULL)
    try:
        _wait_for(f"http://127.0.0.1:{port}/api/version", process)
        # It starts jobs, and comes after the dashboard.
        _wait_for(f"http://127.0.0.1:{agent}/api/local_raylet_healthz", process)
        programs = tmp_path_factory.mktemp("bin")
        (programs / "kubectl").write_text(FORWARD.format(python=sys.executable, there=port))
        (programs / "kubectl").chmod(0o755)
        yield {"PATH": os.pathsep.join([str(programs), str(BIN), os.environ["PATH"]])}
    finally:
        process.terminate()
        process.wait()
        shutil.rmtree(folder, ignore_errors=True)


def _free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as server:
        return int(server.getsockname()[1])


def _wait_for(url: str, process: "subprocess.Popen[bytes]") -> None:
    for _ in range(600):
        assert process.poll() is None
        with suppress(OSError), urllib.request.urlopen(url, timeout=5):  # noqa: S310 - ours
            return
        time.sleep(0.2)
    raise AssertionError(f"nothing answers at {url}")


@pytest.mark.parametrize("code", [0, 1])
def test_a_program_runs_with_its_folder_and_ends_as_it_ends(
    cluster: dict[str, str], clusterprint: Run, tmp_path: Path, code: int
) -> None:
    (tmp_path / "program.py").write_text(PROGRAM)
    (tmp_path / "data.txt").write_text("4")
    blueprint = BLUEPRINTS / "ray-l4-dev.yaml"
    words = ("submit", blueprint, "--port", str(_free_port()), "--working-dir", tmp_path)
    done = clusterprint(*words, "--", "python", "program.py", str(code), env=cluster)
    said = done.stdout + done.stderr
    assert "squares [0, 1, 4, 9] beside ['data.txt', 'program.py']" in said
    assert ("succeeded" if code == 0 else "failed") in said
    assert done.returncode == code, said


def test_the_job_of_the_shipped_tpu_cluster_counts_its_chips(
    cluster: dict[str, str], clusterprint: Run
) -> None:
    """The very line of the blueprint; JAX, and the chips that Ray is told of, play along."""
    from clusterprint.load import load

    file = BLUEPRINTS / "ray-tpu-v6e.yaml"
    document = load(file, file.name).document
    assert document is not None
    [job] = document.data["ray"]["jobs"]
    words = ("submit", file, "--port", str(_free_port()), "--", "sh", "-c", job["entrypoint"])
    done = clusterprint(*words, env=cluster)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "\n16\n" in done.stdout + done.stderr
