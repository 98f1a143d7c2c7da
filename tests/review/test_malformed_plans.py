"""Plans that are none: whatever stands in one, a review says what it found or what is wrong with the file."""

import copy
import json
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from support import Run

from clusterprint.errors import UsageError
from clusterprint.review.assemble import assemble
from clusterprint.review.model import Report
from clusterprint.review.render import html, markdown, text
from clusterprint.review.render import json as as_json
from clusterprint.review.terraform_plan import gather_plans

CHANGE = {
    "address": 'google_compute_firewall.f["a"]',
    "type": "google_compute_firewall",
    "name": "f",
    "mode": "managed",
    "previous_address": "google_compute_firewall.g",
    "action_reason": "replace_by_request",
    "change": {
        "actions": ["delete", "create"],
        "before": {
            "name": "f",
            "allow": [{"protocol": "tcp", "ports": ["22"]}],
            "labels": {"clusterprint": "c"},
        },
        "after": {
            "name": "f",
            "allow": [{"protocol": "tcp", "ports": ["80"]}],
            "source_ranges": ["0.0.0.0/0"],
        },
        "before_sensitive": {"name": False},
        "after_sensitive": {"labels": True},
        "after_unknown": {"id": True},
        "replace_paths": [["name"], ["allow", 0, "ports"]],
        "importing": {"id": "x"},
    },
}
POOL = {
    "address": "google_container_node_pool.p",
    "type": "google_container_node_pool",
    "change": {
        "actions": ["update"],
        "before": {
            "name": "p",
            "node_count": 2,
            "node_locations": ["a", "b"],
            "autoscaling": [{"max_node_count": 3}],
        },
        "after": {
            "name": "p",
            "node_count": 1,
            "node_locations": ["a"],
            "node_config": [{"machine_type": "a2-highgpu-1g"}],
        },
    },
}
RELEASE = {
    "address": "helm_release.manifests",
    "type": "helm_release",
    "change": {
        "actions": ["create"],
        "before": None,
        "after": {
            "values": [
                '{"objects": {"a": {"kind": "Service", "metadata": {}, "spec": {"type": "NodePort"}}}}'
            ]
        },
    },
}
BINDING = {
    "address": "kubernetes_cluster_role_binding_v1.b",
    "type": "kubernetes_cluster_role_binding_v1",
    "change": {
        "actions": ["create"],
        "before": None,
        "after": {
            "role_ref": [{"name": "cluster-admin"}],
            "subject": [{"name": "a"}],
            "metadata": [{"name": "b"}],
        },
    },
}
TEMPLATE = {
    "address": "google_compute_instance_template.t",
    "type": "google_compute_instance_template",
    "change": {
        "actions": ["create"],
        "before": None,
        "after": {"metadata": {"ssh-keys": "x"}, "network_interface": [{"access_config": [{}]}]},
    },
}
PLAN = {
    "format_version": "1.2",
    "terraform_version": "1.9.0",
    "errored": False,
    "complete": True,
    "resource_changes": [CHANGE, POOL, RELEASE, BINDING, TEMPLATE],
    "resource_drift": [POOL],
    "deferred_changes": [{"reason": "unknown", "resource_change": CHANGE}],
    "output_changes": {
        "state": {"actions": ["update"], "before": "a", "after": "b", "after_sensitive": False}
    },
    "planned_values": {"outputs": {"state": {"value": "gs://b/p/c/default.tfstate"}}},
    "checks": [
        {
            "address": {"to_display": "check.x"},
            "status": "fail",
            "instances": [{"problems": [{"message": "no"}]}],
        }
    ],
    "configuration": {
        "root_module": {
            "resources": [
                {"address": "google_compute_firewall.f", "expressions": {"name": {"references": ["a.b"]}}}
            ]
        }
    },
}

JUNK: tuple[Any, ...] = (
    None, True, False, 0, 1.5, -1, 10**30, 1e308, "", "x", "${a}", "\x00", "\ud800", [], {}, [[]], [None],
    ["x"], {"x": 1}, [{"x": []}], {"": None}, [1, "a"], "0.0.0.0/0", [["a", 1]],
)  # fmt: skip


def review(file: Path, plan: Any) -> Report:
    """The report of a plan, in every form. Raises UsageError for what is no plan."""
    file.write_text(json.dumps(plan), "utf-8")
    report = assemble(gather_plans([file]))
    for form in (text, markdown, html, as_json):
        assert form.render(report)
    return report


def places(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    yield path
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, each in items:
        yield from places(each, (*path, key))


def mutated(plan: Any, chance: random.Random) -> Any:
    """A copy of the plan in which up to three values are something else, or gone."""
    made = copy.deepcopy(plan)
    for _ in range(chance.randint(1, 3)):
        path = chance.choice([each for each in places(made) if each])
        *parents, last = path
        target = made
        for key in parents:
            target = target[key]
        if chance.random() < 0.15:
            del target[last]
        else:
            target[last] = copy.deepcopy(chance.choice(JUNK))
    return made


@pytest.mark.slow
@pytest.mark.parametrize("block", range(6))
def test_a_mutated_plan_is_reviewed_or_refused(tmp_path: Path, block: int) -> None:
    chance = random.Random(20261122 + block)  # noqa: S311 - the same on every run
    outcomes = {"reviewed": 0, "refused": 0}
    for _ in range(60):
        plan = mutated(PLAN, chance)
        try:
            review(tmp_path / "plan.json", plan)
            outcomes["reviewed"] += 1
        except UsageError:
            outcomes["refused"] += 1
        except Exception as error:
            error.add_note(json.dumps(plan))
            raise
    assert all(outcomes.values())


@pytest.mark.parametrize(
    ("change", "told"),
    [
        (
            {"resource_changes": [{**CHANGE, "change": {"actions": 1.5}}]},
            "resource_changes[0].change.actions",
        ),
        (
            {"resource_changes": [{**CHANGE, "change": {"actions": [1]}}]},
            "resource_changes[0].change.actions[0]",
        ),
        ({"resource_changes": [1]}, "resource_changes[0]"),
        (
            {"checks": [{"status": "fail", "instances": [{"problems": ["x"]}]}]},
            "checks[0].instances[0].problems[0]",
        ),
        ({"checks": 1.5}, "checks"),
        ({"output_changes": {"a": 1}}, "output_changes.a"),
    ],
)
def test_what_is_wrong_with_a_plan_is_named(tmp_path: Path, change: dict[str, Any], told: str) -> None:
    with pytest.raises(UsageError, match="is not a Terraform plan") as raised:
        review(tmp_path / "plan.json", {**PLAN, **change})
    assert told in str(raised.value)


def test_a_plan_that_is_whole_is_reviewed(tmp_path: Path) -> None:
    assert len(review(tmp_path / "plan.json", PLAN).risks) > 5


@pytest.mark.slow
def test_a_plan_cannot_come_from_standard_input(clusterprint: Run, tmp_path: Path) -> None:
    done = clusterprint("review", "--plan", "-", cwd=tmp_path)
    assert done.returncode == 2
    assert "standard input" in done.stderr
