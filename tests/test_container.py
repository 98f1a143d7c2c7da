"""The definition of the container image: linted, pinned, without root, and enough to build from."""

import re
import shutil
import subprocess
import sys
from hashlib import sha256
from pathlib import Path

import pytest
from support import ROOT

TEXT = (ROOT / "Dockerfile").read_text("utf-8")
ALLOWED = [
    line.removeprefix("!/")
    for line in (ROOT / ".dockerignore").read_text("utf-8").splitlines()
    if line.startswith("!")
]


@pytest.mark.process
def test_the_linter_finds_nothing() -> None:
    hadolint = Path(sys.executable).parent / "hadolint"
    done = subprocess.run([hadolint, ROOT / "Dockerfile"], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (0, "")


def test_every_stage_stands_on_one_base_named_by_digest() -> None:
    assert re.search(r"^ARG PYTHON=python:3\.\d+-slim-\w+@sha256:[0-9a-f]{64}$", TEXT, re.MULTILINE)
    assert set(re.findall(r"^FROM (\S+)", TEXT, re.MULTILINE)) == {"${PYTHON}"}


def test_it_does_not_run_as_root() -> None:
    last = TEXT[TEXT.rindex("\nFROM ") :]
    (user,) = re.findall(r"^USER (\d+):\d+$", last, re.MULTILINE)
    assert int(user) > 0
    # Nothing is done as root after it, and what is started is our command.
    assert re.findall(r"^[A-Z]+", last[last.index("USER ") :], re.MULTILINE) == [
        "USER",
        "WORKDIR",
        "ENTRYPOINT",
    ]
    assert "container/entrypoint.sh /usr/local/bin/clusterprint-container\n" in last
    assert 'ENTRYPOINT ["clusterprint-container"]' in last


ENTRY_POINT = ROOT / "container/entrypoint.sh"


@pytest.mark.parametrize(
    ("given", "environment", "runs"),
    [
        ((), {}, "--help"),
        ((), {"NAME_PREFIX": "spani", "ACTION": "Create"}, "env-file --environment --run --yes [Create]"),
        (("Destroy",), {"NAME_PREFIX": "spani"}, "env-file --environment --run --yes [destroy]"),
        (("validate",), {}, "validate"),
        (("validate",), {"PROJECT_ID": "p"}, "env-file --environment --run --yes [validate]"),
        (("validate", "a b.yaml"), {"PROJECT_ID": "p"}, "validate a b.yaml [unset]"),
        (("up", "--yes", "$(id)"), {}, "up --yes $(id)"),
        (("--version",), {"PROJECT_ID": "p"}, "--version [unset]"),
    ],
)
def test_the_entry_point_runs_the_action_of_an_env_file_or_a_command(
    given: tuple[str, ...], environment: dict[str, str], runs: str, tmp_path: Path
) -> None:
    fake = tmp_path / "clusterprint"
    fake.write_text('#!/bin/sh\nprintf "%s" "$*"\necho " [${ACTION-unset}]"\n')
    fake.chmod(0o755)
    done = subprocess.run(
        [ENTRY_POINT, *given],
        env={"PATH": f"{tmp_path}:/usr/bin:/bin", **environment},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.strip().removesuffix("" if "[" in runs else " [unset]") == runs


def test_shellcheck_finds_nothing_in_the_entry_point() -> None:
    shellcheck = Path(sys.executable).parent / "shellcheck"
    done = subprocess.run([shellcheck, ENTRY_POINT], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (0, "")


def step_of(name: str) -> str:
    """The shell text of the one step of a stage, as Docker hands it to bash."""
    stage = TEXT[TEXT.index(f"AS {name}") :]
    step = stage[stage.index("RUN ") + len("RUN ") : stage.index("\n\nFROM ")]
    return step.replace("\\\n", "")


@pytest.mark.process
@pytest.mark.parametrize(("checksum", "ok"), [("right", True), ("0" * 64, False), ("", False)])
def test_terraform_is_installed_when_its_checksum_is_right_only(
    checksum: str, ok: bool, tmp_path: Path
) -> None:
    """The step itself, with a folder of ours in the place of the disk and of the network."""
    archive = tmp_path / "served.zip"
    (tmp_path / "terraform").write_text("#!/bin/sh\n")
    subprocess.run([sys.executable, "-m", "zipfile", "-c", archive, tmp_path / "terraform"], check=True)
    right = subprocess.run(["sha256sum", archive], capture_output=True, text=True, check=True).stdout.split()[
        0
    ]
    out = tmp_path / "out"
    step = step_of("terraform")
    assert "https://releases.hashicorp.com/terraform/${TERRAFORM_VERSION}/${name}" in step
    step = (
        step.replace(
            "https://releases.hashicorp.com/terraform/${TERRAFORM_VERSION}/${name}", archive.as_uri()
        )
        .replace("/tmp/terraform.zip", str(tmp_path / "fetched.zip"))  # noqa: S108
        .replace("mkdir /terraform", f"mkdir {out}")
        .replace(" /terraform", f" {out}")
        .replace("python ", f"{sys.executable} ")
    )
    given = {"TERRAFORM_VERSION": "1.2.3", "TERRAFORM_SHA256": right if checksum == "right" else checksum}
    done = subprocess.run(
        ["bash", "-euo", "pipefail", "-c", step],
        env={"PATH": "/usr/bin:/bin", "TARGETARCH": "amd64", **given},
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode == 0) is ok, done.stderr
    assert (out / "terraform").exists() is ok


@pytest.mark.process
@pytest.mark.parametrize(("checksum", "ok"), [("right", True), ("0" * 64, False), ("", False)])
def test_gcloud_comes_with_the_login_of_kubectl_when_its_checksum_is_right_only(
    checksum: str, ok: bool, tmp_path: Path
) -> None:
    served, opt = tmp_path / "served/google-cloud-sdk/bin", tmp_path / "opt"
    served.mkdir(parents=True)
    (served / "gcloud").write_text(f'#!/bin/sh\necho "$*" >{tmp_path}/asked\n')
    (served / "gcloud").chmod(0o755)
    archive = shutil.make_archive(str(tmp_path / "gcloud"), "gztar", tmp_path / "served")
    right = sha256(Path(archive).read_bytes()).hexdigest()
    address = re.search(r'"(https://dl.google.com/[^"]+)"', step_of("clouds"))
    assert address
    assert address[1].endswith("google-cloud-cli-${GCLOUD_VERSION}-linux-${system}.tar.gz")
    step = (
        step_of("clouds")
        .replace(address[1], Path(archive).as_uri())
        .replace("/tmp/gcloud.tar.gz", str(tmp_path / "fetched.tar.gz"))  # noqa: S108
        .replace("/opt", str(opt))
        .replace("python ", f"{sys.executable} ")
    )
    given = {"GCLOUD_VERSION": "1.2.3", "GCLOUD_SHA256": right if checksum == "right" else checksum}
    done = subprocess.run(
        ["bash", "-euo", "pipefail", "-c", step],
        env={"PATH": "/usr/bin:/bin", "TARGETARCH": "amd64", "AZURE_CLI": "", **given},
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode == 0) is ok, done.stderr
    assert (opt / "google-cloud-sdk/bin/gcloud").exists() is ok
    if ok:
        asked = (tmp_path / "asked").read_text()
        assert asked == "components install --quiet kubectl gke-gcloud-auth-plugin\n"


@pytest.mark.long
@pytest.mark.slow
def test_a_wheel_can_be_built_from_what_the_image_gets(tmp_path: Path) -> None:
    for name in ALLOWED:
        source, target = ROOT / name, tmp_path / "source" / name
        target.parent.mkdir(exist_ok=True)
        if source.is_dir():
            shutil.copytree(source, target, ignore=shutil.ignore_patterns("__pycache__"))
        else:
            shutil.copy(source, target)
    command = [
        sys.executable,
        "-m",
        "build",
        "--wheel",
        "--no-isolation",
        # As pip does there: the image has the bindings of one engine.
        "--skip-dependency-check",
        "--outdir",
        str(tmp_path),
        str(tmp_path / "source"),
    ]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert list(tmp_path.glob("clusterprint-*.whl"))
