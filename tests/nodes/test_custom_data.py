"""Custom data of machines: what cloud-init makes of it."""

import base64
import gzip
from typing import Any

import msgspec
import pytest
from ruamel.yaml import YAML

from clusterprint.nodes.vmss import LIMIT, CustomDataTooLongError, custom_data, encoded_size
from clusterprint.plan.vmss_nodes import NcclPlan, NodeSettings, SharePlan

SET = "/subscriptions/s/resourceGroups/rg/providers/Microsoft.Compute/virtualMachineScaleSets/vmss"
SETTINGS = NodeSettings(
    cluster="vmss",
    admin_user="azureuser",
    scale_set_id=SET,
    orchestration="uniform",
    head_id="/subscriptions/s/resourceGroups/rg/providers/Microsoft.Compute/virtualMachines/vmss-head",
    head_identity="/subscriptions/s/head",
    head_is_node=False,
    node_identity="/subscriptions/s/nodes",
    source_range="10.0.0.0/24",
    gpu_vendor="nvidia",
    gpus_per_node=8,
    infiniband=True,
    nccl=NcclPlan(environment={"NCCL_DEBUG": "WARN"}, topology_file="/opt/topo.xml", expected_gb_per_s=431),
    health_checks=True,
    dcgm_level=2,
    health_endpoint=False,
    shares=(),
    startup_script="",
    head_startup_script="",
)


def read(data: str) -> Any:
    """User data as cloud-init reads it."""
    text = base64.b64decode(data, validate=True)
    if text.startswith(b"\x1f\x8b"):
        text = gzip.decompress(text)
    assert text.startswith(b"#cloud-config\n")
    return YAML(typ="safe").load(text)


def written(data: str) -> dict[str, str]:
    """What files cloud-init writes."""
    texts = {}
    for file in read(data)["write_files"]:
        text = file["content"]
        texts[file["path"]] = (
            base64.b64decode(text, validate=True).decode() if file.get("encoding") == "b64" else text
        )
    return texts


def test_the_facts_of_the_cluster_are_on_every_machine() -> None:
    for role in ("node", "head"):
        settings = written(custom_data(role, SETTINGS))["/etc/clusterprint/settings"]
        assert f"role={role}\n" in settings
        assert f"scale_set_id={SET}\n" in settings


def test_a_startup_script_arrives_as_it_was_given() -> None:
    script = "#!/bin/sh\n\techo '${x} %{y} `z`' \u2028 \x07 \U0001f600\nno newline at the end"
    texts = written(custom_data("node", msgspec.structs.replace(SETTINGS, startup_script=script)))
    assert texts["/usr/local/lib/clusterprint/startup-script"] == script


def test_shares_are_named_without_secrets() -> None:
    share = SharePlan(
        kind="files_smb", account="data", account_id="/a", share="sets", mount="/mnt/x y", read_only=True
    )
    texts = written(custom_data("node", msgspec.structs.replace(SETTINGS, shares=(share,))))
    assert texts["/etc/clusterprint/shares"] == "files_smb\tdata\t/a\tsets\t/mnt/x y\tro\n"


def test_long_scripts_are_compressed_and_the_same_every_time() -> None:
    settings = msgspec.structs.replace(SETTINGS, startup_script="#!/bin/sh\n" + "echo hello\n" * 8000)
    data = custom_data("node", settings)
    assert len(data) <= LIMIT
    assert data == custom_data("node", settings)
    assert written(data)["/usr/local/lib/clusterprint/startup-script"] == settings.startup_script


def test_what_is_too_long_even_so_is_refused() -> None:
    noise = "".join(
        chr(33 + hash_ % 90) for hash_ in (index * index * 7919 % 10007 for index in range(200000))
    )
    settings = msgspec.structs.replace(SETTINGS, startup_script=noise)
    size = encoded_size("node", settings)
    assert size > LIMIT
    with pytest.raises(CustomDataTooLongError, match=str(size)):
        custom_data("node", settings)
