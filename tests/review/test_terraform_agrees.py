"""Reviews without Terraform equal plans of real Terraform, against the simulated cloud."""

import shutil
from pathlib import Path

import pytest
from support import ROOT

from clusterprint.examine import examine
from clusterprint.review.comparison import compare_sides
from clusterprint.review.model import Action
from clusterprint.review.terraform_plan.changes import deltas
from clusterprint.synth import plan_all, synthesize

pytestmark = [pytest.mark.terraform, pytest.mark.slow]

GKE = """\
clusterprint: v1
kind: gke
name: pools
project: my-gpu-project
region: us-central1
zone: us-central1-a
backend: {gcs: {bucket: my-terraform-state}}
network: {cidr: 10.80.0.0/14}
node_pools:
  - {name: dev, machine_type: g2-standard-8}
  - {name: train, machine_type: a3-megagpu-8g, autoscaling: {max: 4}, capacity: {model: spot}}
  - {name: prep, machine_type: n2-standard-8, count: 2}
"""

EDITS = (
    ("g2-standard-8", "g2-standard-16"),
    ("model: spot", "model: on_demand"),
    ("name: prep", "name: preparation"),
)

VMSS = """\
clusterprint: v1
kind: vmss
name: azure
subscription: 00000000-0000-0000-0000-000000000000
location: southcentralus
backend: {gcs: {bucket: my-terraform-state}}
nodes: {size: Standard_ND96isr_H200_v5, count: 2}
admin: {ssh_public_key: {file: ./cluster.pub}}
head_node: {ssh_source_ranges: [203.0.113.0/24]}
"""

FILLED = """\
clusterprint: v1
kind: vm
name: filled
project: my-gpu-project
region: us-central1
zone: us-central1-a
backend: {gcs: {bucket: my-terraform-state}}
nodes: {machine_type: a2-highgpu-1g, count: 1}
storage:
  may_lose: [moves, stays, anew]
  volumes:
    - {name: datasets, kind: bucket, bucket: my-datasets}
    - {name: sets, kind: bucket, bucket: my-sets}
    - {name: moves, kind: lustre, mount: /1, deletion_protection: false, import_from: {bucket: my-datasets}}
    - {name: stays, kind: lustre, mount: /2, deletion_protection: false, import_from: {bucket: my-datasets}}
    - {name: anew, kind: lustre, mount: /3, deletion_protection: false, import_from: {bucket: my-datasets}}
"""


def actions(before: Path, after: Path) -> tuple[dict[str, Action], dict[str, Action]]:
    """The change of each resource: as reviews say, and as Terraform says.

    A stack without a blueprint is left out: nobody runs Terraform for it any more, so nothing happens to it.
    """
    from clusterprint_simcloud.plan import simulate  # needs grpc, which only these tests do

    said = {
        f"{delta.resource.stack} {delta.resource.address}": delta.action
        for scene in compare_sides(str(before), str(after), []).scenes
        for delta in scene.deltas
        if delta.action
    }
    out = before.parent / "out"
    sides = [
        [file.parent for file in synthesize(plan_all(examine([side]).results), out / side.name)]
        for side in (before, after)
    ]
    plans = simulate(sides[1], sides[0]).stacks
    assert {each.exit_code for each in plans} <= {0, 2}, [each.text for each in plans if each.exit_code == 1]
    planned = {
        f"{each.name} {delta.resource.address}": delta.action
        for each in plans
        if each.name in {folder.name for folder in sides[1]}
        for delta in deltas(each.document["resource_changes"], each.name, {})
        if delta.action
    }
    return said, planned


def test_on_the_sample(tmp_path: Path) -> None:
    for side in ("before", "after"):
        shutil.copytree(ROOT / "tests" / "data" / "review" / side, tmp_path / side)
    train = tmp_path / "before" / "train.yaml"
    # The provider refuses to destroy others.
    may_go = "{name: logs, kind: bucket, deletion_protection: false}"
    text = train.read_text("utf-8").replace("{name: logs, kind: bucket}", may_go)
    train.write_text(text.replace("storage:\n", "storage:\n  may_lose: [logs]\n"), "utf-8")
    said, planned = actions(tmp_path / "before", tmp_path / "after")
    assert {"added", "changed", "removed", "replaced"} <= set(said.values())
    assert said == planned


def test_on_node_pools(tmp_path: Path) -> None:
    after = GKE
    for old, new in EDITS:
        assert old in after
        after = after.replace(old, new)
    for side, text in (("before", GKE), ("after", after)):
        (tmp_path / side).mkdir()
        (tmp_path / side / "pools.yaml").write_text(text)
    said, planned = actions(tmp_path / "before", tmp_path / "after")
    assert {"added", "changed", "removed", "replaced"} <= set(said.values())
    assert said == planned


def test_on_a_scale_set(tmp_path: Path) -> None:
    after = (
        VMSS.replace("count: 2", "count: 4")
        .replace("H200_v5", "H100_v5")
        .replace("203.0.113.0", "198.51.100.0")
    )
    for side, text in (("before", VMSS), ("after", after)):
        (tmp_path / side).mkdir()
        (tmp_path / side / "azure.yaml").write_text(text)
        shutil.copy(ROOT / "blueprints" / "cluster.pub", tmp_path / side)
    said, planned = actions(tmp_path / "before", tmp_path / "after")
    assert said == planned
    assert "changed" in said.values()


def test_on_imports(tmp_path: Path) -> None:
    after = (
        FILLED.replace("import_from: {bucket: my-datasets}", "import_from: {bucket: my-sets}", 1)
        .replace(
            "mount: /2, deletion_protection: false, import_from: {bucket: my-datasets}",
            "mount: /2, deletion_protection: false",
        )
        .replace("mount: /3,", "mount: /3, size_gb: 9000, throughput_mbps_per_tib: 1000,")
    )
    for side, text in (("before", FILLED), ("after", after)):
        (tmp_path / side).mkdir()
        (tmp_path / side / "filled.yaml").write_text(text)
    said, planned = actions(tmp_path / "before", tmp_path / "after")
    assert said == planned
    imports = {name.rpartition("_")[2]: action for name, action in said.items() if "volumes_imports_" in name}
    readers = [imports.pop(each) for each in list(imports) if each.startswith("reader-")]
    assert imports == {"moves": "replaced", "stays": "removed", "anew": "replaced"}
    assert readers == ["added"]
