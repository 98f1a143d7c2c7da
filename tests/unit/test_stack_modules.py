"""Which module builds the stack of a plan: it follows from the plan's name."""

import pytest

from clusterprint.plan.part import StackPlan
from stacks import module_of


@pytest.mark.parametrize(
    ("name", "module"),
    [
        ("VmPlan", "stacks.vm.stack"),
        ("GkeClusterPlan", "stacks.gke.cluster"),
        ("ArchivePlan", "stacks.archive"),  # there is no folder of this name
    ],
)
def test_the_module_follows_from_the_name(name: str, module: str) -> None:
    plan = type(name, (StackPlan,), {}, frozen=True, kw_only=True)
    assert module_of(plan) == module
