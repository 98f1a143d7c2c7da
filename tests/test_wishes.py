"""Lives without capacity: for the first wish none, for the second only a part, for the third enough."""

import json
import re
import stat
from pathlib import Path
from typing import NamedTuple

import pytest
from lives import Life

from clusterprint.exit_codes import Code
from clusterprint_simcloud import Fault
from clusterprint_simcloud.cloud.contents import Record

pytestmark = [pytest.mark.slow, pytest.mark.terraform, pytest.mark.covering]

GOOGLE = (
    "The zone does not have enough resources available to fulfill the request. ZONE_RESOURCE_POOL_EXHAUSTED"
)
AZURE = "Allocation failed. We do not have sufficient capacity for the requested VM size. AllocationFailed"
WISHES = """\
    capacity:
      model: reservation
      reservation: r1
      fallbacks: [{model: spot, zone: us-central1-b}, {zone: us-central1-c, machine_types: [a2-ultragpu-1g]}]
"""
HEAD = """\
clusterprint: v1
name: wishing
project: my-gpu-project
region: us-central1
zone: us-central1-a
backend: {gcs: {bucket: my-terraform-state}}
"""
POOLS = f"""\
node_pools:
  - {{name: cpus, machine_type: n2-standard-4, capacity: {{fallbacks: [{{model: spot}}]}}}}
  - name: gpus
    machine_type: a2-highgpu-1g
    zones: [us-central1-f]
    count: 2
{WISHES}"""
KEY = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIPdkNp7j9nk6VpuTqpCtCwVLBgmUq5Xh9bMnsWxAFsfY me"
SIZES = ("Standard_NC40ads_H100_v5", "Standard_NC24ads_A100_v4", "Standard_NC48ads_A100_v4")
BLUEPRINTS = {
    "vm": f"""\
kind: vm
{HEAD}node_groups:
  - {{name: login, machine_type: n2-standard-4}}
  - name: gpus
    machine_type: a2-highgpu-1g
    zone: us-central1-f
    count: 2
{WISHES}""",
    "gke": f"kind: gke\n{HEAD}{POOLS}",
    "ray": f"kind: ray\n{HEAD}{POOLS}ray: {{workers: [{{name: gpus, pool: gpus, max: 2}}]}}\n",
    "vmss": f"""\
clusterprint: v1
kind: vmss
name: wishing
subscription: 00000000-0000-0000-0000-000000000000
location: eastus2
backend: {{gcs: {{bucket: my-terraform-state}}}}
nodes: {{size: {SIZES[0]}, count: 2, capacity: {{sizes: [{SIZES[1]}], fallbacks: [{{size: {SIZES[2]}}}]}}}}
admin: {{ssh_public_key: {{inline: {KEY}}}}}
head_node: {{ssh_source_ranges: [203.0.113.7/32]}}
""",
}
INSTANCE = "google_compute_instance"
NODE, POOL = "google_compute_per_instance_config", "google_container_node_pool"
SET = "azurerm_.*virtual_machine_scale_set"
_POOLS = [
    Fault("create", POOL, match="^n2-standard-4$", error=GOOGLE),
    Fault("create", POOL, match="^us-central1-f$", times=99, error=GOOGLE),
    Fault("create", POOL, match="^us-central1-b$", times=99, error=GOOGLE, after=True),
]
FAULTS = {
    "vm": [
        Fault("create", NODE, match="^us-central1-b$", nth=2, times=99, error=GOOGLE),
    ],
    "gke": _POOLS,
    "ray": _POOLS,
    "vmss": [
        Fault("create", SET, match=f"^{SIZES[0]}$", times=99, error=AZURE),
        Fault("create", SET, match=f"^{SIZES[1]}$", times=99, error=AZURE, after=True),
    ],
}

#: Wishes that exist in the end, in words.
LAST = {"vmss": f"wish 3 of 3 (on_demand on {SIZES[2]})"}
THIRD = "wish 3 of 3 (on_demand on a2-ultragpu-1g in us-central1-c)"


class Lock(NamedTuple):
    """The capacity lock of the only blueprint, which a simulated cloud has for itself."""

    life: Life

    def read_bytes(self) -> bytes:
        """Its content."""
        (file,) = self.life.folder.glob("capacity/*/wishing.capacity.lock")
        return file.read_bytes()


def _shortage(life: Life, *, over: bool = False) -> None:
    """Machines are asked for in the zone of the first wish, and never come."""
    with life.cloud.open() as contents:
        contents.shortages.clear()
        if not over:
            contents.shortages["us-central1-f"] = "ZONE_RESOURCE_POOL_EXHAUSTED"


def test_a_queue_is_left_once_patience_is_over(life: Life, tmp_path: Path) -> None:
    blueprint = tmp_path / "b.yaml"
    wishes = "{model: flex_start, patience: 2m, fallbacks: [{model: spot, zone: us-central1-c}]}"
    blueprint.write_text(
        f"kind: vm\n{HEAD}node_groups:\n"
        "  - {name: gpus, machine_type: a2-highgpu-1g, zone: us-central1-f, count: 2, "
        f"capacity: {wishes}}}\n"
    )
    _shortage(life)
    said = life.run("up", blueprint, "--yes")
    assert said.count("gpus: flex_start is queued; next look in 60 s") == 2
    assert "flex_start is still queued with wish 1 of 2 (flex_start); next: wish 2 of 2 (spot" in said
    _shortage(life, over=True)
    said = life.run("up", blueprint, "--rebalance", "--yes")
    assert "queued" not in said, "the machines came at once"
    life.run("down", blueprint, "--yes")


@pytest.mark.parametrize("kind", BLUEPRINTS)
def test_the_third_wish_exists_and_then_the_first(life: Life, tmp_path: Path, kind: str) -> None:
    """Each wish that is confirmed interrupts the run, which is run again, as people do."""
    blueprint, lock = tmp_path / "b.yaml", Lock(life)
    blueprint.write_text(BLUEPRINTS[kind])
    stop, told = tmp_path / "stop", tmp_path / "told"
    stop.write_text(
        "#!/bin/sh\nsaid=$(cat)\n"
        f"printf '%s\\n' \"$said\" >> {told}\n"
        'case $said in *\'"event": "trying"\'*) kill -INT $PPID ;; esac\n'
    )
    stop.chmod(stop.stat().st_mode | stat.S_IXUSR)
    life.faults(*FAULTS[kind])
    if kind == "vm":
        _shortage(life)
    said = life.run("up", blueprint, "--yes", "--notify", stop, expect=Code.INTERRUPTED)
    group = "nodes" if kind == "vmss" else "gpus"
    assert f"{group}: stock-out with wish 1 of 3" in said
    second = json.loads(lock.read_bytes())["groups"][group]["capacity"]
    assert second.get("zone") == "us-central1-b" or second.get("size") == SIZES[1]

    said = life.run("up", blueprint, "--yes", "--notify", stop, expect=Code.INTERRUPTED)
    assert f"{group}: stock-out with wish 2 of 3" in said, "it went on with the second wish"
    said = life.run("up", blueprint, "--yes", "--notify", stop)
    assert "pool-cpus" not in said, "what exists of other groups is left alone"
    events = [json.loads(line)["event"] for line in told.read_text().splitlines()]
    assert events[-1] == "trying"
    last = LAST.get(kind, THIRD)
    assert f"  capacity of {group}: {last}, since 20" in life.run(
        "status", blueprint, "--no-nodes", expect=Code.DONE
    )
    assert "nothing to do" in life.run("up", blueprint, "--yes")

    assert not [*tmp_path.glob("*.lock")], "nothing simulated counts in the real clouds"
    if kind == "ray":  # from here on, the same as gke
        return
    life.faults()
    _shortage(life, over=True)
    before = lock.read_bytes()
    if kind == "vm":
        life.run("up", blueprint, "--rebalance", "--plan-only", expect=Code.CHANGES)
        life.run("up", blueprint, "--rebalance", expect=Code.REFUSED)
    assert lock.read_bytes() == before, "nobody has agreed"
    said = life.run("up", blueprint, "--rebalance", "--yes")
    assert f"{group}: back from {last} to wish 1 of 3" in said
    said = life.run("status", blueprint, "--no-nodes", "--format", "json")
    status, _ = json.JSONDecoder().raw_decode(said)
    assert [each["wish"] for each in status["clusters"][0]["capacity"]][-1] == 1
    if kind == "vm":
        assert "nothing to rebalance" in life.run("up", blueprint, "--rebalance", "--yes")
        life.run("down", blueprint, "--yes")
        assert life.made() == []


def test_machines_that_have_ended_are_requested_again(life: Life, tmp_path: Path) -> None:
    blueprint = tmp_path / "b.yaml"
    blueprint.write_text(
        f"kind: vm\n{HEAD}node_groups:\n  - {{name: gpu, machine_type: a2-highgpu-1g, zone: us-central1-f,"
        " count: 2, capacity: {model: flex_start, max_run_duration: 3d}}\n"
        "  - {name: gpu-a, machine_type: n2-standard-4}\n"
    )
    assert "nothing to renew" in life.run("up", blueprint, "--renew", "--yes"), "there is nothing yet"
    assert "nothing to renew" in life.run("up", blueprint, "--renew", "--yes"), "all are there"
    assert _gpus(life) == 2
    with life.cloud.open() as contents:  # as Compute Engine does at the end of the run duration
        for each in [*contents.of(INSTANCE)]:
            if _is_gpu(each):
                del contents.records[each.key]
    assert "nothing to do" in life.run("up", blueprint, "--yes"), "without --renew, they stay gone"
    said = life.run("up", blueprint, "--renew", "--plan-only", expect=Code.CHANGES)
    assert "all machines have ended; requested again: wishing-gpu-nodes" in said
    assert _gpus(life) == 0
    life.faults(Fault("delete", "google_compute_resize_request", error="googleapi: Error 503: backendError"))
    assert "next try in" in life.run("up", blueprint, "--renew", "--yes")
    assert _gpus(life) == 2
    life.run("down", blueprint, "--yes")


def _is_gpu(record: Record) -> bool:
    return re.fullmatch("wishing-gpu-[0-9a-z]+", record.state["name"]) is not None


def _gpus(life: Life) -> int:
    return sum(_is_gpu(each) for each in life.cloud.read().of(INSTANCE))
