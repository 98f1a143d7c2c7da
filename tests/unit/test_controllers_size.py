"""Controllers of jobs have memory for all nodes that a cluster may have."""

import pytest
from unit.conftest import Inside

from clusterprint.plan.kubernetes import ChartPlan


def memory(chart: ChartPlan, *place: str) -> dict[str, str]:
    """The memory that a chart gives its controller, or nothing where that is the chart's own."""
    values = chart.values
    for key in (*place, "resources"):
        found = values.get(key)
        if not isinstance(found, dict):
            return {}
        values = found
    return {key: value["memory"] for key, value in values.items() if isinstance(value, dict)}


@pytest.mark.parametrize(
    ("nodes", "kueue", "jobset"),
    [
        (100, {"requests": "512Mi", "limits": "4096Mi"}, {}),
        (1000, {"requests": "1200Mi", "limits": "4096Mi"}, {}),
        (4000, {"requests": "4800Mi", "limits": "4800Mi"}, {"requests": "4800Mi", "limits": "4800Mi"}),
    ],
)
def test_memory_grows_with_the_nodes(
    inside: Inside, nodes: int, kueue: dict[str, str], jobset: dict[str, str]
) -> None:
    pools = ", ".join(
        f"{{name: c{index}, machine_type: c3-standard-44, autoscaling: {{max: {nodes // 4}}}}}"
        for index in range(4)
    )
    network = "network: {cidr: 10.0.0.0/9}\n"
    plan = inside.plan(f"{network}node_pools: [{pools}]\nworkloads: {{kueue: {{}}, jobset: {{}}}}\n")
    assert plan is not None
    assert plan.queues is not None
    (made,) = [each for each in plan.charts if each.key == "jobset"]
    assert memory(plan.queues.chart, "controllerManager", "manager") == kueue
    assert memory(made, "controller") == jobset


def test_memory_of_the_users_values_is_kept(inside: Inside) -> None:
    values = "{inline: 'controllerManager: {manager: {resources: {limits: {memory: 9Gi}}}}'}"
    pool = "{name: c, machine_type: c3-standard-44, count: 2}"
    plan = inside.plan(f"node_pools: [{pool}]\nworkloads: {{kueue: {{values: {values}}}}}\n")
    assert plan is not None
    assert plan.queues is not None
    assert memory(plan.queues.chart, "controllerManager", "manager")["limits"] == "9Gi"
