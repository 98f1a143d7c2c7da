"""Status of the nodes of kind vmss, with an az that answers from a table."""

import re
from pathlib import Path
from typing import Any

import pytest
from stand_ins import Answer, StandIns
from support import BLUEPRINTS, plans_of

from clusterprint.access import slurm
from clusterprint.plan.vmss import VmssPlan
from clusterprint.status.cluster import machines_of
from clusterprint.status.programs import Programs

pytestmark = pytest.mark.process

FLEXIBLE = (BLUEPRINTS / "vmss-nc-dev.yaml").read_text()
UNIFORM = FLEXIBLE.replace("in_scale_set: true, ", "").replace(
    "count: 0", "count: 4\n  orchestration: uniform"
)
UNIFORM = re.sub(r"  capacity: .*\n", "", UNIFORM)  # no other zone is one for the head, too
WAYS = ("ssh azureuser@198.51.100.7", "ssh -J azureuser@198.51.100.7 azureuser@NODE")
MADE = "2026-11-20T10:00:00.1234567+00:00"


def instance(name: str, *codes: str, health: str = "") -> dict[str, Any]:
    view: dict[str, Any] = {"statuses": [{"code": each} for each in codes]}
    if health:
        view["vmHealth"] = {"status": {"code": f"HealthState/{health}"}}
    return {"osProfile": {"computerName": name}, "location": "z", "instanceView": view, "timeCreated": MADE}


def test_instances_are_ready_when_their_health_says_so(tmp_path: Path) -> None:
    listed = [
        instance("a", "PowerState/running", health="healthy"),
        instance("b", "PowerState/running", health="unhealthy"),
        instance("c", "PowerState/deallocated"),
    ]
    head = [{"name": "head", "location": "z", "powerState": "VM running", "timeCreated": MADE}]
    az = StandIns(tmp_path / "bin", az=[Answer("^vmss list-instances", listed), Answer("^vm list", head)])
    found = machines_of(plans_of(UNIFORM), Programs(az.environment))
    assert [(each.name, each.state, each.detail) for each in found.nodes] == [
        ("a", "ready", ""),
        ("b", "not ready", "unhealthy"),
        ("c", "deallocated", ""),
        ("nodes (4)", "missing", ""),
        ("head", "ready", "it runs; its health was not checked"),
    ]
    assert "--expand" in az.calls[0]


def test_instances_of_a_flexible_set_are_listed_as_machines_and_the_head_apart(tmp_path: Path) -> None:
    az = StandIns(tmp_path / "bin", az=[Answer("^vm list", [])])
    found = machines_of(plans_of(FLEXIBLE), Programs(az.environment))
    assert [each.state for each in found.nodes] == ["missing"], "the head"
    assert [call[1:4] for call in az.calls] == [["vm", "list", "--show-details"]] * 2
    assert "&& name != " in " ".join(az.calls[0])


def test_in_a_simulated_cloud_the_real_az_is_never_asked(tmp_path: Path) -> None:
    az = StandIns(tmp_path / "bin", az=[Answer(".*", [])])
    found = machines_of(plans_of(FLEXIBLE), Programs(az.environment, simulated=True))
    assert found.unknown == ("nodes: the simulated cloud has no az",)
    assert az.calls == []


SLURM = "partition|train|2|idle\ncount|3|PENDING\njob|7|PENDING|train|2|ann|Priority|a|b\n"


def with_slurm(folder: Path, *ssh: Answer, power: str = "running", ways: tuple[str, ...] = WAYS) -> Any:
    """The status of the shipped cluster with Slurm, and how ssh was called."""
    head = [{"name": "h200-head", "location": "z", "powerState": f"VM {power}", "timeCreated": MADE}]
    stand_ins = StandIns(folder / "bin", az=[Answer("^vmss list", []), Answer("^vm list", head)], ssh=[*ssh])
    (plan,) = plans_of((BLUEPRINTS / "vmss-h200.yaml").read_text())
    assert isinstance(plan, VmssPlan)
    found = machines_of((slurm.found_at(plan, ways),), Programs(stand_ins.environment))
    return found, [each for each in stand_ins.calls if each[0] == "ssh"]


def test_slurm_is_asked_on_the_head_and_asks_nobody(tmp_path: Path) -> None:
    found, [call] = with_slurm(tmp_path, Answer(".*", SLURM))
    assert call[:4] == ["ssh", "-o", "BatchMode=yes", "azureuser@198.51.100.7"]
    assert found.slurm.partitions["train"]["idle"] == 2
    assert (found.slurm.waiting, [each.name for each in found.jobs]) == (3, ["7"])


@pytest.mark.parametrize(
    ("power", "ways", "said", "connections"),
    [
        ("deallocated", WAYS, "its controller, h200-head, is deallocated", 0),
        ("running", (), "cannot be asked: the state has no address of the head", 0),
        ("running", WAYS, "cannot be asked: ssh: Host key verification failed", 1),
    ],
)
def test_a_head_that_does_not_answer_hides_nothing_else(
    power: str, ways: tuple[str, ...], said: str, connections: int, tmp_path: Path
) -> None:
    refused = Answer(".*", err="Host key verification failed.", code=255)
    found, calls = with_slurm(tmp_path, refused, power=power, ways=ways)
    assert said in found.slurm.unknown
    assert (found.unknown, found.jobs, len(calls)) == ((), (), connections)


OFFER = {"publisher": "microsoft-dsvm", "offer": "Ubuntu-HPC", "sku": "2204"}


def booted(name: str, **image: str) -> dict[str, Any]:
    found = instance(name, "PowerState/running", health="healthy")
    return {**found, "storageProfile": {"imageReference": image}}


@pytest.mark.parametrize(
    ("versions", "differ"), [(("1.1", "1.1"), False), (("1.1", "1.2"), True), (("", ""), None)]
)
def test_instances_say_which_version_they_have_booted(
    tmp_path: Path, versions: tuple[str, str], differ: bool | None
) -> None:
    listed = [
        booted(name, **OFFER, version="latest", exactVersion=version)
        for name, version in zip("ab", versions, strict=True)
    ]
    az = StandIns(tmp_path / "bin", az=[Answer("^vmss list-instances", listed), Answer("^vm list", [])])
    images = machines_of(plans_of(UNIFORM), Programs(az.environment)).images
    assert [each.differ for each in images] == ([] if differ is None else [differ])
    assert not images or next(iter(images[0].running)) == "microsoft-dsvm:ubuntu-hpc:2204:1.1"


def test_an_image_of_ones_own_is_compared_with_the_one_of_the_blueprint(tmp_path: Path) -> None:
    own = "/subscriptions/00000000-0000-0000-0000-000000000001/resourceGroups/r/providers/Microsoft.Compute/"
    older, newer = (f"{own}galleries/g/images/i/versions/1.0.{number}" for number in (1, 2))
    listed = [booted("a", id=older.upper()), booted("b", id=newer)]
    az = StandIns(tmp_path / "bin", az=[Answer("^vmss list-instances", listed), Answer("^vm list", [])])
    for image, fixed in ((newer, True), (f"{own}galleries/g/images/i", False)):
        text = UNIFORM.replace("count: 4\n", f"count: 4\n  image_id: {image}\n")
        (images,) = machines_of(plans_of(text), Programs(az.environment)).images
        assert (images.wanted, images.fixed, images.differ) == (image.lower(), fixed, True)
        assert images.running == {older.lower(): ("a",), newer.lower(): ("b",)}
