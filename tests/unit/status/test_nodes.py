"""Whose nodes are asked for: those of kinds that have some, where there is somebody to ask."""

import os

import pytest
from support import BLUEPRINTS, field, plans_of

from clusterprint.blueprint import KINDS
from clusterprint.derived.machine_groups import groups_of
from clusterprint.load import load
from clusterprint.plan.part import StackPlan
from clusterprint.resolve import resolve
from clusterprint.status.cluster import has_nodes, nodes_of
from clusterprint.status.programs import Programs
from clusterprint.validate import validate


def test_a_kind_without_nodes_has_nobody_to_ask() -> None:
    kept = [StackPlan(name="kept")]
    for simulated in (False, True):
        assert nodes_of(kept, Programs({}, simulated=simulated)) == (None, "this kind has no nodes")


@pytest.mark.parametrize("kind", KINDS)
def test_nodes_are_asked_for_where_a_kind_makes_machines(kind: str) -> None:
    file = min(case for case in BLUEPRINTS.glob("*.yaml") if field(case, "kind") == kind)
    document = load(file).document
    assert document
    blueprint = validate(document).blueprint
    assert blueprint
    assert has_nodes(resolve(blueprint, BLUEPRINTS)) == bool(groups_of(blueprint))


@pytest.mark.parametrize("name", ["gke-smallest", "ray-l4-dev", "vmss-h200"])
def test_a_simulated_cloud_that_is_not_entered_asks_no_program_of_this_machine(name: str) -> None:
    plans = plans_of((BLUEPRINTS / f"{name}.yaml").read_text("utf-8"))
    found, _ = nodes_of(plans, Programs(os.environ, simulated=True))
    assert found
    assert not found.nodes
    assert "the simulated cloud has no " in found.unknown[0]
