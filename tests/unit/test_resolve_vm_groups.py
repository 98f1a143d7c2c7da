"""Which groups the nodes of `kind: vm` are in, what those keep, and where their hosts may be maintained."""

from pathlib import Path

import pytest

from clusterprint import catalog
from clusterprint.load import load_text
from clusterprint.plan.vm import GroupPlan, VmPlan
from clusterprint.resolve import resolve
from clusterprint.validate import validate

HEAD = """\
clusterprint: v1
kind: vm
name: c
project: my-project
region: us-central1
zone: us-central1-a
backend: {gcs: {bucket: my-state}}
"""


def plan_of(text: str) -> VmPlan:
    """The plan of a blueprint without errors."""
    document = load_text(text.encode(), "a.yaml", Path()).document
    assert document is not None
    blueprint = validate(document).blueprint
    assert blueprint is not None
    (plan,) = resolve(blueprint, Path())
    assert isinstance(plan, VmPlan)
    return plan


def planned(nodes: str, head: str = HEAD) -> VmPlan:
    return plan_of(f"{head}nodes: {{{nodes}}}\n")


def group(nodes: str) -> GroupPlan:
    return planned(nodes).groups[0].group


def test_a_group_has_as_many_names_as_the_provider_reads() -> None:
    found = group("machine_type: n2-standard-2, count: 1000")
    assert [(part.key, part.name, len(part.nodes)) for part in found.parts] == [
        ("", "c-nodes", 500),
        ("1", "c-nodes-1", 500),
    ]
    assert found.nodes == tuple(f"c-{number}" for number in range(1000))
    assert [part.arrival.environment["NODES"] for part in found.parts if part.arrival] == ["500", "500"]
    assert [part.key for part in group("machine_type: n2-standard-2, count: 500").parts] == [""]


def test_one_more_than_fits_moves_no_node() -> None:
    before, after = (group(f"machine_type: n2-standard-2, count: {count}") for count in (500, 501))
    assert after.parts[0] == before.parts[0]
    assert after.parts[1].nodes == ("c-500",)


def test_a_queue_is_one_request_however_many() -> None:
    head = HEAD.replace("central1-a", "central1-b")
    found = planned("machine_type: a3-ultragpu-8g, count: 600, capacity: {model: flex_start}", head).groups[0]
    assert (found.group.queued, len(found.group.parts), found.group.nodes) == (600, 1, ())


def test_without_nodes_there_is_a_group_that_nobody_waits_for() -> None:
    plan = planned("machine_type: n2-standard-2, count: 0")
    assert [(part.name, part.nodes, part.arrival) for part in plan.groups[0].group.parts] == [
        ("c-nodes", (), None)
    ]
    assert plan.scripts == {}
    assert set(planned("machine_type: n2-standard-2").scripts) == {"wait-for-nodes"}


@pytest.mark.parametrize("count", [1, 3, 4])
def test_nodes_are_in_each_zone_in_turn(count: int) -> None:
    several = f"""{HEAD}node_groups:
  - {{name: web, machine_type: n2-standard-2, count: {count}, zones: [us-central1-f, us-central1-b]}}
"""
    plan = plan_of(several)
    zones = ["us-central1-f", "us-central1-b"] * 2
    assert plan.groups[0].group.zones == {f"c-web-{number}": zones[number] for number in range(count)}
    for node, command in zip(plan.outputs.nodes, plan.outputs.connect, strict=True):
        zone = plan.groups[0].group.zones[node]
        assert command.startswith(f"gcloud compute ssh {node} --project=my-project --zone={zone} ")
        assert plan.outputs.addresses[node] == f"{node}.{zone}.c.my-project.internal"


@pytest.mark.parametrize(
    ("said", "kept"),
    [
        ("", True),
        ("capacity: {model: spot}", True),
        ("capacity: {model: spot, termination_action: stop}", True),
        ("capacity: {model: spot, termination_action: delete}", False),
        ("capacity: {max_run_duration: 12h}", False),
        ("capacity: {max_run_duration: 12h, termination_action: stop}", True),
        ("update: proactive", False),
        ("update: proactive, boot_disk: {keep: true}", True),
        ("boot_disk: {keep: false}", False),
        ("capacity: {model: spot, termination_action: delete}, boot_disk: {keep: true}", True),
    ],
)
def test_nodes_keep_their_boot_disks_where_that_is_promised(said: str, kept: bool) -> None:
    found = planned(f"machine_type: g2-standard-8, {said}").groups[0]
    assert found.group.kept_disks == ((found.template.boot_disk_device,) if kept else ())
    assert found.group.repair


def test_queued_nodes_are_neither_kept_nor_repaired() -> None:
    head = HEAD.replace("central1-a", "central1-b")
    found = planned("machine_type: a3-ultragpu-8g, capacity: {model: flex_start}", head).groups[0].group
    assert (found.kept_disks, found.repair) == ((), False)
    assert not group("machine_type: g2-standard-8, repair: false").repair


@pytest.mark.parametrize(
    ("nodes", "maintenance"),
    [
        ("machine_type: n2-standard-8", "MIGRATE"),
        ("machine_type: n2-standard-8, capacity: {model: spot}", "TERMINATE"),
        ("machine_type: c2-standard-60", "MIGRATE"),
        ("machine_type: c2-standard-60, placement: {policy: compact}", "TERMINATE"),
        ("machine_type: c2-standard-60, placement: {policy: compact, existing: theirs}", "TERMINATE"),
        ("machine_type: h4d-standard-192", "TERMINATE"),
        ("machine_type: h4d-highmem-192-lssd", "TERMINATE"),
        # Whatever these are, they can be stopped.
        ("machine_type: x9-standard-8", "TERMINATE"),
        ("machine_type: c3-standard-192-metal", "TERMINATE"),
        ("machine_type: g2-standard-8", "TERMINATE"),
    ],
)
def test_machines_that_cannot_move_are_stopped_for_maintenance(nodes: str, maintenance: str) -> None:
    found = planned(nodes).groups[0].template.scheduling
    assert (found.on_host_maintenance, found.automatic_restart) == (maintenance, "spot" not in nodes)


def test_an_unknown_size_is_like_the_others_of_its_series() -> None:
    found = planned("machine_type: c4-standard-24").groups[0].template
    assert (found.machine_type, found.boot_disk_type) == ("c4-standard-24", "hyperdisk-balanced")


def test_h4d_is_in_the_catalog() -> None:
    found = {name: catalog.machine(name) for name in catalog.machine_names() if name.startswith("h4d-")}
    assert {
        name: (each.vcpus, each.memory_gb, each.local_ssd.count) for name, each in found.items() if each
    } == {
        "h4d-standard-192": (192, 720, 0),
        "h4d-highmem-192": (192, 1488, 0),
        "h4d-highmem-192-lssd": (192, 1488, 10),
    }
    assert all(each and not each.live_migration and each.compact_placement for each in found.values())
    scratch = planned("machine_type: h4d-highmem-192-lssd").groups[0].template
    assert (scratch.local_ssds, scratch.boot_disk_type) == (0, "hyperdisk-balanced"), (
        "they come with the machine"
    )


def test_no_machine_with_gpus_can_move() -> None:
    assert not any(each.live_migration for each in catalog.machines())


@pytest.mark.parametrize(
    ("placement", "name"),
    [
        ("policy: compact", "c-nodes-compact"),
        ("policy: workload", "c-nodes-workload"),
        ("policy: workload, max_topology_distance: subblock", "c-nodes-subblock"),
        ("policy: none", "c-nodes"),
    ],
)
def test_groups_and_policies_are_named_after_their_placement(placement: str, name: str) -> None:
    found = planned(f"machine_type: a3-megagpu-8g, placement: {{{placement}}}").groups[0]
    assert found.group.parts[0].name == name
    assert (found.policy.name if found.policy else "c-nodes") == name.replace("-nodes-", "-placement-")


def test_an_existing_policy_is_not_made() -> None:
    one, other = (
        planned(f"machine_type: c2-standard-60, placement: {{policy: compact, existing: {name}}}").groups[0]
        for name in ("one", "other")
    )
    assert (one.policy, one.placement) == (None, "compact")
    assert one.existing_policy == "projects/my-project/regions/us-central1/resourcePolicies/one"
    assert one.group.parts[0].name != other.group.parts[0].name


@pytest.mark.parametrize(
    ("wait", "seconds"), [("", "900"), ("wait: {timeout: 5m}", "900"), ("wait: {timeout: 2h}", "7200")]
)
def test_machines_are_waited_for_as_long_as_nodes_that_are_ready(wait: str, seconds: str) -> None:
    (part,) = planned("machine_type: n2-standard-2", f"{HEAD}{wait}\n").groups[0].group.parts
    assert part.arrival is not None
    assert part.arrival.environment["SECONDS_TO_WAIT"] == seconds


def test_groups_that_replace_their_nodes_are_waited_for_first() -> None:
    plan = plan_of(f"""{HEAD}wait: {{}}
node_groups:
  - {{name: a, machine_type: n2-standard-2, update: proactive}}
  - {{name: b, machine_type: n2-standard-2}}
""")
    assert plan.wait is not None
    assert plan.wait.environment["REPLACED"] == "us-central1-a/c-a-nodes"


def test_requests_that_end_groups_are_told_apart() -> None:
    plan = plan_of(f"""{HEAD}time_to_live: 2d
node_groups:
  - {{name: x, machine_type: n2-standard-2, count: 501}}
  - {{name: x-1, machine_type: n2-standard-2}}
""")
    assert plan.end is not None
    assert [(each.key, each.job) for each in plan.end.requests] == [
        ("x", "c-x-end"),
        ("x_1", "c-x-end-1"),
        ("x-1", "c-x-1-end"),
    ]


def test_machines_that_are_not_known_get_the_networks_that_they_ask_for() -> None:
    plan = planned("machine_type: x9-standard-8, extra_networks: 2")
    assert len(plan.networks) == 3
    assert len(plan.groups[0].template.interfaces) == 3
