"""Whose nodes are asked for: those of kinds that have some, where there is somebody to ask."""

import pytest
from support import BLUEPRINTS, plans_of

from clusterprint.plan.slice import StackPlan
from clusterprint.status.cluster import has_nodes, nodes_of
from clusterprint.status.programs import Programs


def test_a_kind_without_nodes_has_nobody_to_ask() -> None:
    kept = [StackPlan(name="kept")]
    for simulated in (False, True):
        assert nodes_of(kept, Programs({}, simulated=simulated)) == (None, "this kind has no nodes")


@pytest.mark.parametrize("name", ["vm-smallest", "gke-smallest", "gke-mpi-hpl", "ray-l4-dev", "vmss-h200"])
def test_every_other_kind_has_nodes(name: str) -> None:
    assert has_nodes(plans_of((BLUEPRINTS / f"{name}.yaml").read_text("utf-8")))


@pytest.mark.parametrize("name", ["gke-smallest", "ray-l4-dev", "vmss-h200"])
def test_the_simulated_cloud_has_nodes_of_kind_vm_only(name: str) -> None:
    plans = plans_of((BLUEPRINTS / f"{name}.yaml").read_text("utf-8"))
    assert nodes_of(plans, Programs({}, simulated=True)) == (None, "nodes and jobs are not simulated")
