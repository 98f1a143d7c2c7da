"""The page of comparison says of each example of Cluster Toolkit whether all of it can be written."""

import re

import pytest
from support import ROOT
from toolkit_examples import Row
from toolkit_rows import ROWS

PAGE = (ROOT / "docs" / "compare.md").read_text("utf-8")
#: An example that cannot be written completely has "in part: " before what is missing.
LINE = re.compile(
    r"^\| (?P<number>\d\d) \| (?P<name>[^|]+) \| (?P<part>in part: )?(?P<why>[^|]*) \|$", re.MULTILINE
)

# What an import leaves out, although a blueprint can say it: by which words.
BY_HAND = {
    "queues are not read from a template": "workloads.kueue",
    "it only writes a manifest of a job": "workloads.jobsets",
    "manifest": "workloads.manifests, by url and sha256",
    "pods name these networks": "networking.gke.io/interfaces in manifests; workloads.jobsets have them",
    "capacity_gb": "storage.disk_classes; the claims are in a manifest: workloads.manifests",
    "runner": "startup_script, files",
    "it sets up an image": "nodes.image_build",
    "packer/custom-image": "nodes.image_build",
    "world_writable": "startup_script",
    "daemon_config": "startup_script",
}

# What no blueprint can say, and how the page calls it.
LACKING: dict[str, str] = {}


def lacking(row: Row) -> list[str]:
    """The parts of an example that cannot be written, as the page calls them."""
    kinds = [next(key for key in (*LACKING, *BY_HAND) if loss.startswith(key)) for loss in row.losses]
    return [LACKING[key] for key in dict.fromkeys(kinds) if key in LACKING]


def test_each_example_has_one_line() -> None:
    lines = list(LINE.finditer(PAGE))
    assert [each["number"] for each in lines] == [row.number for row in ROWS]
    whole = sum(not each["part"] for each in lines)
    assert f"each of them does: {whole} whole, {len(lines) - whole} in part." in " ".join(PAGE.split())


@pytest.mark.parametrize("row", ROWS, ids=[row.number for row in ROWS])
def test_the_verdict_is_that_of_an_import(row: Row) -> None:
    (line,) = (each for each in LINE.finditer(PAGE) if each["number"] == row.number)
    assert line["name"].split()[0] == row.name.split()[0]
    wanted = lacking(row)
    assert bool(line["part"]) == bool(wanted)
    for each in wanted:
        assert each in line["why"], each


def test_what_is_conceded_is_still_lost() -> None:
    """A loss that has gone, because there is a field now, goes from here and from the page."""
    losses = [loss for row in ROWS for loss in row.losses]
    for key in (*LACKING, *BY_HAND):
        assert any(loss.startswith(key) for loss in losses), key
