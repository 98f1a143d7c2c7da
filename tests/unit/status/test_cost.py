from datetime import UTC, datetime

from msgspec import structs
from support import BLUEPRINTS

from clusterprint.blueprint.blueprint import Blueprint, Budget
from clusterprint.load import load
from clusterprint.status.cost import Cost, cost_of, prices_of
from clusterprint.status.machines import Node
from clusterprint.validate import validate

NOW = datetime(2026, 11, 20, 12, tzinfo=UTC)


def blueprint() -> Blueprint:
    document = load(BLUEPRINTS / "vm-smallest.yaml").document
    assert document
    found = validate(document).blueprint
    assert found
    return found


def test_nodes_cost_from_when_each_was_made_until_now() -> None:
    price = prices_of(blueprint())["nodes"]
    assert price
    nodes = [
        Node("a", "nodes", "z", "ready", since="2026-11-20T10:00:00Z"),
        Node("b", "nodes", "z", "ready", since="2026-11-20T03:00:00.000-08:00"),
        Node("c", "nodes", "z", "stopped"),
        Node("d", "others", "z", "ready", since="2026-11-20T11:00:00Z"),
    ]
    assert cost_of(blueprint(), nodes, NOW) == Cost(
        per_hour=round(2 * price, 2),
        so_far=round(3 * price, 2),
        since="2026-11-20T10:00:00Z",
        without_price=("others",),
        budget=None,
    )


def test_a_month_of_the_running_nodes_is_compared_with_the_budget() -> None:
    price = prices_of(blueprint())["nodes"]
    assert price
    nodes = [Node("a", "nodes", "z", "ready", since="2026-11-20T10:00:00Z")]
    found = cost_of(structs.replace(blueprint(), budget=Budget(per_month=9)), nodes, NOW)
    assert (found.budget, found.per_month) == (9, round(price, 2) * 730)


def test_what_does_not_run_costs_nothing_and_a_time_that_is_none_counts_as_none() -> None:
    nodes = [Node("a", "nodes", "z", "stopped"), Node("b", "nodes", "z", "ready", since="yesterday")]
    assert cost_of(blueprint(), nodes, NOW) == Cost(None, None, "", (), None)
