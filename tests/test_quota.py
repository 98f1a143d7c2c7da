"""`clusterprint quota`, and the section of a review: how much of which quota clusters take."""

import json
from typing import Any

import msgspec
import pytest
from reports import REPORT
from support import BLUEPRINTS, Run

from clusterprint import catalog
from clusterprint.review.delta import Resource
from clusterprint.review.model import QuotaRow
from clusterprint.review.quota import QuotaNeed, quota_changes, quota_needs, together
from clusterprint.review.render import html, markdown, text
from clusterprint.review.render import json as json_form


def template(machine_type: str, **config: Any) -> list[Resource]:
    """A group of two machines, as a stack of kind vm has it."""
    values = {"machine_type": machine_type, **config}
    group = {"target_size": 2, "zone": "us-central1-a", "project": "our-project"}
    return [
        Resource("s", "google_compute_instance_template", "t.t", "t.t", values),
        Resource(
            "s",
            "google_compute_instance_group_manager",
            "g.g",
            "g.g",
            group,
            {"version.instance_template": ("t.t.self_link",)},
        ),
    ]


def counted(needs: list[QuotaNeed]) -> dict[str, int]:
    """The requested quota, by metric and dimension."""
    names = ((each.metric.name, each.metric.dimension, each.most) for each in needs if each.is_asked)
    return {f"{name} {dimension}".strip(): most for name, dimension, most in names}


SPOT = {"scheduling": {"provisioning_model": "SPOT"}}
FLEX = {"scheduling": {"provisioning_model": "FLEX_START"}}
RESERVED = {"reservation_affinity": {"type": "SPECIFIC_RESERVATION"}}


@pytest.mark.parametrize(
    ("machine_type", "config", "expected"),
    [
        ("a2-highgpu-2g", {}, {"NVIDIA_A100_GPUS": 4, "A2_CPUS": 48}),
        ("a2-highgpu-2g", SPOT, {"PREEMPTIBLE_NVIDIA_A100_GPUS": 4, "PREEMPTIBLE_CPUS": 48}),
        ("a3-ultragpu-8g", FLEX, {"PREEMPTIBLE_NVIDIA_H200_GPUS": 16, "PREEMPTIBLE_LOCAL_SSD_GB": 24_000}),
        (
            "a3-megagpu-8g",
            {},
            {"GPUS_PER_GPU_FAMILY gpu_family=NVIDIA_H100_MEGA": 16, "LOCAL_SSD_TOTAL_GB": 12_000},
        ),
        ("ct6e-standard-4t", {}, {"TPUS_PER_TPU_FAMILY tpu_family=CT6E": 8}),
        ("c4-standard-16", {}, {"CPUS_PER_VM_FAMILY vm_family=C4": 32}),
        ("n1-standard-8", {"guest_accelerator": [{"type": "nvidia-tesla-t4", "count": 2}]},
         {"NVIDIA_T4_GPUS": 4, "CPUS": 16}),
        # one eighth of a GPU is counted as what two of them make up: no less than one
        ("g4-standard-6", {}, {"GPUS_PER_GPU_FAMILY gpu_family=NVIDIA_RTX_PRO_6000": 1}),
    ],
)  # fmt: skip
def test_machines_take_quota(machine_type: str, config: dict[str, Any], expected: dict[str, int]) -> None:
    found = quota_needs(template(machine_type, **config))
    kinds = {"accelerator", "cpu", "disk"}
    assert counted([each for each in found if each.metric.sort in kinds]) == expected
    assert {each.metric.owner for each in found} == {"our-project"}


def test_a_reservation_holds_machines_but_neither_their_disks_nor_their_number() -> None:
    disk = {"disk": [{"boot": True, "disk_type": "hyperdisk-balanced", "disk_size_gb": 100}]}
    found = quota_needs(template("a3-ultragpu-8g", **RESERVED, **disk))
    assert counted(found) == {"HDB_TOTAL_GB": 200, "INSTANCES": 2, "INSTANCE_GROUP_MANAGERS": 1}
    held = {each.metric.name for each in found if not each.is_asked}
    assert held == {"GPUS_PER_GPU_FAMILY", "LOCAL_SSD_TOTAL_GB", "GPUS_ALL_REGIONS", "CPUS_ALL_REGIONS"}


def file_system(type_: str, **values: Any) -> Resource:
    return Resource("s", f"google_{type_}_instance", "f.f", "f.f", values)


@pytest.mark.parametrize(
    ("resource", "expected"),
    [
        (
            file_system("lustre", capacity_gib="36000", location="us-central1-b"),
            ("us-central1-b", "lustre.googleapis.com/Capacity", 36_000),
        ),
        (
            file_system(
                "filestore", tier="ZONAL", location="us-east4-a", file_shares=[{"capacity_gb": 9_984}]
            ),
            ("us-east4", "file.googleapis.com/EnterpriseStorageGibPerRegion", 9_984),
        ),
        (
            file_system(
                "filestore", tier="ZONAL", location="us-east4-a", file_shares=[{"capacity_gb": 10_240}]
            ),
            ("us-east4", "file.googleapis.com/HighScaleSSDStorageGibPerRegion", 10_240),
        ),
        (
            file_system(
                "filestore", tier="BASIC_SSD", location="us-east4-a", file_shares=[{"capacity_gb": 2_560}]
            ),
            ("us-east4", "file.googleapis.com/PremiumStorageGbPerRegion", 2_560),
        ),
    ],
)
def test_file_systems_take_quota_of_their_own_service(
    resource: Resource, expected: tuple[str, str, int]
) -> None:
    (need,) = quota_needs([resource], "p")
    assert (need.metric.region, need.metric.name, need.most) == expected
    assert [(row.metric, row.after, row.unit) for row in quota_changes((), [need])] == [
        (expected[1], expected[2], "GiB")
    ]


@pytest.mark.parametrize("tier", ["HIGH_SCALE_SSD", ""])
def test_a_tier_that_is_not_known_is_not_counted(tier: str) -> None:
    shares = [{"capacity_gb": 10_240}]
    assert quota_needs([file_system("filestore", tier=tier, location="us-east4-a", file_shares=shares)]) == []


def test_several_clusters_share_the_quota_of_their_project() -> None:
    one = quota_needs(template("a2-highgpu-1g"))
    both = together([*one, *quota_needs(template("a2-highgpu-4g"))])
    assert counted(both)["NVIDIA_A100_GPUS"] == 2 + 8
    other = [each._replace(metric=each.metric._replace(owner="other")) for each in one]
    assert {each.most for each in together([*one, *other]) if each.metric.name == "NVIDIA_A100_GPUS"} == {2}


def test_a_review_says_which_quota_to_ask_for_in_numbers() -> None:
    before, after = (
        quota_needs(template("a3-ultragpu-8g", **FLEX)),
        quota_needs([*template("a3-ultragpu-8g", **FLEX), *template("n2-standard-4")[:1]]),
    )
    assert quota_changes(before, after) == ()
    rows = quota_changes((), before)
    assert [(row.metric, row.before, row.after, row.unit) for row in rows] == [
        ("PREEMPTIBLE_NVIDIA_H200_GPUS", 0, 16, "GPUs"),
        ("PREEMPTIBLE_LOCAL_SSD_GB", 0, 24_000, "GB"),
    ]


def test_every_form_of_a_report_shows_it() -> None:
    row = QuotaRow(
        owner="p",
        region="us-east4",
        metric="GPUS_PER_GPU_FAMILY",
        dimension="gpu_family=NVIDIA_H200",
        unit="GPUs",
        before=0,
        after=1024,
    )
    report = msgspec.structs.replace(REPORT, quota=(row,))
    assert "GPUS_PER_GPU_FAMILY (gpu_family=NVIDIA_H200) in us-east4: 0 -> 1,024 GPUs" in text.render(report)
    assert "| `GPUS_PER_GPU_FAMILY (gpu_family=NVIDIA_H200)` | us-east4 | 0 → 1,024" in markdown.render(
        report
    )
    assert "1,024" in html.render(report)
    other = msgspec.structs.replace(report, quota=(row, msgspec.structs.replace(row, owner="q")))
    for each in (text.render(other), markdown.render(other), html.render(other)):
        assert "p, us-east4" in each
        assert "q, us-east4" in each
    assert '"metric": "GPUS_PER_GPU_FAMILY"' in json_form.render(report)


def test_the_command_counts_what_blueprints_build(clusterprint: Run) -> None:
    done = clusterprint("quota", BLUEPRINTS / "ray-h200.yaml", "--format", "json")
    assert (done.returncode, done.stderr) == (0, "")
    found = {(each["metric"], each["model"]): each for each in json.loads(done.stdout)}
    spot = found["PREEMPTIBLE_NVIDIA_H200_GPUS", "spot"]
    assert (spot["owner"], spot["region"], spot["least"], spot["most"]) == (
        "my-gpu-project",
        "us-south1",
        0,
        80,
    )
    assert found["PREEMPTIBLE_NVIDIA_H200_GPUS", "flex_start"]["most"] == 80
    assert found["HDB_TOTAL_GB", "spot"]["most"] == 2000
    assert (found["NETWORKS", ""]["region"], found["NETWORKS", ""]["most"]) == ("global", 3)
    ways = [each for each in json.loads(done.stdout) if each["metric"] == "PREEMPTIBLE_NVIDIA_H200_GPUS"]
    told = clusterprint("quota", BLUEPRINTS / "ray-h200.yaml").stdout
    assert len(ways) > 1
    assert (
        f"PREEMPTIBLE_NVIDIA_H200_GPUS: 0 to {sum(each['most'] for each in ways)} GPUs to ask for in all"
        in told
    )


def test_the_command_says_how_to_ask_for_it(clusterprint: Run) -> None:
    done = clusterprint("quota", BLUEPRINTS / "vmss-h200.yaml", BLUEPRINTS / "vm-sample.yaml", "--commands")
    assert done.returncode == 0
    assert (
        "az quota update --resource-name standardNDISRH200V5Family --scope "
        "/subscriptions/00000000-0000-0000-0000-000000000000/providers/Microsoft.Compute/locations/southcentralus"
        " --limit-object value=192"
    ) in done.stdout
    assert (
        "--quota-id=NVIDIA-A100-GPUS-per-project-region --preferred-value=2 --dimensions=region=us-central1"
        in done.stdout
    )


def test_a_broken_blueprint_counts_nothing(clusterprint: Run) -> None:
    done = clusterprint("quota", "-", input="clusterprint: v1\nkind: vm\n")
    assert (done.returncode, done.stdout) == (1, "")
    assert "no quotas are shown" in done.stderr


def test_everything_that_the_catalog_sells_is_counted_somewhere() -> None:
    for machine in catalog.machines():
        if machine.gpu:
            assert catalog.gpu_quota(machine.gpu.accelerator_type), machine.name
    for name in catalog.disk_types():
        assert catalog.disk_quota(name), name
    for tpu in catalog.tpu_types():
        assert catalog.tpu_quota(tpu.name), tpu.name
    for size in catalog.azure_sizes():
        assert catalog.azure_quota(size.name), size.name
    assert catalog.azure_quota("Standard_HB120-16rs_v3") == catalog.azure_quota("Standard_HB120rs_v3")


def test_disks_in_a_pool_are_counted_with_a_doubt() -> None:
    """The quota of these machines is not documented; that of the disk is certain."""
    pooled = {"disk_type": "hyperdisk-balanced", "disk_size_gb": 100, "storage_pool": "projects/p/..."}
    alone = {"disk_type": "pd-ssd", "disk_size_gb": 50}
    needs = quota_needs(template("c3-standard-8", disk=[pooled, alone]))
    doubts = {each.metric.name: (each.most, each.doubt) for each in needs if each.metric.sort == "disk"}
    assert doubts == {
        "HDB_TOTAL_GB": (200, "whether disks in a storage pool are counted here is not documented"),
        "SSD_TOTAL_GB": (100, ""),
    }


def test_quotas_of_other_services_are_asked_for_by_their_own_names(clusterprint: Run) -> None:
    done = clusterprint("quota", BLUEPRINTS / "gke-lustre-training.yaml", "--commands")
    assert done.returncode == 0
    assert (
        "--service=lustre.googleapis.com --project=my-gpu-project --quota-id=Capacity "
        "--preferred-value=36000 --dimensions=zone=us-central1-b"
    ) in done.stdout
