"""The script that builds images, with a gcloud that keeps its world in a folder."""

import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from clusterprint.nodes import deploy

BASH = str(shutil.which("bash"))
SCRIPT = Path(deploy.__file__).parent / deploy.BUILD_IMAGE
# Machines and images are files; a machine holds its status, an image whether another one follows it. What the
# machine says of its state is the first line of a file, and the last line stays.
GCLOUD = """#!/bin/bash
printf '%s\\n' "$*" >>"$WORLD/calls"
[[ $* == *--project=p* ]] || exit 9
name="$5"
case "$3 $4" in
'images list')
    for file in "$WORLD"/images/*; do
        [[ -e $file ]] || continue
        each="${file##*/}"
        if [[ $* == *name=* ]]; then [[ $* == *"name=$each "* ]] || continue; fi
        [[ ! -s $file || $* == *--show-deprecated* ]] || continue
        printf '%s\\n' "$each"
    done ;;
'images create')
    [[ ! -e $WORLD/no-image ]] || exit 1
    : >"$WORLD/images/$name" ;;
'images deprecate')
    : >"$WORLD/images/$name"
    [[ $* == *ACTIVE* ]] || printf 'followed' >"$WORLD/images/$name" ;;
'instances list') cat "$WORLD"/machines/* 2>/dev/null || true ;;
'instances create')
    [[ ! -e $WORLD/no-machine ]] || { printf 'ZONE_RESOURCE_POOL_EXHAUSTED\\n' >&2; exit 1; }
    printf 'RUNNING\\n' >"$WORLD/machines/$name" ;;
'instances stop') printf 'TERMINATED\\n' >"$WORLD/machines/$name" ;;
'instances delete') rm "$WORLD/machines/$name" ;;
'instances get-serial-port-output') printf 'the end of its output: E: Unable to locate package hwlocc\\n' ;;
'instances get-guest-attributes')
    if [[ $* == *clusterprint/status* ]]; then
        printf '{"message": "90-startup-script: no such package"}\\n'
        exit
    elif [[ -e $WORLD/refused ]]; then
        printf 'Required compute.instances.getGuestAttributes permission\\n' >&2
        exit 1
    fi
    head -n 1 "$WORLD/states"
    [[ $(wc -l <"$WORLD/states") -lt 2 ]] || sed -i 1d "$WORLD/states" ;;
*) exit 64 ;;
esac
"""
ENVIRONMENT = {
    "PROJECT": "p",
    "ZONE": "z",
    "IMAGE": "life-2",
    "FAMILY": "life",
    "CLUSTER": "life",
    "BUILDER": "life-2-build",
    "MACHINE_TYPE": "n2-standard-8",
    "INTERFACE": "subnet=s,nic-type=GVNIC,no-address",
    "BASE_PROJECT": "debian-cloud",
    "BASE": "image-family=debian-12",
    "DISK_SIZE_GB": "50",
    "DISK_TYPE": "pd-balanced",
    "MACHINE_OPTIONS": "--no-service-account --no-scopes",
    "IMAGE_OPTIONS": "",
    "FILES": "startup-script=life-2.startup-script",
    "SECONDS_TO_WAIT": "600",
}

Build = Callable[..., "subprocess.CompletedProcess[str]"]


@pytest.fixture
def build(tmp_path: Path) -> Build:
    """Runs the script; the machine says one state after the other."""
    tools = tmp_path / "bin"
    for folder in (tools, tmp_path / "images", tmp_path / "machines"):
        folder.mkdir()
    for name, text in (("gcloud", GCLOUD), ("sleep", "#!/bin/bash\n")):
        (tools / name).write_text(text)
        (tools / name).chmod(0o755)

    def run(*states: str, **changes: str) -> "subprocess.CompletedProcess[str]":
        (tmp_path / "states").write_text("\n".join([*states, ""]))
        return subprocess.run(
            [BASH, SCRIPT],
            env={"PATH": f"{tools}:/usr/bin:/bin", "WORLD": str(tmp_path), **ENVIRONMENT, **changes},
            capture_output=True,
            text=True,
            check=False,
            cwd=tmp_path,
        )

    return run


def names(folder: Path) -> list[str]:
    return sorted(each.name for each in folder.iterdir())


def calls(world: Path, verb: str) -> list[str]:
    return [each for each in (world / "calls").read_text().splitlines() if f" {verb} " in each]


def test_a_machine_becomes_the_image_and_is_gone(build: Build, tmp_path: Path) -> None:
    (tmp_path / "images" / "life-1").touch()
    done = build("", "running", "ready", IMAGE_OPTIONS="--storage-location=eu")
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines()[-1] == "life-2 is there"
    assert names(tmp_path / "images") == ["life-1", "life-2"]
    assert names(tmp_path / "machines") == []
    # The older one stays, and says what follows it; the family means the new one.
    assert (tmp_path / "images" / "life-1").read_text() == "followed"
    assert (tmp_path / "images" / "life-2").read_text() == ""
    (made,) = calls(tmp_path, "instances create")
    assert "--no-service-account --no-scopes" in made
    assert "--max-run-duration=2400s --instance-termination-action=DELETE" in made
    (image,) = calls(tmp_path, "images create")
    assert "--source-disk=life-2-build --source-disk-zone=z --family=life" in image
    assert "--storage-location=eu" in image


def test_an_image_that_is_there_takes_no_machine(build: Build, tmp_path: Path) -> None:
    (tmp_path / "images" / "life-2").write_text("followed")
    (tmp_path / "images" / "life-3").touch()
    done = build("ready")
    assert done.returncode == 0, done.stderr
    assert done.stdout == "life-2 is there already\n"
    assert not calls(tmp_path, "instances create")
    assert (tmp_path / "images" / "life-2").read_text() == ""
    assert (tmp_path / "images" / "life-3").read_text() == "followed"


def test_a_setup_that_fails_makes_no_image_and_leaves_no_machine(build: Build, tmp_path: Path) -> None:
    done = build("running", "failed")
    assert done.returncode == 1
    assert "90-startup-script: no such package" in done.stderr
    assert "E: Unable to locate package hwlocc" in done.stderr
    assert "the setup of life-2-build failed" in done.stderr
    assert names(tmp_path / "images") == []
    assert names(tmp_path / "machines") == []


def test_one_that_takes_too_long_is_given_up(build: Build, tmp_path: Path) -> None:
    done = build("running", SECONDS_TO_WAIT="0")
    assert done.returncode == 1
    assert "was not set up after 0 s" in done.stderr
    assert names(tmp_path / "machines") == []


@pytest.mark.parametrize(
    ("trouble", "said"),
    [
        ("no-machine", "there is no machine to build life-2 on"),
        ("no-image", "life-2 could not be made"),
        ("refused", "gcloud may not ask the machine"),
    ],
)
def test_what_google_refuses_ends_it(build: Build, tmp_path: Path, trouble: str, said: str) -> None:
    (tmp_path / trouble).touch()
    done = build("" if trouble == "refused" else "ready")
    assert done.returncode == 1
    assert said in done.stderr
    assert "delete it by hand" not in done.stderr
    assert names(tmp_path / "images") == []
    assert names(tmp_path / "machines") == []


def test_a_build_that_was_cut_off_is_taken_up(build: Build, tmp_path: Path) -> None:
    (tmp_path / "machines" / "life-2-build").write_text("RUNNING\n")
    done = build("ready")
    assert done.returncode == 0, done.stderr
    assert "life-2 is being built on life-2-build already" in done.stdout
    assert not calls(tmp_path, "instances create")
    assert names(tmp_path / "machines") == []


def test_a_machine_that_was_stopped_on_the_way_is_made_anew(build: Build, tmp_path: Path) -> None:
    (tmp_path / "machines" / "life-2-build").write_text("TERMINATED\n")
    done = build("ready")
    assert done.returncode == 0, done.stderr
    assert len(calls(tmp_path, "instances create")) == 1
    assert len(calls(tmp_path, "instances delete")) == 2
    assert names(tmp_path / "images") == ["life-2"]
