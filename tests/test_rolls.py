"""Changes that lose no nodes: pools that roll, in a simulated cloud with real Terraform."""

from pathlib import Path

import pytest
from lives import Life
from msgspec import UNSET, UnsetType

from clusterprint.blueprint.updates import MachineUpdate
from clusterprint.derived import rolls, updates
from clusterprint.exit_codes import Code
from clusterprint_simcloud import Fault

POOL = rolls.POOL
GKE = """\
clusterprint: v1
kind: gke
name: bench
project: my-gpu-project
region: us-east4
backend: {gcs: {bucket: my-terraform-state}}
node_pools: [{name: workers, machine_type: n2-standard-4, count: 2, update: {strategy: roll}}]
"""


def _pools(life: Life) -> dict[str, str]:
    """The machine types of the pools of workers in the cloud, by name."""
    found = [each.state for each in life.made() if each.key.startswith(f"{POOL} ")]
    return {
        each["name"]: each["node_config"][0]["machine_type"] for each in found if "worker" in each["name"]
    }


@pytest.mark.slow
@pytest.mark.terraform
def test_a_pool_rolls_and_whatever_fails_leaves_the_old_one(life: Life, tmp_path: Path) -> None:
    blueprint = tmp_path / "bench.yaml"
    blueprint.write_text(GKE)
    life.run("up", blueprint, "--yes")
    ((old, machine),) = _pools(life).items()
    assert machine == "n2-standard-4"

    blueprint.write_text(GKE.replace("n2-standard-4", "n2-standard-8"))
    said = life.run("up", blueprint, "--plan-only", "--detailed-exitcode", expect=Code.CHANGES)
    assert "1 to replace" in said
    assert "rolls: the new pool is created first" in said
    assert "must hold 2 old nodes and 2 new nodes (about $" in said

    # The new pool gets no machines, and is half made, and tainted; each try leaves the old one.
    life.faults(Fault("create", POOL, error="googleapi: Error 403: GCE_STOCKOUT", after=True, times=2))
    for _ in range(2):
        life.run("up", blueprint, "--yes", expect=Code.FAILED)
        assert _pools(life)[old] == "n2-standard-4"

    # Interrupted between the two: both generations are there, and only the end is left.
    life.faults(Fault("delete", POOL, match=old, error="the connection was lost"))
    said = life.run("up", blueprint, "--yes", expect=Code.FAILED)
    assert said.index(f"created {POOL}.") < said.index(f"destroying {POOL}.pool-{old}")
    assert sorted(_pools(life).values()) == ["n2-standard-4", "n2-standard-8"]
    said = life.run("up", blueprint, "--yes")
    assert "rolling:" not in said
    assert list(_pools(life).values()) == ["n2-standard-8"]
    life.run("up", blueprint, "--detailed-exitcode", expect=Code.NOTHING_TO_DO)

    # To do without it is a roll, too; what GKE changes without other nodes is none.
    new = GKE.replace("n2-standard-4", "n2-standard-8")
    blueprint.write_text(new.replace("count: 2", "count: 3, node_labels: {team: a}"))
    assert "rolling:" not in life.run("up", blueprint, "--yes")
    assert "rolling:" in life.run("up", _without(blueprint, new), "--yes")
    assert list(_pools(life)) == ["workers"]


def _without(blueprint: Path, text: str) -> Path:
    blueprint.write_text(text.replace(", update: {strategy: roll}", ""))
    return blueprint


def test_only_generations_of_one_rolled_pool_follow_each_other() -> None:
    rolled = {"node_config": [{"labels": {"clusterprint/pool": "a"}}]}
    plain = {"node_config": {"labels": {"team": "a"}}}
    assert list(rolls.successors({"pool-a": plain}, {"pool-a-r01234": rolled})) == [
        ("pool-a", "pool-a-r01234")
    ]
    assert list(rolls.successors({"pool-a-r01234": rolled}, {"pool-a": plain})) == [
        ("pool-a-r01234", "pool-a")
    ]
    assert not list(rolls.successors({"pool-a-r01234": plain}, {"pool-a": rolled}))
    assert not list(rolls.successors({"pool-b-r01234": rolled}, {"pool-a-r01234": rolled}))
    assert not list(rolls.successors({"pool-a-r01234": rolled}, {"pool-a-r01234": rolled}))


VM = """\
clusterprint: v1
kind: vm
name: batches
project: my-gpu-project
region: us-east4
zone: us-east4-a
backend: {gcs: {bucket: my-terraform-state}}
nodes: {machine_type: n2-standard-4, count: 5, update: {strategy: roll, batch: 50%}}
"""


@pytest.mark.slow
@pytest.mark.terraform
def test_machines_are_replaced_in_batches_of_at_most_what_is_written(life: Life, tmp_path: Path) -> None:
    blueprint = tmp_path / "batches.yaml"
    blueprint.write_text(VM)
    life.run("up", blueprint, "--yes")
    blueprint.write_text(VM.replace("n2-standard-4", "n2-standard-8"))
    assert "its nodes are recreated, in batches of 2" in life.run("up", blueprint, "--yes")
    instances = [each.state for each in life.made() if each.key.startswith("google_compute_instance ")]
    assert {each["machine_type"].rpartition("/")[2] for each in instances} == {"n2-standard-8"}
    life.run("up", blueprint, "--detailed-exitcode", expect=Code.NOTHING_TO_DO)


@pytest.mark.parametrize(
    ("batch", "nodes", "most", "of_azure"), [(UNSET, 5, 1, 20), (3, 10, 3, 30), ("5%", 9, 1, 5)]
)
def test_a_batch_is_one_node_at_least_and_no_more_than_is_written(
    batch: int | str | UnsetType, nodes: int, most: int, of_azure: int
) -> None:
    update = MachineUpdate(strategy="roll", batch=batch)
    assert updates.batch(update, nodes) == most
    assert updates.percent(update, nodes) == of_azure
