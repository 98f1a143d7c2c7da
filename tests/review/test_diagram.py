"""The drawing of a cluster: which boxes are connected, also with what goes away."""

from typing import Any

import pytest
from review.conftest import STORED, Repository
from support import BLUEPRINTS

pytestmark = pytest.mark.slow


def links(report: dict[str, Any], name: str) -> set[tuple[str, str, str]]:
    """Lines by the titles of their boxes, with what happens to them."""
    drawing = next(each for each in report["clusters"] if each["name"] == name)["diagram"]
    titles = {box["id"]: box["title"] for box in drawing["boxes"]}
    return {(titles[link["start"]], titles[link["end"]], link["status"]) for link in drawing["links"]}


def test_machines_stand_in_every_subnet_of_theirs(repository: Repository) -> None:
    repository.edit("team.yaml", "machine_type: a2-highgpu-8g", "machine_type: a3-highgpu-8g")
    found = links(repository.review(), "team")
    assert {(end, status) for start, end, status in found if start == "team-nodes-compact"} == {
        ("team-net", "unchanged"),
        *((f"team-gpu-{number}", "added") for number in range(4)),
        ("team-checkpoints", "unchanged"),
    }


def test_a_bucket_that_goes_away_was_used(repository: Repository) -> None:
    repository.edit("team.yaml", STORED, "")
    assert ("team-nodes", "team-checkpoints", "removed") in links(repository.review(), "team")


def test_a_cluster_that_is_left_behind_is_drawn_as_it_stays(repository: Repository) -> None:
    (repository.folder / "blueprints/first.yaml").unlink()
    assert links(repository.review(), "first") == {("first-nodes", "first-net", "unchanged")}


def test_a_head_with_an_address_is_reached_through_its_interface(repository: Repository) -> None:
    blueprint = (BLUEPRINTS / "vmss-a100-flexible.yaml").read_text("utf-8")
    repository.write(
        "a100.yaml", blueprint.replace("{public_ip: false}", "{ssh_source_ranges: [203.0.113.0/24]}")
    )
    repository.write("cluster.pub", (BLUEPRINTS / "cluster.pub").read_text("utf-8"))
    report = repository.review()
    found = links(report, "a100")
    assert ("a100-head", "a100-head-ip", "added") in found
    assert ("a100-head", "a100-nodes", "added") in found, "the subnet that both stand in"
    (drawing,) = (each["diagram"] for each in report["clusters"] if each["name"] == "a100")
    boxes = {(each["sort"], each["title"]): each["lines"] for each in drawing["boxes"]}
    assert boxes["firewall", "ssh"] == ["from 203.0.113.0/24", "port 22"]
    addresses = {title for sort, title in boxes if sort == "address"}
    assert addresses == {"a100-head-ip", "a100-bastion-ip"}, "the address of NAT lets nothing in"
