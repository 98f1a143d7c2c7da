"""Reviews of plans, from the output of `terraform show -json`."""

import json
from pathlib import Path
from typing import Any

import pytest
from support import Run

from clusterprint.errors import UsageError
from clusterprint.review.assemble import assemble
from clusterprint.review.model import Change, Report
from clusterprint.review.render import json as json_form
from clusterprint.review.render import markdown, text
from clusterprint.review.terraform_plan import gather_plans
from clusterprint.review.terraform_plan.read import read_plan

L4 = "g2-standard-8"
SECRET = "swordfish-42"  # noqa: S105 - so that it can be looked for


def entry(address: str, actions: list[str], before: Any, after: Any, **more: Any) -> dict[str, Any]:
    """A resource change; `change` holds more of its inner part."""
    change = {"actions": actions, "before": before, "after": after, **more.pop("change", {})}
    type_ = address.split(".", maxsplit=1)[0]
    return {"address": address, "mode": "managed", "type": type_, "change": change, **more}


def plan(*changes: dict[str, Any], **more: Any) -> dict[str, Any]:
    """A plan document."""
    return {
        "format_version": "1.2",
        "terraform_version": "1.11.4",
        "planned_values": {},
        "resource_changes": list(changes),
        **more,
    }


@pytest.fixture
def reported(tmp_path: Path) -> Any:
    """Put plans into files and review them."""

    def review(*documents: dict[str, Any]) -> Report:
        files = []
        for number, document in enumerate(documents):
            files.append(tmp_path / f"stack{number}.json")
            files[-1].write_text(json.dumps(document), "utf-8")
        return assemble(gather_plans(files))

    return review


def by_address(report: Report) -> dict[str, Change]:
    return {
        change.address: change
        for cluster in report.clusters
        for group in cluster.groups
        for change in group.changes
    }


def test_every_action(reported: Any) -> None:
    report = reported(
        plan(
            entry("google_storage_bucket.a", ["create"], None, {"name": "a"}),
            entry("google_storage_bucket.b", ["update"], {"name": "b", "x": 1}, {"name": "b", "x": 2}),
            entry("google_storage_bucket.c", ["delete"], {"name": "c"}, None),
            entry("google_compute_network.d", ["delete", "create"], {"name": "d"}, {"name": "e"}),
            entry("google_compute_network.f", ["create", "delete"], {"mtu": 1}, {"mtu": 2}),
            entry("google_compute_network.g", ["no-op"], {}, {}, previous_address="google_compute_network.h"),
            entry("google_compute_network.i", ["forget"], {}, None),
            entry("google_compute_network.j", ["no-op"], {}, {}, change={"importing": {"id": "j"}}),
            entry("google_compute_network.k", ["no-op"], {"name": "k"}, {"name": "k"}),
            {**entry("data.x.y", ["read"], None, {}), "mode": "data"},
        )
    )
    found = by_address(report)
    assert {address.split(".")[1]: each.action for address, each in found.items()} == {
        "a": "added", "b": "changed", "c": "removed", "d": "replaced", "f": "replaced",
        "g": "moved", "i": "forgotten", "j": "imported",
    }  # fmt: skip
    assert not found["google_compute_network.d"].create_first
    assert found["google_compute_network.f"].create_first
    assert found["google_compute_network.g"].previous_address == "google_compute_network.h"
    counts = report.verdict.counts
    assert (counts.added, counts.changed, counts.removed, counts.replaced, counts.moved) == (1, 1, 1, 2, 1)
    assert any("only read during apply" in note for note in report.notes)


def test_instances_that_are_added_alike_are_one_change_with_what_they_share(reported: Any) -> None:
    entries = [
        entry(
            f'google_project_service.made["{name}"]',
            ["create"],
            None,
            {"service": name, "project": "p"},
        )
        for name in ("a", "b")
    ]
    (change,) = by_address(reported(plan(*entries))).values()
    assert change.instances == ('google_project_service.made["a"]', 'google_project_service.made["b"]')
    assert [(each.path, each.after.text) for each in change.values] == [("project", "p")]


def test_a_replacement_says_what_forces_it(reported: Any) -> None:
    report = reported(
        plan(
            entry(
                "google_container_node_pool.pool",
                ["delete", "create"],
                {"name": "gpu", "node_count": 3, "node_config": [{"spot": False, "machine_type": L4}]},
                {"name": "gpu", "node_count": 3, "node_config": [{"spot": True, "machine_type": L4}]},
                change={"replace_paths": [["node_config", 0, "spot"]]},
                action_reason="replace_because_cannot_update",
            )
        )
    )  # fmt: skip
    (change,) = by_address(report).values()
    assert [each.path for each in change.forced_by] == ["node_config.spot"]
    assert [each.path for each in change.values] == ["node_config.spot"]
    risk = next(each for each in report.risks if each.name == "pool_replaced")
    assert "its 3 nodes go" in risk.message
    assert {(row.family, row.model, row.before.nodes, row.after.nodes) for row in report.capacity} == {
        ("L4 24GB", "on_demand", 3, 0),
        ("L4 24GB", "spot", 0, 3),
    }


@pytest.mark.parametrize("mark", [True, {"secret": True}, {"secret": [True]}])
def test_sensitive_values_are_never_shown(reported: Any, mark: Any) -> None:
    value = [SECRET] if isinstance(mark, dict) and isinstance(mark["secret"], list) else SECRET
    report = reported(
        plan(
            entry(
                "some_thing.a",
                ["update"],
                {"secret": "old", "other": 1},
                {"secret": value, "other": 2},
                change={"before_sensitive": False, "after_sensitive": mark},
            ),
            entry(
                "some_thing.b", ["create"], None, {"secret": value}, change={"after_sensitive": mark}
            ),
            output_changes={
                "key": {
                    "actions": ["update"], "before": "x", "after": SECRET,
                    "before_sensitive": True, "after_sensitive": True,
                }
            },
        )
    )  # fmt: skip
    for render in (json_form.render, markdown.render, text.render):
        assert SECRET not in render(report)
    assert set(by_address(report)) == {"some_thing.a", "some_thing.b"}
    (output,) = report.clusters[0].outputs
    assert (output.before.state, output.after.state) == ("sensitive", "sensitive")


def test_a_sensitive_name_is_not_shown_in_titles_and_risks(reported: Any) -> None:
    ports = [{"protocol": "tcp", "ports": [SECRET]}]
    report = reported(
        plan(
            entry(
                "google_storage_bucket.a", ["delete"], {"name": SECRET}, None,
                change={"before_sensitive": {"name": True}},
            ),
            entry(
                "google_compute_firewall.f", ["update"],
                {"name": "f", "allow": ports, "source_ranges": ["10.0.0.0/8"]},
                {"name": "f", "allow": ports, "source_ranges": ["0.0.0.0/0"]},
                change={"after_sensitive": {"allow": [{"ports": [True]}]}},
            ),
        )
    )  # fmt: skip
    assert {"bucket_removed", "open_to_internet"} <= {each.name for each in report.risks}
    for render in (json_form.render, markdown.render, text.render):
        assert SECRET not in render(report)


def test_a_changed_sensitive_value_is_still_a_change(reported: Any) -> None:
    def values(after: str) -> list[str]:
        report = reported(
            plan(
                entry(
                    "some_thing.a", ["update"], {"key": "x", "n": 1}, {"key": after, "n": 2},
                    change={"after_sensitive": {"key": True}},
                )
            )
        )  # fmt: skip
        (change,) = by_address(report).values()
        return [each.path for each in change.values]

    assert values("y") == ["key", "n"]
    assert values("x") == ["n"]


def test_what_sounds_like_a_secret_is_masked_even_if_nobody_says_so(reported: Any) -> None:
    report = reported(
        plan(
            entry(
                "some_thing.a",
                ["update"],
                {"db_password": "old", "url": "https://u:old@host/", "metadata": {"api_token": "old"}},
                {
                    "db_password": SECRET,
                    "url": f"https://u:{SECRET}@host/",
                    "metadata": {"api_token": SECRET},
                },
            )
        )
    )
    assert SECRET not in json_form.render(report)


def test_unknown_values(reported: Any) -> None:
    report = reported(
        plan(
            entry(
                "google_compute_instance_group_manager.g",
                ["update"],
                {"version": [{"instance_template": "old"}]},
                {"version": [{}]},
                change={"after_unknown": {"version": [{"instance_template": True}]}},
            )
        )
    )
    ((value,),) = [each.values for each in by_address(report).values()]
    assert value.path == "version.instance_template"
    assert (value.before.text, value.after.state) == ("old", "unknown")


def test_drift_that_a_change_meets_is_a_risk(reported: Any) -> None:
    drifted = entry("google_storage_bucket.a", ["update"], {"x": 1}, {"x": 2})
    report = reported(
        plan(
            entry("google_storage_bucket.a", ["update"], {"x": 2}, {"x": 1}),
            resource_drift=[drifted, entry("google_storage_bucket.b", ["update"], {"x": 1}, {"x": 2})],
        )
    )
    assert [each.address for each in report.drift] == ["google_storage_bucket.a", "google_storage_bucket.b"]
    assert [each.addresses for each in report.risks if each.name == "drift"] == [("google_storage_bucket.a",)]


def test_what_a_change_leaves_as_it_is_it_does_not_meet(reported: Any) -> None:
    address = "google_compute_instance_group_manager.g"
    report = reported(
        plan(
            entry(address, ["update"], {"target_size": 2, "name": "a"}, {"target_size": 2, "name": "b"}),
            resource_drift=[entry(address, ["update"], {"target_size": 0}, {"target_size": 2})],
        )
    )
    assert [each.address for each in report.drift] == [address]
    assert "drift" not in {each.name for each in report.risks}


def test_what_the_provider_reads_back_is_no_drift(reported: Any) -> None:
    group = "google_compute_instance_group_manager.g"
    written = {"address": group, "expressions": {"name": {"constant_value": "a"}}}
    configuration = {"root_module": {"resources": [written]}}

    def drifted(before: dict[str, Any], after: dict[str, Any], *changes: Any) -> list[tuple[str, list[str]]]:
        drift = [entry(group, ["update"], before, after)]
        report = reported(plan(*changes, resource_drift=drift, configuration=configuration))
        return [(each.address, [value.path for value in each.values]) for each in report.drift]

    assert drifted({"target_size": 0, "name": "a"}, {"target_size": 2, "name": "a"}) == []
    assert drifted({"target_size": 0, "name": "a"}, {"target_size": 2, "name": "b"}) == [(group, ["name"])]
    back = entry(group, ["update"], {"target_size": 2}, {"target_size": 0})
    assert drifted({"target_size": 0}, {"target_size": 2}, back) == [(group, ["target_size"])]
    gone = [entry(group, ["delete"], {"target_size": 2}, None)]
    report = reported(plan(resource_drift=gone, configuration=configuration))
    assert [each.address for each in report.drift] == [group]


def test_checks_that_did_not_pass(reported: Any) -> None:
    report = reported(
        plan(
            checks=[
                {"address": {"to_display": "check.one"}, "status": "pass"},
                {
                    "address": {"to_display": "check.two"},
                    "status": "fail",
                    "instances": [{"problems": [{"message": "no quota"}]}],
                },
            ]
        )
    )
    assert [(each.address, each.status, each.messages) for each in report.checks] == [
        ("check.two", "fail", ("no quota",))
    ]
    assert "check_failed" in {each.name for each in report.risks}


def test_what_is_left_open_is_said(reported: Any) -> None:
    deferred = {"reason": "provider_config_unknown", "resource_change": {"address": "helm_release.ray"}}
    report = reported(plan(errored=True), plan(complete=False, deferred_changes=[deferred]))
    assert any("failed part-way" in note for note in report.notes)
    assert any("helm_release.ray" in note for note in report.notes)


def test_several_stacks_of_one_cluster_are_one_cluster(reported: Any) -> None:
    labels = {"clusterprint": "ml"}
    report = reported(
        plan(
            entry("google_container_cluster.c", ["create"], None, {"name": "ml", "resource_labels": labels})
        ),
        plan(entry("google_storage_bucket.b", ["create"], None, {"name": "data", "labels": labels})),
    )
    (cluster,) = report.clusters
    assert (cluster.name, cluster.stacks) == ("ml", ("stack0", "stack1"))


def test_the_stack_says_itself_which_it_is(reported: Any) -> None:
    state = {"outputs": {"state": {"value": "gs://b/clusterprint/ml/ml-cluster/default.tfstate"}}}
    report = reported(plan(entry("null_resource.a", ["create"], None, {}), planned_values=state))
    assert report.clusters[0].stacks == ("ml-cluster",)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"PK\x03\x04binary", "a plan as Terraform keeps it"),
        (b"not json", "is not JSON"),
        (b"\xff\xfe\x00", "is not text"),
        (b"[]", "not a Terraform plan"),
        (b"{}", "not a Terraform plan"),
        (b'{"format_version": "1.0", "values": {}}', "a Terraform state"),
        (b'{"format_version": "9.0", "resource_changes": []}', "plan format 9.0"),
        (b'{"format_version": "1.2", "resource_changes": {}}', "resource_changes is a map"),
        (b'{"@level":"info","@message":"x"}\n{"@level":"info"}\n', "the log of `terraform plan -json`"),
        (b"[" * 200_000, "nested too deeply"),
    ],
)
def test_what_is_no_plan_is_refused_with_a_way_out(tmp_path: Path, content: bytes, message: str) -> None:
    file = tmp_path / "plan.json"
    file.write_bytes(content)
    with pytest.raises(UsageError, match=r"plan\.json") as refused:
        read_plan(file)
    assert message in str(refused.value)


def test_odd_entries_of_a_plan_do_no_harm(reported: Any) -> None:
    report = reported(
        plan(
            {"address": "a.b", "type": "a"},
            {"address": "a.c", "type": "a", "change": {"actions": ["update"], "before": None, "after": None}},
            {"address": "a.d", "type": "a", "change": {"actions": ["dance"]}},
            entry("a.e", ["update"], {"x": {"y": [1]}}, {"x": "z"}, change={"replace_paths": "?"}),
        )
    )
    assert "a.e" in by_address(report)


def test_an_unreadable_plan_is_wrong_usage(clusterprint: Run, tmp_path: Path) -> None:
    done = clusterprint("review", "--plan", tmp_path / "nowhere.json")
    assert done.returncode == 2
    assert "cannot read the plan" in done.stderr
    assert "Traceback" not in done.stderr
