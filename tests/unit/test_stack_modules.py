"""Which module builds the stack of a plan: each plan names one."""

from clusterprint import assets
from clusterprint.plan.gke.cluster import GkeClusterPlan
from clusterprint.plan.gke.workloads import GkeWorkloadsPlan
from clusterprint.plan.ray.cluster import RayClusterPlan
from clusterprint.plan.ray.ray import RayPlan
from clusterprint.plan.vm import VmPlan
from clusterprint.plan.vmss import VmssPlan

PLANS = (GkeClusterPlan, GkeWorkloadsPlan, RayClusterPlan, RayPlan, VmPlan, VmssPlan)


def test_each_plan_names_a_module_of_its_own_that_builds_a_stack() -> None:
    stacks = assets.folder("stacks")
    building = [each for each in stacks.rglob("*.py") if "\ndef build(" in each.read_text("utf-8")]
    modules = [".".join(each.relative_to(stacks).with_suffix("").parts) for each in building]
    assert sorted(each.module for each in PLANS) == sorted(modules)
