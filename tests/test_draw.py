"""`clusterprint draw`: a cluster as a picture."""

import re
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest
from support import BLUEPRINTS, GOLDENS, ROOT, Run

from clusterprint.review.model import Box, Diagram
from clusterprint.review.render.html.drawing import drawing

SVG = "{http://www.w3.org/2000/svg}"


def texts(picture: ET.Element) -> list[str]:
    return [each.text or "" for each in picture.iter(f"{SVG}text")]


def drawn(clusterprint: Run, blueprint: Path) -> ET.Element:
    done = clusterprint("draw", blueprint)
    assert done.returncode == 0, done.stderr
    return ET.fromstring(done.stdout)  # noqa: S314 - it is our own


def test_pools_networks_volumes_and_ways_are_in_the_picture(clusterprint: Run) -> None:
    picture = drawn(clusterprint, BLUEPRINTS / "gke-lustre-training.yaml")
    said = texts(picture)
    for title in ("pretrain", "h200", "system", "pretrain-ckpt", "pretrain-net", "pretrain-nat", "scratch"):
        assert any(title in each for each in said), title
    assert {"8 x H200 141GB each", "from 10.255.240.0/20"} <= {*said}
    words = picture.findtext(f"{SVG}desc") or ""
    assert "h200 - pretrain-ckpt: uses" in words
    assert re.search(r"h200 - \S*scratch\S*: uses", words)


def test_a_train_job_runs_on_the_pool_that_its_runtime_names(clusterprint: Run) -> None:
    words = drawn(clusterprint, GOLDENS / "gke-jobs.yaml").findtext(f"{SVG}desc") or ""
    assert re.search(r"tune-\w+ - mega: runs on", words)
    assert re.search(r"workload trees-\w+ \(TrainJob, in namespace default, queue default\)", words)


def test_netapp_and_disks_that_all_read_are_in_the_picture(clusterprint: Run) -> None:
    words = drawn(clusterprint, GOLDENS / "volumes.yaml").findtext(f"{SVG}desc") or ""
    assert re.search(r"stores-nodes - stores-eda-\w+: uses", words)
    assert re.search(r"stores-nodes - stores-weights-\w+: uses", words)


def test_queues_and_work_are_in_the_picture(clusterprint: Run) -> None:
    words = drawn(clusterprint, BLUEPRINTS / "gke-a3-mega-teams.yaml").findtext(f"{SVG}desc") or ""
    assert "queue language-default (for language, 80 nvidia.com/gpu on h100)" in words
    assert re.search(r"pretrain-\w+ - language-default: waits in", words)
    assert re.search(r"pretrain-\w+ - h100: runs on", words)
    assert "vision-default - h100: grants" in words
    assert "; cluster - h100: borrows" in words, "the queue of leftovers has no quota of its own"


def test_ray_is_in_the_picture(clusterprint: Run) -> None:
    words = drawn(clusterprint, BLUEPRINTS / "ray-a4-reservation.yaml").findtext(f"{SVG}desc") or ""
    assert {"chat - b200: runs on", "ray-b200 - system: runs on"} <= {*words.split("; ")}
    assert re.search(r"nccl-test-\w+ - ray-b200: runs on", words)
    words = drawn(clusterprint, BLUEPRINTS / "ray-h200.yaml").findtext(f"{SVG}desc") or ""
    workers = {"oasis - flex: runs on", "oasis - spot: runs on"}
    assert workers <= {*words.split("; ")}, "the pools of the compute class of its workers"


def test_the_picture_in_the_documentation_is_drawn_of_the_blueprint(clusterprint: Run) -> None:
    """Made by `clusterprint draw blueprints/gke-a3-mega-teams.yaml -o docs/images/two-teams.svg`."""
    drawn_now = clusterprint("draw", BLUEPRINTS / "gke-a3-mega-teams.yaml").stdout
    assert (ROOT / "docs/images/two-teams.svg").read_text("utf-8") == drawn_now


def test_who_reaches_the_control_plane_is_said(clusterprint: Run, tmp_path: Path) -> None:
    blueprint = tmp_path / "b.yaml"
    text = (BLUEPRINTS / "gke-smallest.yaml").read_text()
    assert "reached by its DNS name" in (
        drawn(clusterprint, BLUEPRINTS / "gke-smallest.yaml").findtext(f"{SVG}desc") or ""
    )
    blueprint.write_text(
        f"{text}\ncluster: {{authorized_networks: [{{name: office, cidr: 203.0.113.0/24}}]}}\n"
    )
    words = drawn(clusterprint, blueprint).findtext(f"{SVG}desc") or ""
    assert "reached from 203.0.113.0/24" in words
    assert "DNS name" not in words


@pytest.mark.parametrize("name", ["vm-filestore-gcsfuse", "vmss-h200", "ray-h200"])
def test_the_same_blueprint_gives_the_same_bytes(clusterprint: Run, tmp_path: Path, name: str) -> None:
    first = clusterprint("draw", BLUEPRINTS / f"{name}.yaml")
    second = clusterprint("draw", BLUEPRINTS / f"{name}.yaml", "-o", tmp_path / "x.svg")
    assert second.stdout == f"wrote {tmp_path / 'x.svg'}\n"
    assert (tmp_path / "x.svg").read_text() == first.stdout


def test_it_needs_nothing_else_and_is_read_on_light_and_dark_screens(clusterprint: Run) -> None:
    text = clusterprint("draw", BLUEPRINTS / "vm-smallest.yaml").stdout
    assert "prefers-color-scheme: dark" in text
    assert re.findall(r"(?:href|src|url\(|@import|<script)", text) == []
    assert re.findall(r"https?://[^\"]+", text) == ["http://www.w3.org/2000/svg"]


def test_no_text_becomes_markup() -> None:
    evil = "</text><script>alert(1)</script>&]]>\x1b[31m"
    box = Box(id="a", sort="pool", title=evil, lines=(evil,), status="unchanged")
    picture = ET.fromstring(drawing(evil, Diagram(boxes=(box,))))  # noqa: S314 - it is our own
    known = {"svg", "title", "desc", "style", "g", "rect", "text"}
    assert {each.tag.removeprefix(SVG) for each in picture.iter()} == known
    assert "<script>alert(1)</script>" in (picture.findtext(f"{SVG}title") or "")


def test_mistakes_are_told_and_nothing_is_written(clusterprint: Run, tmp_path: Path) -> None:
    (tmp_path / "b.yaml").write_text("clusterprint: v1\nkind: vm\n")
    done = clusterprint("draw", "b.yaml", "-o", "b.svg", cwd=tmp_path)
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.endswith("nothing is drawn: the blueprint has problems\n")
    assert not (tmp_path / "b.svg").exists()


def test_a_place_that_cannot_be_written_and_a_folder_are_told(clusterprint: Run, tmp_path: Path) -> None:
    done = clusterprint("draw", BLUEPRINTS / "vm-smallest.yaml", "-o", tmp_path / "no" / "x.svg")
    assert (done.returncode, "cannot write" in done.stderr) == (3, True)
    assert clusterprint("draw", BLUEPRINTS).returncode == 2
    assert clusterprint("draw", "-").returncode == 2
