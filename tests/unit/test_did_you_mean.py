"""Suggestions for names of places and machines that the catalog does not know."""

import re
from pathlib import Path

import pytest

from clusterprint import catalog, did_you_mean
from clusterprint.examine import examine


@pytest.mark.parametrize(
    ("name", "meant"),
    [
        ("us-centrall1", "us-central1"),
        ("us-east-1", "us-east1"),
        ("europe-wst4", "europe-west4"),
        ("US-CENTRAL1", "us-central1"),
        ("us-central1-a", "us-central1"),
        ("us-east", "us-east1, us-east4 or us-east5"),
    ],
)
def test_region(name: str, meant: str) -> None:
    assert did_you_mean.region(name) == f"did you mean {meant}?"


@pytest.mark.parametrize(
    ("name", "meant"),
    [
        ("us-central1a", "us-central1-a"),
        ("us-centrall1-a", "us-central1-a"),
        ("us_central1_f", "us-central1-f"),
        ("us-east-1a", "us-east1-b, us-east1-c or us-east1-d"),
        ("europe-wst1-q", "europe-west1-b, europe-west1-c or europe-west1-d"),
    ],
)
def test_zone(name: str, meant: str) -> None:
    assert did_you_mean.zone(name) == f"did you mean {meant}?"


def test_zone_that_a_region_does_not_have() -> None:
    assert (
        did_you_mean.zone("us-east1-a") == "the zones of us-east1 are us-east1-b, us-east1-c and us-east1-d"
    )


def test_region_in_place_of_a_zone() -> None:
    assert did_you_mean.zone("us-east1") == "name a zone of it: us-east1-b, us-east1-c or us-east1-d"


@pytest.mark.parametrize(
    ("name", "meant"), [("southcentrlus", "southcentralus"), ("South Central US", "southcentralus")]
)
def test_azure_location(name: str, meant: str) -> None:
    assert did_you_mean.azure_location(name) == f"did you mean {meant}?"


@pytest.mark.parametrize("name", ["us-central1", "usgovvirginia", "antarctica"])
def test_nothing_is_suggested_for_what_is_no_azure_location(name: str) -> None:
    assert did_you_mean.azure_location(name) == ""


@pytest.mark.parametrize(
    ("name", "help_"),
    [
        (
            "h100",
            "did you mean a3-highgpu-1g to a3-highgpu-8g, a3-edgegpu-8g or a3-megagpu-8g (H100 GPUs)?",
        ),
        ("H200", "did you mean a3-ultragpu-8g (H200 GPUs)?"),
        ("b200", "did you mean a4-highgpu-8g (B200 GPUs)?"),
        ("gb200", "did you mean a4x-highgpu-4g (GB200 GPUs)?"),
        (
            "a100",
            (
                "did you mean a2-highgpu-1g to a2-highgpu-8g, a2-megagpu-16g "
                "or a2-ultragpu-1g to a2-ultragpu-8g (A100 GPUs)?"
            ),
        ),
        ("l4", "did you mean g2-standard-4 to g2-standard-96 (L4 GPUs)?"),
        (
            "t4",
            (
                "T4 GPUs are attached to N1 machines: write machine_type: n1-standard-8 "
                "and guest_accelerator: {type: nvidia-tesla-t4, count: 1}"
            ),
        ),
        ("v5e", "did you mean ct5lp-hightpu-1t, ct5lp-hightpu-4t or ct5lp-hightpu-8t (TPU v5e)?"),
        ("v5p", "did you mean ct5p-hightpu-4t, ct5p-hightpu-1t or ct5p-hightpu-2t (TPU v5p)?"),
        ("trillium", "did you mean ct6e-standard-1t, ct6e-standard-4t or ct6e-standard-8t (TPU v6e)?"),
        ("tpu-v6e", "did you mean ct6e-standard-1t, ct6e-standard-4t or ct6e-standard-8t (TPU v6e)?"),
        (
            "v6e-16",
            (
                "that is a name of a TPU slice: in kinds gke and ray, write machine_type: ct6e-standard-4t "
                "and tpu: {topology: 4x4}"
            ),
        ),
        ("ironwood", "did you mean tpu7x-standard-1t or tpu7x-standard-4t (TPU tpu7x)?"),
        ("n2-standad-8", "did you mean n2-standard-8?"),
        ("a4-highgpu-16g", "did you mean a4-highgpu-8g?"),
        (
            "p5.48xlarge",
            (
                "that is a name of AWS (8 x H100); its counterparts here are a3-highgpu-8g, a3-edgegpu-8g "
                "and a3-megagpu-8g"
            ),
        ),
        ("p4d.24xlarge", "that is a name of AWS (8 x A100); its counterpart here is a2-highgpu-8g"),
        ("p4de.24xlarge", "that is a name of AWS (8 x A100); its counterpart here is a2-ultragpu-8g"),
        (
            "g4dn.xlarge",
            (
                "that is a name of AWS; T4 GPUs are attached to N1 machines: "
                "write machine_type: n1-standard-8 and guest_accelerator: {type: nvidia-tesla-t4, count: 1}"
            ),
        ),
        ("g5.48xlarge", "that is a name of AWS; nothing here has A10G GPUs"),
        ("m5.large", "that is a name of AWS; `clusterprint machines` lists the machine types"),
        (
            "Standard_ND96isr_H200_v5",
            "that is a name of Azure (8 x H200); its counterpart here is a3-ultragpu-8g",
        ),
        ("Standard_D4s_v5", "that is a name of Azure; `clusterprint machines` lists the machine types"),
    ],
)
def test_machine_type(name: str, help_: str) -> None:
    assert did_you_mean.machine_type(name) == help_


@pytest.mark.parametrize(
    ("name", "help_"),
    [
        (
            "a3-ultragpu-8g",
            "that is a name of Google Cloud (8 x H200); its counterpart here is Standard_ND96isr_H200_v5",
        ),
        ("g2-standard-4", "that is a name of Google Cloud; nothing here has L4 GPUs"),
        (
            "ct6e-standard-4t",
            "that is a name of Google Cloud; `clusterprint machines` lists the machine types",
        ),
        (
            "p5.48xlarge",
            "that is a name of AWS (8 x H100); its counterpart here is Standard_ND96isr_H100_v5",
        ),
        ("mi300x", "did you mean Standard_ND96isr_MI300X_v5 (MI300X GPUs)?"),
        ("Standard_ND96sr_H200_v5", "did you mean Standard_ND96isr_H200_v5?"),
        ("ND96isr-H200v5", "did you mean Standard_ND96isr_H200_v5?"),
        ("Standard_NC36ads_A100_v4", "did you mean Standard_NC24ads_A100_v4 or Standard_NC48ads_A100_v4?"),
        ("Standard_NC80ads_H100", "did you mean Standard_NC80adis_H100_v5?"),
    ],
)
def test_azure_size(name: str, help_: str) -> None:
    assert did_you_mean.azure_size(name) == help_


def test_nothing_is_said_about_machines_that_there_are() -> None:
    known = (*catalog.machine_names(), *(name for tpu in catalog.tpu_types() for name in tpu.machines))
    claimed = [name for name in catalog.machine_names() if catalog.foreign_machine(name)]
    assert not claimed
    assert not [name for name in known if name.startswith("standard_")]


# ---- where the form of a name is wrong already


def helps(tmp_path: Path, text: str) -> list[tuple[str, str]]:
    """The codes of what is wrong with a blueprint, each with its help."""
    file = tmp_path / "blueprint.yaml"
    file.write_text(text)
    return [(each.code, each.help) for each in examine([file]).diagnostics]


def test_a_name_of_another_form_gets_the_way_out(tmp_path: Path) -> None:
    text = """\
clusterprint: v1
kind: vm
name: spani
project: supercomputer-testing
region: us-central1-a
zone: us-central1a
backend: {gcs: {bucket: spani-tst}}
nodes: {machine_type: Standard_ND96isr_H200_v5}
storage: {volumes: [{name: data, kind: bucket, bucket: data, location: us-central1-a}]}
"""
    assert helps(tmp_path, text) == [
        ("BP107", "did you mean us-central1?"),
        ("BP107", "did you mean us-central1-a?"),
        ("BP107", "that is a name of Azure (8 x H200); its counterpart here is a3-ultragpu-8g"),
        ("BP107", "did you mean us-central1?"),
    ]


def test_a_name_of_another_form_gets_the_way_out_on_azure(tmp_path: Path) -> None:
    text = """\
clusterprint: v1
kind: vmss
name: h200
subscription: 00000000-0000-0000-0000-000000000000
location: South Central US
backend: {gcs: {bucket: my-state}}
nodes: {size: h200}
admin:
  ssh_public_key:
    inline: ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIPdkNp7j9nk6VpuTqpCtCwVLBgmUq5Xh9bMnsWxAFsfY me
head_node: {ssh_source_ranges: [203.0.113.0/24]}
"""
    assert helps(tmp_path, text) == [
        ("BP107", "did you mean southcentralus?"),
        ("BP107", "did you mean Standard_ND96isr_H200_v5 (H200 GPUs)?"),
    ]


def test_a_very_long_name_is_not_compared_with_anything(tmp_path: Path) -> None:
    text = f"clusterprint: v1\nkind: vm\nname: a\nzone: {'us-central1a' * 5000}\n"
    assert ("BP107", "") in helps(tmp_path, text)


@pytest.mark.parametrize(
    ("name", "meant"),
    [
        ("g2-standard-9", "g2-standard-8"),
        ("a2-highgpu-3g", "a2-highgpu-2g or a2-highgpu-4g"),
        ("a3-highgpu-7g", "a3-highgpu-8g"),
        ("A3_ultragpu8G", "a3-ultragpu-8g"),
        ("ct6e-standard-3t", "ct6e-standard-4t"),
        ("g4-standard-50", "g4-standard-48"),
    ],
)
def test_a_machine_of_the_nearest_size(name: str, meant: str) -> None:
    assert did_you_mean.machine_type(name) == f"did you mean {meant}?"


@pytest.mark.parametrize("name", ["a5x-highgpu-4g", "a5-highgpu-8g", "g3-standard-8", "ct7e-standard-4t"])
def test_an_unknown_generation_is_not_another_one(name: str) -> None:
    assert did_you_mean.machine_type(name) == ""


@pytest.mark.parametrize(
    "name",
    [
        "Standard_ND96isr_H200_v6",
        "Standard_ND96isr_H20_v5",
        "Standard_ND128isr_GB400_v6",
        "Standard_NC40ads_A100_v5",
        "Standard_NC16as_T4_v4",
        "Standard_NV36ads_A10_v6",
        "Standard_HX176rs_v5",
        "Standard_D8s_v7",
    ],
)
def test_an_unknown_series_gpu_or_version_of_azure_is_not_another_one(name: str) -> None:
    assert did_you_mean.azure_size(name) == ""


def test_no_hint_leads_to_another_generation_or_to_more_accelerators() -> None:
    """Each machine of the catalog with another size: what is offered is as near as anything there is."""
    machines = {each.name: each for each in catalog.machines()}
    for name in machines:
        family, _, rest = name.partition("-")
        number = re.search(r"\d+", rest)
        if number is None:
            continue
        size = int(number[0])
        wrong = f"{family}-{rest[: number.start()]}{size + 1}{rest[number.end() :]}"
        if wrong in machines:
            continue
        offered = re.findall(r"[a-z]+\d+[a-z]*-[-a-z0-9]+", did_you_mean.machine_type(wrong))
        assert name in offered or offered, wrong
        for each in offered:
            assert each.partition("-")[0] == family, (wrong, each)
            of = re.search(r"\d+", each.partition("-")[2])
            assert of, each
            assert abs(int(of[0]) - size - 1) <= 1, (wrong, each)


def test_a_path_is_no_role(tmp_path: Path) -> None:
    """A path that a pattern refuses is not offered as a role with that path in it."""
    file = tmp_path / "a.yaml"
    file.write_text(
        "clusterprint: v1\nkind: vmss\nadmin: {username: u, ssh_public_key: {file: ~/.ssh/id_rsa.pub}}\n",
        "utf-8",
    )
    helps = [each.help for each in examine([file]).diagnostics if "id_rsa" in each.message]
    assert helps
    assert not [each for each in helps if "roles/" in each]


def test_a_range_of_machine_types_goes_from_the_smallest_to_the_largest(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Whatever the order of the catalog."""
    backwards = catalog.machines()[::-1]
    monkeypatch.setattr(catalog, "machines", lambda: backwards)
    assert "a2-highgpu-1g to a2-highgpu-8g" in did_you_mean.accelerator("a100")
    assert "g2-standard-4 to g2-standard-96" in did_you_mean.accelerator("l4")


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("a3-megagpu-1g", "the only size of its family is a3-megagpu-8g"),
        ("h4d-standard-1", "the only size of its family is h4d-standard-192"),
        ("g2-standard-1", "the sizes of its family are g2-standard-4 to g2-standard-96"),
        ("Standard_ND12isr_H100_v5", "the only size of its family is Standard_ND96isr_H100_v5"),
    ],
)
def test_no_machine_of_several_times_the_size_is_proposed(name: str, said: str) -> None:
    of = "azure_size" if name.startswith("Standard") else "machine_type"
    assert getattr(did_you_mean, of)(name) == said
    assert did_you_mean.only(of, name) == ""


@pytest.mark.parametrize(
    ("name", "meant"), [("a2-megagpu-8g", "a2-megagpu-16g"), ("a3-ultragpu-4g", "a3-ultragpu-8g")]
)
def test_another_size_is_asked_and_not_written(name: str, meant: str) -> None:
    assert did_you_mean.machine_type(name) == f"did you mean {meant}?"
    assert did_you_mean.only("machine_type", name) == ""
