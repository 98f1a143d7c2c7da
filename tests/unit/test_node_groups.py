"""Facts about the groups of a cluster of `kind: vm`."""

from itertools import permutations

import pytest
from support import GOLDENS

from clusterprint import catalog
from clusterprint.derived import node_groups
from clusterprint.review.machines import machines_of
from clusterprint.review.stack_file import read_stack


def layout(machine_type: str) -> catalog.NetworkLayout:
    found = catalog.machine(machine_type)
    assert found is not None
    return found.network


@pytest.mark.parametrize(
    ("machine_types", "extra", "rdma", "mtu"),
    [
        (("n2-standard-4", "a3-ultragpu-8g", "a4x-highgpu-4g"), 1, 8, 8896),
        (("n2-standard-4", "a3-highgpu-8g", "a3-megagpu-8g"), 8, 0, 8244),
        (("g4-standard-384", "a4-highgpu-8g"), 1, 8, 8896),
        (("n2-standard-4", "a2-highgpu-1g"), 0, 0, None),
    ],
)
def test_groups_share_the_networks_of_all_whatever_their_order(
    machine_types: tuple[str, ...], extra: int, rdma: int, mtu: int | None
) -> None:
    for each in permutations(machine_types):
        joint = node_groups.joint(layout(name) for name in each)
        assert (joint.extra_vpcs, joint.rdma_subnets, joint.mtu) == (extra, rdma, mtu)
        assert joint.rdma_profile == ("vpc-roce" if rdma else "")


def test_a_review_counts_the_machines_of_each_group() -> None:
    stack = read_stack(GOLDENS / "node-groups.tf.json", "mixed")
    machines = machines_of(list(stack.resources.values()))
    found = {each.name: (each.machine_type, each.model, each.nodes) for each in machines}
    assert found == {
        "mixed-login-nodes": ("n2-standard-4", "on_demand", 1),
        "mixed-train-nodes-workload": ("a3-ultragpu-8g", "flex_start", 2),
        "mixed-prepare-nodes-compact": ("c2-standard-60", "on_demand", 2),
        "mixed-t4-nodes": ("n1-standard-8", "on_demand", 1),
        "mixed-pinned-nodes": ("n2-standard-8", "on_demand", 1),
        "mixed-containers-nodes": ("n2-standard-2", "on_demand", 1),
    }
