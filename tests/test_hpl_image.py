"""The image of the sample of High-Performance Linpack: built from its Dockerfile, and run as its job is."""

import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from containers import Engine, Image
from nodes.conftest import need
from pods import Pods
from support import BLUEPRINTS

from clusterprint.derived import names
from clusterprint.examine import examine
from clusterprint.image import lock
from clusterprint.plan.gke.mpi import MpiJobPlan
from clusterprint.plan.gke.workloads import GkeWorkloadsPlan
from clusterprint.resolve import resolve

CONTEXT = BLUEPRINTS / "hpl"
# What the operator gives a launcher with Open MPI, and where it lays the list of workers.
OPERATOR = {
    "K_MPI_JOB_ROLE": "launcher",
    "OMPI_MCA_orte_keep_fqdn_hostnames": "true",
    "OMPI_MCA_orte_default_hostfile": "/etc/mpi/hostfile",
    "OMPI_MCA_plm_rsh_args": "-o ConnectionAttempts=10",
}


def jobs(folder: Path) -> tuple[MpiJobPlan, ...]:
    """The command of the sample, if it is in this folder."""
    [found] = examine([folder / "gke-hpl.yaml"]).results
    assert found.blueprint
    _, inside = resolve(found.blueprint, folder)
    assert isinstance(inside, GkeWorkloadsPlan)
    assert inside.mpi
    return inside.mpi.jobs


@pytest.fixture
def job(tmp_path: Path) -> MpiJobPlan:
    """The job of the sample once its image has been built."""
    folder = tmp_path / "blueprints"
    shutil.copytree(BLUEPRINTS, folder)
    built = lock.Lock(image="a/hpl", digest=f"sha256:{'a' * 64}", inputs="b" * 64)
    lock.write(built, folder / names.build_lock("hpl-built", "hpl"))
    [job] = jobs(folder)
    return job


def test_the_sample_runs_once_its_image_has_been_built(job: MpiJobPlan) -> None:
    """And not before: a lock file that came with it would name an image that nobody can pull."""
    assert jobs(BLUEPRINTS) == ()
    assert job.pods.image.endswith(f"/hpl@sha256:{'a' * 64}")


@pytest.mark.parametrize(
    ("rank", "written", "status"),
    [
        ("0", "||Ax-b|| ... PASSED", 0),
        ("0", "||Ax-b|| ... PASSED\n||Ax-b|| ... FAILED", 1),
        ("0", "Illegal input in file hpccinf.txt.", 1),
        ("1", "", 0),
    ],
)
def test_a_wrong_solution_is_a_run_that_failed(rank: str, written: str, status: int, tmp_path: Path) -> None:
    """With the suite's place taken: it says that it succeeded, whatever it has solved."""
    for name, folder in (("hpl", "bin"), ("suite.txt", "share/hpl")):
        (tmp_path / folder).mkdir(parents=True)
        shutil.copy(CONTEXT / name, tmp_path / folder)
    (tmp_path / "HPL.dat").write_text("40960 Ns\n")
    suite = tmp_path / "bin/hpcc"
    suite.write_text('#!/bin/sh\n[ -z "$WRITTEN" ] || { cat hpccinf.txt; echo "$WRITTEN"; } >hpccoutf.txt\n')
    suite.chmod(0o755)
    done = subprocess.run(
        [tmp_path / "bin/hpl"],
        cwd=tmp_path,
        env={"PATH": f"{tmp_path}/bin:/usr/bin:/bin", "OMPI_COMM_WORLD_RANK": rank, "WRITTEN": written},
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stderr) == (status, "")
    first = f"40960 Ns\n{(CONTEXT / 'suite.txt').read_text()}" if rank == "0" else ""
    assert done.stdout == f"{first}{written}\n" * (rank == "0")


@pytest.mark.process
def test_the_linters_find_nothing_in_its_image() -> None:
    tools = Path(sys.executable).parent
    for command in (
        [tools / "hadolint", CONTEXT / "Dockerfile"],
        [tools / "shellcheck", CONTEXT / "hpl", CONTEXT / "mpi-worker"],
    ):
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        assert (done.returncode, done.stdout) == (0, "")


def test_its_dockerfile_is_one_that_cloud_build_builds() -> None:
    """Which we tell to do without BuildKit; what builds here has all of its options."""
    assert re.findall(r"^(?:COPY|ADD|RUN) --\S+|<<", (CONTEXT / "Dockerfile").read_text(), re.MULTILINE) == []


@pytest.fixture(scope="module")
def image(engine: Engine) -> Image:
    need("ip", "nsenter", "ssh-keygen")
    return engine.build("hpl", CONTEXT, "DEBIAN")


@pytest.fixture
def pods(job: MpiJobPlan, tmp_path: Path) -> Iterator[Pods]:
    made = Pods([f"{job.name}-launcher", *workers(job)], tmp_path)
    yield made
    made.close()


def workers(job: MpiJobPlan) -> list[str]:
    """Names of workers, as the operator lists them."""
    return [
        f"{job.name}-worker-{number}.{job.name}.{job.namespace}.svc.cluster.local"
        for number in range(job.workers.count)
    ]


def laid(job: MpiJobPlan, folder: Path) -> dict[Path, str]:
    """The files of operator and stack in the pods: keys, the list of workers, files."""
    keys, lists = folder / "ssh", folder / "mpi"
    keys.mkdir()
    lists.mkdir()
    key = keys / "id_rsa"  # which is its name, whatever it is
    subprocess.run(
        ["ssh-keygen", "-q", "-t", "ecdsa", "-b", "521", "-m", "PEM", "-N", "", "-f", key], check=True
    )
    shutil.copy(keys / "id_rsa.pub", keys / "authorized_keys")
    for each in keys.iterdir():
        each.chmod(0o644)  # of a secret, for users other than root; and root's it is
    (lists / "hostfile").write_text("".join(f"{each} slots={job.slots}\n" for each in workers(job)))
    assert job.files
    [data] = job.files.texts.values()
    [destination] = job.files.destinations.values()
    assert data.count("40960 ") == data.count("192 ") == 1
    file = folder / "HPL.dat"
    file.write_text(data.replace("40960 ", "64 ").replace("192 ", "16 "))
    return {keys: job.ssh_path or str(Path("/root", ".ssh")), lists: "/etc/mpi", file: destination}


@pytest.mark.slow
@pytest.mark.long
@pytest.mark.xdist_group("containers")
def test_the_image_solves_on_workers_that_its_launcher_reaches(
    image: Image, job: MpiJobPlan, pods: Pods, tmp_path: Path
) -> None:
    """Its command as it is, on a matrix that a machine without workers has the time for."""
    assert image.config["User"] == f"{job.pods.user_id}:{job.pods.user_id}"
    assert image.config["WorkingDir"] == job.pods.working_dir
    assert not list(image.root.glob("etc/ssh/ssh_host_*")), "keys that everybody has"
    release = re.search(r'^VERSION_ID="(\d+)"$', (image.root / "etc/os-release").read_text(), re.MULTILINE)
    assert release
    assert f"debian:{release[1]}-slim@sha256:" in (CONTEXT / "Dockerfile").read_text()
    volumes = laid(job, tmp_path)
    environment = {**job.pods.env, "HOME": job.pods.working_dir}
    logs = [tmp_path / f"worker-{number}" for number in range(job.workers.count)]
    for number, log in enumerate(logs, 1):
        pods.start(pods.command(number, image, job.workers.command, environment, volumes), log)
    launcher = {
        **environment,
        **OPERATOR,
        **job.launcher.env,
        "OMPI_MCA_mpi_yield_when_idle": "1",  # more processes than cores: whoever waits lets others run
    }
    done = subprocess.run(
        pods.command(0, image, job.launcher.command, launcher, volumes),
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
        timeout=300,
    )
    said = [log.read_text() for log in logs]
    assert done.returncode == 0, done.stdout[-2000:] + done.stderr + "".join(said)
    assert "0 tests completed and failed residual checks" in done.stdout
    [result] = [line.split() for line in done.stdout.splitlines() if line.startswith("WR")]
    assert result[1:5] == ["64", "16", "2", "3"]
    # Not beside the launcher, which is where Open MPI goes when it is told of no workers.
    assert all("Accepted publickey for mpi" in each for each in said), said
