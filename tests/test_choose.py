"""`clusterprint choose`: what the catalog offers, and blueprints that hold."""

import json
from itertools import product
from pathlib import Path

import pytest
from support import Run, cases

from clusterprint import catalog
from clusterprint.blueprint import KINDS
from clusterprint.choose import OFFERED, Need, Offer, offers
from clusterprint.choose.need import accelerators, means
from clusterprint.derived.machine_groups import groups_of
from clusterprint.errors import UsageError
from clusterprint.fmt import layout
from clusterprint.load import load, load_text
from clusterprint.starter import MACHINES
from clusterprint.validate import validate


def offer(need: Need, machine_type: str) -> Offer:
    return next(each for each in offers(need) if each.candidate.machine_type == machine_type)


@pytest.mark.parametrize(("name", "amount"), list(product(accelerators(), (1, 8, 512))))
def test_what_is_offered_is_what_was_asked_for_and_holds(name: str, amount: int) -> None:
    for each in offers(Need(amount, name)):
        assert each.accelerators >= amount
        assert each.accelerators - amount < each.candidate.each
        if not each.blueprint:
            assert each.limits, each
            continue
        loaded = load_text(each.blueprint.encode(), "x.yaml", Path())
        assert loaded.document
        checked = validate(loaded.document)
        assert checked.blueprint
        main = next(
            group
            for group in groups_of(checked.blueprint)
            if group.place[0] not in ("system_pool", "head_node")
        )
        assert (main.machines.machine_type, main.machines.most) == (
            each.candidate.machine_type,
            each.candidate.nodes,
        )
        assert main.machines.model == each.capacity
        assert layout(loaded) == each.blueprint


def test_machines_are_chosen_for_every_kind_that_has_some() -> None:
    """A first blueprint is written for the same kinds."""
    loaded = [document for case in cases() if (document := load(case).document)]
    blueprints = [found for each in loaded if (found := validate(each).blueprint)]
    assert {each.kind for each in blueprints} == set(KINDS)
    assert {each.kind for each in blueprints if groups_of(each)} == set(OFFERED) == set(MACHINES)


@pytest.mark.parametrize("kind", OFFERED)
@pytest.mark.parametrize("capacity", catalog.CAPACITY_MODELS)
def test_every_kind_and_model_has_offers_that_hold(kind: str, capacity: catalog.CapacityModel) -> None:
    found = [each for each in offers(Need(64, "a100", "", kind, capacity)) if each.blueprint]
    sold = not (kind == "vmss" and capacity == "flex_start")
    assert bool(found) == sold
    assert all((each.kind, each.capacity) == (kind, capacity) for each in found)


def test_512_h200_in_a_region() -> None:
    found = offer(Need(512, "h200", "us-central1"), "a3-ultragpu-8g")
    assert (found.candidate.nodes, found.candidate.nics) == (64, 10)
    assert found.candidate.fabric == "GPUDirect RDMA-RoCE"
    assert found.zones == ("us-central1-b",)
    assert "count: 64" in found.blueprint
    assert all(each.kind != "vmss" for each in offers(Need(512, "h200", "us-central1")))


def test_tpus_are_one_slice_where_there_is_one() -> None:
    found = offer(Need(512, "v5p"), "ct5p-hightpu-4t").candidate
    assert (found.topology, found.slices, found.nodes) == ("8x8x8", 1, 128)
    small = offer(Need(512, "trillium"), "ct6e-standard-4t").candidate
    assert (small.topology, small.slices, small.nodes) == ("16x16", 2, 128)


def test_what_receives_for_gpus_is_on_its_own_system() -> None:
    found = offer(Need(64, "h100", "", "vm", "reservation"), "a3-megagpu-8g")
    assert "family: cos-121-lts" in found.blueprint


def test_an_offer_without_a_blueprint_says_why() -> None:
    found = offer(Need(8192, "v5p"), "ct5p-hightpu-4t")
    assert found.blueprint == ""
    assert any(each.startswith("GKE089: ") for each in found.limits)


def test_an_offer_without_prices_is_of_a_region_of_its_cloud() -> None:
    found = {each.kind: each for each in offers(Need(8, "gb300"))}
    assert found["vmss"].region in catalog.azure_locations()
    assert not any("BP107" in each for each in found["vmss"].limits)


def test_a_fabric_comes_first_where_there_are_several_machines() -> None:
    first, *_ = offers(Need(64, "h100"))
    assert first.candidate.fabric
    assert first.blueprint


@pytest.mark.parametrize(
    ("said", "label", "expected"),
    [
        ("h100", "H100 80GB", True),
        ("H100", "H100 Mega 80GB", True),
        ("a100-80gb", "A100 80GB", True),
        ("a100-80gb", "A100 40GB", False),
        ("v6e", "TPU v6e", True),
        ("tpu-v6e", "TPU v6e", True),
        ("h1", "H100 80GB", False),
    ],
)
def test_accelerators_go_by_the_names_that_people_use(said: str, label: str, expected: bool) -> None:
    assert means(said, label) == expected


@pytest.mark.parametrize(
    ("need", "said"),
    [
        (Need(8, "h2000"), "no accelerator 'h2000'; did you mean"),
        (Need(8, "h200", "us-cental1"), "no region 'us-cental1'; did you mean us-central1"),
    ],
)
def test_what_is_not_there_is_guessed(need: Need, said: str) -> None:
    with pytest.raises(UsageError, match=said):
        offers(need)


def test_the_command_writes_a_blueprint_that_validates(clusterprint: Run, tmp_path: Path) -> None:
    file = tmp_path / "h200.yaml"
    asked = ("choose", "--gpus", "512", "--gpu", "h200", "--region", "us-central1", "--kind", "gke")
    done = clusterprint(*asked, "--out", file)
    assert done.returncode == 0, done.stderr
    assert "a3-ultragpu-8g" in done.stdout
    assert clusterprint("validate", "--strict", file).returncode == 0
    assert clusterprint(*asked, "--out", file).returncode == 2  # it is there already
    data = json.loads(clusterprint(*asked, "--format", "json").stdout)
    assert data[0]["blueprint"] == file.read_text("utf-8")
    assert data[0]["sold"] == {"on_demand": False, "spot": True, "flex_start": True, "reservation": True}
    assert clusterprint(*asked, "--machine-type", "a2-highgpu-1g").returncode == 2


def test_nothing_to_offer_is_exit_code_1(clusterprint: Run) -> None:
    done = clusterprint("choose", "--gpus", "8", "--gpu", "h200", "--capacity", "on_demand", "--kind", "vm")
    assert (done.returncode, done.stdout) == (1, "")
    assert "nothing in the catalog" in done.stderr
