"""Wishes for capacity: documents with another wish, the lock, and the order in which `up` tries them."""

import json
from pathlib import Path
from types import SimpleNamespace
from typing import cast

import pytest

from clusterprint import wishes
from clusterprint.cli import fallbacks
from clusterprint.cli.approvals import Agreement
from clusterprint.errors import UsageError
from clusterprint.examine import Examined, examine
from clusterprint.exit_codes import Code
from clusterprint.lifecycle.failures import TerraformFailed
from clusterprint.lifecycle.no_capacity import lacking
from clusterprint.lifecycle.session import Broken
from clusterprint.lifecycle.up import Consent, Ended
from clusterprint.overview.wishes import cost_range, priced
from clusterprint.review.quota import QuotaNeed, with_wishes
from clusterprint.review.quota_parts import Metric
from clusterprint.wishes import lock

TEXT = """\
clusterprint: v1
kind: vm
name: team
project: my-gpu-project
region: us-central1
zone: us-central1-a
backend: {gcs: {bucket: my-terraform-state}}
node_groups:
  - {name: login, machine_type: n2-standard-4}
  - name: gpus
    machine_type: a2-highgpu-1g
    zones: [us-central1-a, us-central1-f]
    capacity:
      max_run_duration: 1d
      fallbacks:
        - {model: spot, zone: us-central1-b}
        - {model: flex_start, machine_type: a2-highgpu-2g, zone: us-central1-a}
"""
NODE = 'google_compute_per_instance_config.nodes-gpus_group_node["team-gpus-0"]'
OUT = "ZONE_RESOURCE_POOL_EXHAUSTED"


@pytest.fixture
def blueprint(tmp_path: Path) -> Path:
    """A blueprint with three wishes."""
    file = tmp_path / "team.yaml"
    file.write_text(TEXT)
    return file


def _write(blueprint: Path, capacity: dict[str, object]) -> None:
    entry = lock.Standing(capacity=capacity, since="2026-11-28T04:00:00Z")
    lock.write(lock.CapacityLock(groups={"gpus": entry}), blueprint.parent / "team.capacity.lock")


def _gpus(blueprint: Path) -> tuple[str, str, tuple[str, ...], str]:
    """The group as all steps after the lock see it."""
    found = examine([blueprint])
    assert found.errors == 0, found.diagnostics
    group = found.results[0].blueprint.node_groups[1]  # type: ignore[union-attr]
    return group.capacity.model, group.machine_type, group.zones, str(group.zone or "")


def test_a_wish_of_the_lock_is_as_if_the_blueprint_said_it(blueprint: Path) -> None:
    first = ("on_demand", "a2-highgpu-1g", ("us-central1-a", "us-central1-f"), "")
    assert _gpus(blueprint) == first
    _write(blueprint, {"model": "spot", "zone": "us-central1-b"})
    assert _gpus(blueprint) == ("spot", "a2-highgpu-1g", (), "us-central1-b")
    document = examine([blueprint]).results[0].document
    place = document.label(("node_groups", 1, "zone"))
    assert place.span
    assert place.span.line == 16, "messages point to the fallback"
    assert "max_run_duration" not in document.data["node_groups"][1]["capacity"], "it has its default"
    _write(blueprint, {"model": "flex_start", "machine_type": "a2-highgpu-2g", "zone": "us-central1-a"})
    assert _gpus(blueprint) == ("flex_start", "a2-highgpu-2g", (), "us-central1-a")


def test_several_machine_types_are_several_wishes(blueprint: Path) -> None:
    """In the capacity after that of the group, in a fallback in its place; each has its own line."""
    types = "[a2-highgpu-1g, a2-ultragpu-1g]"
    text = TEXT.replace("max_run_duration: 1d", f"machine_types: {types}")
    blueprint.write_text(text.replace("a2-highgpu-2g, zone", "g2-standard-4, zone").replace(
        "{model: spot, zone: us-central1-b}", f"{{model: spot, zone: us-central1-b, machine_types: {types}}}"
    ))  # fmt: skip
    (group,) = wishes.groups(examine([blueprint]).results[0].document)
    words = [wishes.words(each) for each in group.wishes]
    assert words == [
        "on_demand",
        "on_demand on a2-ultragpu-1g",
        "spot on a2-highgpu-1g in us-central1-b",
        "spot on a2-ultragpu-1g in us-central1-b",
        "flex_start on g2-standard-4 in us-central1-a",
    ]
    places = [group.place_of(at)[3:] for at in range(5)]
    of_list = [("fallbacks", 0, "machine_types", at) for at in (0, 1)]
    assert places == [(), ("machine_types", 1), *of_list, ("fallbacks", 1)]
    zones = ("us-central1-a", "us-central1-f")
    for at, expected in ((1, ("on_demand", "a2-ultragpu-1g", zones, "")),
                         (3, ("spot", "a2-ultragpu-1g", (), "us-central1-b"))):  # fmt: skip
        _write(blueprint, dict(group.wishes[at]))
        assert _gpus(blueprint) == expected
        document = examine([blueprint]).results[0].document
        place = document.label(("node_groups", 1, "machine_type"))
        assert place.span
        assert place.span == document.said.label(group.place_of(at)).span  # type: ignore[union-attr]
        assert lock.counting(document)[0].number == at


def test_another_order_of_the_fallbacks_changes_nothing(blueprint: Path) -> None:
    _write(blueprint, {"model": "spot", "zone": "us-central1-b"})
    lines = TEXT.splitlines()
    blueprint.write_text("\n".join([*lines[:-2], lines[-1], lines[-2], ""]))
    assert _gpus(blueprint)[0] == "spot"
    assert lock.counting(examine([blueprint]).results[0].document)[0].number == 2


def test_a_lock_that_is_a_link_is_not_read(blueprint: Path, tmp_path: Path) -> None:
    (tmp_path / "team.capacity.lock").symlink_to("/etc/hostname")
    assert [each.code for each in examine([blueprint]).diagnostics] == ["BP274"]


@pytest.mark.parametrize(
    ("address", "error", "group"),
    [
        (NODE, OUT, "gpus"),
        ("google_compute_instance_group_manager.nodes-gpus_group_b", "QUOTA_EXCEEDED", "gpus"),
        ("terraform_data.nodes-gpus_group_arrival", f"local-exec provisioner error {OUT}", "gpus"),
        ("google_compute_per_instance_config.nodes-login_group_node", OUT, ""),
        ("google_compute_network.primary", "Quota 'NETWORKS' exceeded", ""),
        (NODE, "Error 403: PERMISSION_DENIED", ""),
    ],
)
def test_groups_are_told_by_the_addresses_of_failures(
    blueprint: Path, address: str, error: str, group: str
) -> None:
    results = examine([blueprint]).results
    broken = Broken("team", TerraformFailed("apply", [error], [address]))
    assert [each.group.name for each in lacking(results, [broken])] == ([group] if group else [])
    other = Broken("team", TerraformFailed("apply", [error, "no"], [address, NODE]))
    assert lacking(results, [other]) == [], "another failure is no matter of wishes"


def test_pools_with_similar_names_are_told_apart(tmp_path: Path) -> None:
    file = tmp_path / "pools.yaml"
    pool = "{{name: {}, machine_type: g2-standard-8, capacity: {{fallbacks: [{{model: spot}}]}}}}"
    file.write_text(
        "clusterprint: v1\nkind: gke\nname: pools\nproject: my-gpu-project\nregion: us-central1\n"
        "backend: {gcs: {bucket: my-terraform-state}}\n"
        f"node_pools: [{pool.format('a')}, {pool.format('a-0')}]\n"
    )
    results = examine([file]).results
    for name, group in (("pool-a", "a"), ("pool-a-0", "a-0"), ("pool-a-1", "a")):
        failed = TerraformFailed("apply", ["GCE_STOCKOUT"], [f"google_container_node_pool.{name}"])
        assert [each.group.name for each in lacking(results, [Broken("pools-cluster", failed)])] == [group]


class Cloud:
    """A cloud without capacity for the first `out` tries."""

    def __init__(self, out: int, paths: list[Path], *, until: bool = False, notify: str = "") -> None:
        self.out, self.models, self.paths = out, list[str](), paths
        agreement = Agreement("up", None, None, None, plan_only=False, yes=True)
        self.wished = fallbacks.Fallbacks(
            fallbacks.Asked(paths, agreement, until, notify, simulated=True, look=self.look)
        )

    def look(self, examined: Examined) -> set[str]:
        """The groups in a queue: those that ask for flex_start."""
        assert examined.results[0].blueprint.node_groups[1].capacity.model == "flex_start"  # type: ignore[union-attr]
        return {"gpus"}

    def run(self, examined: Examined, consent: Consent) -> Ended:
        """One try, which is confirmed."""
        if not consent.ask(("team",)):
            return Ended(Code.REFUSED)
        self.models.append(examined.results[0].blueprint.node_groups[1].capacity.model)  # type: ignore[union-attr]
        if len(self.models) <= self.out:
            return Ended(Code.FAILED, (Broken("team", TerraformFailed("apply", [OUT], [NODE])),))
        return Ended(Code.DONE)

    def make(self, *, agrees: bool = True) -> Code:
        """The whole `up`."""
        consent = Consent(lambda _: None, lambda _: agrees)
        return self.wished.make(examine(self.paths), consent, self.run).code


def test_each_wish_is_tried_once_from_the_one_that_counts(blueprint: Path) -> None:
    cloud = Cloud(99, [blueprint])
    assert cloud.make() is Code.FAILED
    assert cloud.models == ["on_demand", "spot", "flex_start"]
    again = Cloud(1, [blueprint])
    assert again.make() is Code.DONE
    assert again.models == ["flex_start", "on_demand"]
    entry = json.loads((blueprint.parent / "team.capacity.lock").read_text())["groups"]["gpus"]
    assert entry["capacity"] == {"model": "on_demand", "max_run_duration": "1d"}


def test_patience_is_how_long_rounds_begin(blueprint: Path) -> None:
    blueprint.write_text(TEXT.replace("max_run_duration: 1d", "patience: 90s"))
    cloud = Cloud(99, [blueprint])
    assert cloud.make() is Code.FAILED
    assert len(cloud.models) == 9, "rounds begin after 0, 60 and 90 seconds"


def test_a_queue_is_left_once_patience_is_over(blueprint: Path) -> None:
    last = "{model: reservation, reservation: r1, zone: us-central1-b}"
    text = TEXT.replace("max_run_duration: 1d", "patience: 5m") + f"        - {last}\n"
    blueprint.write_text(text)
    cloud = Cloud(2, [blueprint])
    assert cloud.make() is Code.DONE
    assert cloud.models == ["on_demand", "spot", "flex_start", "reservation"]
    blueprint.write_text(text.replace("      patience: 5m\n", ""))
    (blueprint.parent / "team.capacity.lock").unlink()
    cloud = Cloud(2, [blueprint])
    assert cloud.make() is Code.DONE
    assert cloud.models == ["on_demand", "spot", "flex_start"], "a queue is as good as capacity"


def test_until_capacity_has_no_end_but_capacity(
    blueprint: Path, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    told = tmp_path / "told"
    (tmp_path / "tell").write_text(f"#!/bin/sh\ncat >> {told}\necho >> {told}\n")
    (tmp_path / "tell").chmod(0o755)
    assert Cloud(7, [blueprint], until=True, notify=str(tmp_path / "tell")).make() is Code.DONE
    events = [json.loads(line)["event"] for line in told.read_text().splitlines()]
    assert events.count("waiting") == 2
    assert events[-1] == "standing"
    assert Cloud(1, [blueprint], notify="/no/such/program").make() is Code.DONE
    assert "--notify failed" in capfd.readouterr().err


def test_until_capacity_also_waits_for_groups_without_fallbacks(blueprint: Path) -> None:
    blueprint.write_text(TEXT.partition("    capacity:")[0])
    assert Cloud(1, [blueprint]).make() is Code.FAILED
    cloud = Cloud(2, [blueprint], until=True)
    assert cloud.make() is Code.DONE
    assert len(cloud.models) == 3
    assert not (blueprint.parent / "team.capacity.lock").exists()


def test_nothing_is_written_before_it_is_confirmed(blueprint: Path) -> None:
    _write(blueprint, {"model": "spot", "zone": "us-central1-b"})
    before = (blueprint.parent / "team.capacity.lock").read_bytes()
    cloud = Cloud(0, [blueprint])
    examined = cloud.wished.rebalanced(examine([blueprint]))
    refused = cloud.wished.make(examined, Consent(lambda _: None, lambda _: False), cloud.run)
    assert refused.code is Code.REFUSED
    assert (blueprint.parent / "team.capacity.lock").read_bytes() == before


def test_an_approval_is_about_one_wish(blueprint: Path, capfd: pytest.CaptureFixture[str]) -> None:
    cloud = Cloud(99, [blueprint])
    approved = cast("Agreement", SimpleNamespace(by_people=False))
    asked = fallbacks.Asked([blueprint], approved, until=False, notify="", simulated=True, look=cloud.look)
    cloud.wished = fallbacks.Fallbacks(asked)
    assert cloud.make() is Code.FAILED
    assert cloud.models == ["on_demand"], "nobody has approved the second wish"
    assert _gpus(blueprint)[0] == "spot", "the lock has it, for the next approval"
    assert "commit it, and approve it" in capfd.readouterr().err


@pytest.mark.parametrize("value", ["http://example.com", "'", "  "])
def test_a_notification_without_a_place_to_go_is_refused(value: str) -> None:
    with pytest.raises(UsageError, match="--notify"):
        fallbacks.check_notify(value)


def test_costs_are_a_range(blueprint: Path) -> None:
    found = priced(examine([blueprint]).results[0])
    assert [(each.number, each.counts) for each in found] == [(0, True), (1, False), (2, False)]
    prices = [each.per_hour or 0 for each in found]
    assert prices[1] < prices[0]
    assert cost_range(prices[0] + 1, found) == (round(min(prices) + 1, 2), round(max(prices) + 1, 2))


def test_quotas_are_from_the_least_to_the_most() -> None:
    def need(name: str, least: int, most: int) -> QuotaNeed:
        metric = Metric("google", "p", "r", "accelerator", name, "GPUs")
        return QuotaNeed(metric, "spot", least, most, is_asked=True, doubt="", sources=())

    now = [need("A", 4, 4), need("B", 1, 1)]
    found = with_wishes(now, [[[need("A", 2, 8), need("B", 1, 1)], [need("C", 2, 2), need("B", 1, 1)]]])
    assert [(each.metric.name, each.least, each.most) for each in found] == [
        ("A", 0, 8),
        ("B", 1, 1),
        ("C", 0, 2),
    ]


def test_wishes_have_words() -> None:
    wish = {"model": "flex_start", "max_run_duration": "3d", "size": "S", "zone": 2}
    assert wishes.words(wish) == "flex_start for 3d on S in 2"
