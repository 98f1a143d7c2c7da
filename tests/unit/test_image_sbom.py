"""The list of what is in an image, with a gcloud that plays the scan."""

import json
import os
from pathlib import Path

import pytest

from clusterprint.errors import EnvironmentFailure
from clusterprint.image import sbom

IMAGE = "us-central1-docker.pkg.dev/my-project/dev-docker/ray@sha256:" + "ab" * 32
GCLOUD = """\
#!/bin/sh
cat >/dev/null
echo "$@" >>"{calls}"
case "$*" in
*describe*) n=$(grep -c describe "{calls}"); cat "{answers}/$n" 2>/dev/null || cat "{answers}/last" ;;
*) exit {code} ;;
esac
"""


def scanned(status: str) -> str:
    return json.dumps({"discovery_summary": {"discovery": [{"discovery": {"analysisStatus": status}}]}})


def play(folder: Path, monkeypatch: pytest.MonkeyPatch, *answers: str, code: int = 0) -> Path:
    """A gcloud on the PATH that gives these answers about the scan in turn; gives the file of its calls."""
    for number, answer in enumerate(answers, 1):
        (folder / str(number)).write_text(answer)
    (folder / "last").write_text(answers[-1])
    program, calls = folder / "bin" / "gcloud", folder / "calls"
    program.parent.mkdir()
    program.write_text(GCLOUD.format(calls=calls, answers=folder, code=code))
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{program.parent}{os.pathsep}{os.environ['PATH']}")
    monkeypatch.setattr(sbom, "_LOOK_EVERY", 0.01)
    return calls


def test_the_list_is_made_when_the_scan_is_done(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    calls = play(tmp_path, monkeypatch, "{}", scanned("SCANNING"), scanned("FINISHED_SUCCESS"))
    said: list[str] = []
    sbom.export(IMAGE, "my-project", said.append)
    *looked, made = calls.read_text().splitlines()
    assert len(looked) == 3
    assert made == f"artifacts sbom export --uri={IMAGE} --project=my-project"
    assert said[-1].endswith(f"gcloud artifacts sbom list --uri={IMAGE}")


@pytest.mark.parametrize(
    ("answer", "code", "words"),
    [
        (scanned("FINISHED_FAILED"), 0, "ended with FINISHED_FAILED"),
        (scanned("FINISHED_SUCCESS"), 1, "gcloud ended with 1; the image exists"),
        (scanned("PENDING"), 0, "not been scanned in time: the image exists"),
    ],
)
def test_without_a_scan_the_way_by_hand_is_said(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, answer: str, code: int, words: str
) -> None:
    play(tmp_path, monkeypatch, answer, code=code)
    monkeypatch.setattr(sbom, "_SCAN_SECONDS", 0)
    with pytest.raises(EnvironmentFailure, match=words):
        sbom.export(IMAGE, "my-project", lambda _: None)
