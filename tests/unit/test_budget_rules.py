"""The rules of budgets count the machines and prices that `list` shows."""

import pytest
from support import GOLDENS

from clusterprint.load import load
from clusterprint.overview.cluster import cluster_of
from clusterprint.overview.facts import facts_of
from clusterprint.rules.every_kind.budget import costs_of
from clusterprint.validate import validate


@pytest.mark.parametrize("golden", ["attached-gpus", "gke-everything", "ray-everything", "vmss-hpc"])
def test_the_rules_count_what_is_listed(golden: str) -> None:
    document = load(GOLDENS / f"{golden}.yaml").document
    assert document
    validated = validate(document)
    assert validated.blueprint
    listed: dict[str, tuple[float, float]] = {}
    for group in cluster_of(validated).groups:
        price = facts_of(group).price
        machines, usd = group.machines, price.usd * 730 if price else 0
        most = machines.most * usd
        listed[machines.name] = (machines.nodes * usd, most)
    counted = {each.name: (each.least, each.most) for each in costs_of(validated.blueprint)}
    assert sum(most for _, most in counted.values()) > 0
    assert {name: most for name, (_, most) in counted.items() if most} == pytest.approx(
        {name: most for name, (_, most) in listed.items() if most}
    )
    assert all(least <= listed[name][0] + 0.01 for name, (least, _) in counted.items() if least)
