"""The script that fills a Managed Lustre, with a gcloud that keeps its operations in a folder."""

import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from clusterprint.nodes import deploy

BASH = str(shutil.which("bash"))
SCRIPT = Path(deploy.__file__).parent / deploy.FILL_LUSTRE
PLACE = "projects/p/locations/z/operations"
SEE = f"gcloud lustre operations describe {PLACE}/one"
# What the instance is at work on, what an order is answered with, and how an operation goes on are lines of
# files: one for each call, and the last line stays.
GCLOUD = """#!/bin/bash
printf '%s\\n' "$*" >>"$WORLD/calls"
[[ $* == *--project=p\\ --location=z* ]] || exit 9
next() {
    [[ -e $WORLD/$1 ]] || return 0
    head -n 1 "$WORLD/$1"
    [[ $(wc -l <"$WORLD/$1") -lt 2 ]] || sed -i 1d "$WORLD/$1"
}
fail() {
    printf 'ERROR: (gcloud.lustre.%s) %s\\n- details: that nobody reads\\n' "$1" "${2#ERROR }" >&2
    exit 1
}
case "$3 $4" in
'operations list') said="$(next busy)" ;;
'instances import-data') said="$(next orders)" ;;
'operations describe') if [[ $* == *done* ]]; then said="$(next states)"; else said="$(next failures)"; fi ;;
*) exit 64 ;;
esac
[[ $said != ERROR* ]] || fail "$3.$4" "$said"
printf '%s\\n' "$said"
"""
ENVIRONMENT = {
    "PROJECT": "p",
    "LOCATION": "z",
    "INSTANCE": "train-scratch",
    "BUCKET": "my-sets",
    "FOLDER": "/a b/$(touch here)/",
    "SECONDS_TO_WAIT": "60",
}
FROM = f"gs://my-sets{ENVIRONMENT['FOLDER']}"
DENIED = "ERROR PERMISSION_DENIED: Permission 'lustre.%s' denied on resource 'x' (or it may not exist)"

Fill = Callable[..., "subprocess.CompletedProcess[str]"]


@pytest.fixture
def fill(tmp_path: Path) -> Fill:
    """Runs the script; each of the answers is what gcloud says, a line for each time that it is asked."""
    tools = tmp_path / "bin"
    tools.mkdir()
    for name, text in (("gcloud", GCLOUD), ("sleep", "#!/bin/bash\n")):
        (tools / name).write_text(text)
        (tools / name).chmod(0o755)

    def run(
        *, gcloud: bool = True, seconds: str = "60", clock: str = "", **answers: str
    ) -> "subprocess.CompletedProcess[str]":
        said = {"orders": f"{PLACE}/one", "states": "True", "failures": "\t", **answers}
        for name, text in said.items():
            (tmp_path / name).write_text(text + "\n")
        path = f"{tools}:/usr/bin:/bin" if gcloud else str(tools)
        if not gcloud:
            (tools / "gcloud").unlink()
        return subprocess.run(
            [BASH, SCRIPT],
            env={
                "PATH": path,
                "WORLD": str(tmp_path),
                "BASH_ENV": clock,
                **ENVIRONMENT,
                "SECONDS_TO_WAIT": seconds,
            },
            capture_output=True,
            text=True,
            check=False,
            cwd=tmp_path,
        )

    return run


def calls(folder: Path, verb: str) -> list[str]:
    """How gcloud was called for something, in order."""
    return [each for each in (folder / "calls").read_text().splitlines() if f" {verb} " in each]


def test_it_orders_an_import_and_waits_for_it(fill: Fill, tmp_path: Path) -> None:
    done = fill(states="\n\nTrue")
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines() == [
        f"importing {FROM} into train-scratch; this goes on whatever happens here, see: {SEE}",
        f"train-scratch is filled from {FROM}",
    ]
    (order,) = calls(tmp_path, "import-data")
    assert order == (
        f"--quiet lustre instances import-data train-scratch --gcs-path-uri={FROM} --lustre-path=/ "
        "--async --format=value(name) --project=p --location=z"
    )
    assert len(calls(tmp_path, "describe")) == 4
    assert not (tmp_path / "here").exists()


def test_an_import_that_was_left_behind_is_waited_for(fill: Fill, tmp_path: Path) -> None:
    done = fill(busy=f"{PLACE}/old\n{PLACE}/old\n\n")
    assert done.returncode == 0, done.stderr
    assert done.stdout.count(f"train-scratch is at work on {PLACE}/old, which is waited for") == 1
    assert len(calls(tmp_path, "import-data")) == 1
    (first, *_) = calls(tmp_path, "list")
    assert '--filter=metadata.target~"/instances/train-scratch$" AND NOT done=true' in first


def test_whoever_was_faster_is_waited_for(fill: Fill, tmp_path: Path) -> None:
    done = fill(orders=f"ERROR ABORTED: unable to queue the operation\n{PLACE}/two")
    assert done.returncode == 0, done.stderr
    assert len(calls(tmp_path, "import-data")) == len(calls(tmp_path, "list")) == 2


def test_a_role_that_has_just_been_granted_may_not_hold_yet(fill: Fill, tmp_path: Path) -> None:
    denied = "7\tservice-1@gcp-sa-lustre does not have storage.objects.list access: permission denied"
    done = fill(orders=f"{PLACE}/one\n{PLACE}/two", failures=f"{denied}\n\t")
    assert done.returncode == 0, done.stderr
    assert f"{PLACE}/one failed, and the import is tried again: {denied}" in done.stdout
    assert len(calls(tmp_path, "import-data")) == 2


def test_a_role_that_never_holds_is_not_waited_for_until_the_end(fill: Fill, tmp_path: Path) -> None:
    # bash reads this before the script: only sleep passes the time, and at once.
    clock = tmp_path / "clock"
    clock.write_text("unset SECONDS\nSECONDS=0\nsleep() { SECONDS=$((SECONDS + $1)); }\n")
    done = fill(seconds="7200", clock=str(clock), failures="7\tpermission denied")
    assert done.returncode == 1
    assert f"train-scratch is not filled from {FROM}, as {PLACE}/one failed: 7\tpermission" in done.stderr
    assert len(calls(tmp_path, "import-data")) == 61, "each 15 seconds for a quarter of an hour"


def test_what_fails_for_other_reasons_fails(fill: Fill, tmp_path: Path) -> None:
    done = fill(failures="5\tbucket my-sets was not found")
    assert done.returncode == 1
    assert f"train-scratch is not filled from {FROM}, as {PLACE}/one failed: 5\tbucket" in done.stderr
    assert len(calls(tmp_path, "import-data")) == 1


@pytest.mark.parametrize(
    ("answers", "said"),
    [
        ({"orders": DENIED % "instances.importData"}, "cannot be filled from"),
        ({"orders": "ERROR NOT_FOUND: Resource 'x' was not found"}, "NOT_FOUND: Resource 'x' was not found"),
        ({"busy": DENIED % "operations.list"}, "gcloud cannot ask what train-scratch is at work on"),
        ({"states": DENIED % "operations.get"}, f"gcloud cannot ask how far {PLACE}/one is"),
        ({"failures": DENIED % "operations.get"}, f"gcloud cannot ask how {PLACE}/one ended"),
    ],
    ids=["not-allowed", "no-instance", "no-list", "no-look", "no-end"],
)
def test_what_waiting_does_not_change_ends_it(answers: dict[str, str], said: str, fill: Fill) -> None:
    done = fill(**answers)
    assert done.returncode == 1
    assert said in done.stderr
    # The line that says it, not the details after it.
    assert "ERROR: (gcloud.lustre." in done.stderr
    assert "nobody reads" not in done.stderr
    assert "is filled" not in done.stdout


def test_gcloud_may_fail_in_between(fill: Fill) -> None:
    done = fill(busy="ERROR UNAVAILABLE: try again\n\n", states="ERROR UNAVAILABLE: try again\nTrue")
    assert done.returncode == 0, done.stderr


def test_when_the_time_is_over_it_says_that_the_import_goes_on(fill: Fill) -> None:
    done = fill(states="", seconds="0")
    assert done.returncode == 1
    assert f"train-scratch is not filled from {FROM} after" in done.stderr
    assert f"{PLACE}/one goes on, see: {SEE}" in done.stderr
    assert "To wait again: apply again" in done.stderr


def test_who_looks_on_hears_that_something_goes_on(fill: Fill) -> None:
    done = fill(states="\n" * 45 + "True")
    assert done.returncode == 0, done.stderr
    assert done.stdout.count("train-scratch is still being filled") == 2


def test_it_needs_gcloud(fill: Fill) -> None:
    done = fill(gcloud=False)
    assert done.returncode == 1
    assert "this needs the command gcloud" in done.stderr
