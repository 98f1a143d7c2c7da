"""Clouds fail: what the user sees, what they do next, and that it converges."""

from __future__ import annotations

import threading
import time
from typing import TYPE_CHECKING, Any

import pytest

from clusterprint_simcloud import Fault, World

if TYPE_CHECKING:
    from conftest import Stack

pytestmark = pytest.mark.terraform
INSTANCE = "google_compute_instance"


def instances(count: int) -> dict[str, Any]:
    boot = [{"initialize_params": [{"image": "debian-cloud/debian-12"}]}]
    common = {"machine_type": "e2-small", "boot_disk": boot, "network_interface": [{"network": "default"}]}
    return {INSTANCE: {f"n{number}": {"name": f"n{number}", **common} for number in range(count)}}


def network() -> dict[str, Any]:
    return {"google_compute_network": {"main": {"name": "net", "auto_create_subnetworks": False}}}


def test_the_second_create_hits_a_quota_and_another_apply_completes(world: World, stack: Stack) -> None:
    folder = stack(instances(3))
    world.faults(Fault("create", INSTANCE, nth=2, error="Quota 'NVIDIA_A100_GPUS' exceeded. Limit: 1.0"))
    done = world.apply(folder, check=False)
    assert "Quota 'NVIDIA_A100_GPUS' exceeded" in done.stderr
    assert len(world.resources(INSTANCE)) == 2
    assert "1 added, 0 changed, 0 destroyed" in world.apply(folder).stdout
    assert world.changes(folder) == {}


def test_created_but_reported_as_failed_is_tainted_and_replaced(world: World, stack: Stack) -> None:
    folder = stack(instances(1))
    world.faults(Fault("create", INSTANCE, error="timeout while waiting for state", after=True))
    world.apply(folder, check=False)
    assert world.changes(folder) == {f"{INSTANCE}.n0": "replace"}
    world.apply(folder)
    assert world.changes(folder) == {}
    assert len(world.resources(INSTANCE)) == 1


def test_in_use_for_a_while_on_delete(world: World, stack: Stack) -> None:
    folder = stack(network())
    world.apply(folder)
    world.faults(Fault("delete", "google_compute_network", times=2, error="resourceInUseByAnotherResource"))
    for _ in range(2):
        assert world.destroy(folder, check=False).returncode == 1
    world.destroy(folder)
    assert world.resources() == []


def test_in_use_for_good_on_delete_until_the_cause_is_gone(world: World, stack: Stack) -> None:
    folder, other = stack(network()), stack({}, name="other")
    world.apply(folder)
    rule = {"name": "left", "network": "net", "allow": [{"protocol": "tcp"}], "source_ranges": ["10.0.0.0/8"]}
    other = stack({"google_compute_firewall": {"left": rule}}, name="other")
    world.apply(other)
    done = world.destroy(folder, check=False)
    assert "is already being used by 'projects/my-project/global/firewalls/left'" in " ".join(
        done.stderr.split()
    )
    world.destroy(other)
    world.destroy(folder)


def test_expired_credentials(world: World, stack: Stack) -> None:
    folder = stack(network())
    message = 'oauth2: "invalid_grant" "reauth related error (invalid_rapt)"'
    world.faults(Fault("configure", error=message))
    assert "invalid_grant" in world.terraform(folder, "plan", check=False).stderr
    world.apply(folder)


def test_a_slow_create_holds_up_only_what_depends_on_it(world: World, stack: Stack) -> None:
    sub = {"name": "sub", "network": "${google_compute_network.main.id}", "ip_cidr_range": "10.0.0.0/24"}
    folder = stack({**network(), **instances(1), "google_compute_subnetwork": {"sub": sub}})
    world.faults(Fault("create", "google_compute_network", delay=0.5))
    world.apply(folder)
    order = [call["type"] for call in world.cloud.calls() if call["operation"] == "create"]
    assert order == [INSTANCE, "google_compute_network", "google_compute_subnetwork"]


@pytest.mark.slow
def test_a_crash_before_the_create_loses_nothing(mirrored: World, stack: Stack) -> None:
    folder = stack(network())
    mirrored.faults(Fault("create", "google_compute_network", crash=True))
    said = mirrored.apply(folder, check=False).stderr
    # Terraform says what it notices first: the end of the process, or of its connection.
    assert "did not respond" in said or "Request cancelled" in said
    assert mirrored.resources() == []
    mirrored.apply(folder)
    assert mirrored.changes(folder) == {}


@pytest.mark.slow
def test_a_crash_after_the_create_leaves_an_orphan_that_import_takes_in(
    mirrored: World, stack: Stack
) -> None:
    folder = stack(network())
    mirrored.faults(Fault("create", "google_compute_network", crash=True, after=True))
    mirrored.apply(folder, check=False)
    assert len(mirrored.resources()) == 1
    assert "alreadyExists" in mirrored.apply(folder, check=False).stderr
    mirrored.terraform(
        folder, "import", "google_compute_network.main", "projects/my-project/global/networks/net"
    )
    assert mirrored.changes(folder) == {}
    mirrored.destroy(folder)
    assert mirrored.resources() == []


# ---- the state


def start(world: World, folder: Any) -> threading.Thread:
    """Start an apply, and return once it holds the lock."""
    world.terraform(folder, "init")
    thread = threading.Thread(target=world.apply, args=(folder,))
    thread.start()
    deadline = time.monotonic() + 20
    while world.storage.store.live("terraform-state", "tests/stack/default.tflock") is None:
        assert time.monotonic() < deadline
        time.sleep(0.01)
    return thread


def test_of_two_applies_one_wins_and_the_other_says_who_has_the_lock(world: World, stack: Stack) -> None:
    folder = stack(network())
    world.faults(Fault("create", "google_compute_network", delay=1.5))
    thread = start(world, folder)
    done = world.apply(folder, check=False)
    thread.join()
    assert done.returncode == 1
    assert "Error acquiring the state lock" in done.stderr
    assert "Who:" in done.stderr
    assert len(world.resources()) == 1
    assert world.changes(folder) == {}


def test_a_lock_that_was_lost_is_released_by_its_generation_only(world: World, stack: Stack) -> None:
    folder = stack(network())
    world.apply(folder)
    store = world.storage.store
    lock = b'{"ID":"1","Operation":"OperationTypeApply","Who":"somebody","Created":"2025-01-01T00:00:00Z"}'
    generation = store.put("terraform-state", "tests/stack/default.tflock", lock)["generation"]
    assert "somebody" in world.apply(folder, check=False).stderr
    assert world.terraform(folder, "force-unlock", "-force", "12345", check=False).returncode == 1
    world.terraform(folder, "force-unlock", "-force", generation)
    world.apply(folder)
