"""`clusterprint show` and `clusterprint list`: what blueprints come to, without building them."""

import json
import re
from collections import Counter
from functools import cache
from pathlib import Path

import pytest
from support import BLUEPRINTS, GOLDENS, Run, cases, resources_of

from clusterprint import catalog
from clusterprint.derived.machine_groups import groups_of
from clusterprint.derived.machines import Machines, price_of
from clusterprint.describe import yaml_block
from clusterprint.load import load, load_text
from clusterprint.overview.values import as_yaml, values_of
from clusterprint.overview.volumes import volumes_data
from clusterprint.review.machines import machines_of
from clusterprint.review.stored import stored_of
from clusterprint.validate import Validated, validate


@cache
def validated(file: Path) -> Validated:
    document = load(file).document
    assert document
    return validate(document)


def sort_of(machines: Machines) -> tuple[object, ...]:
    """The machines and the price of one; a slice or a zone may be a resource of its own."""
    attached = machines.accelerator if "n1-" in machines.machine_type else ""
    return machines.machine_type, machines.model, machines.region, attached, price_of(machines)


def counted(found: list[Machines]) -> dict[str, Counter[object]]:
    least, most = Counter[object](), Counter[object]()
    for each in found:
        least[sort_of(each)] += each.nodes
        most[sort_of(each)] += each.most
    return {"nodes": +least, "most": +most}


# Who writes either gets machines; a kind without any, and what runs in clusters of others, has neither.
NAMED = re.compile(r"\b(?:machine_type|size): *\w")


@pytest.mark.parametrize("case", cases(), ids=lambda case: case.stem)
def test_machines_and_volumes_are_those_that_are_built(case: Path) -> None:
    """Overviews of blueprints equal reviews of their stacks, down to the prices."""
    resources, blueprint, text = resources_of(case.stem), validated(case).blueprint, case.read_text("utf-8")
    built = machines_of(resources)
    assert blueprint
    assert built or not NAMED.search(text)
    assert counted([each.machines for each in groups_of(blueprint)]) == counted(built)
    stored = stored_of(resources).items()
    assert sorted(
        (each["usd_per_month"], each["price_region"], each["price_source"])
        for each in volumes_data(blueprint)
        if each["usd_per_month"]
    ) == sorted(
        (round(each.price.usd * times, 2), each.price.region, each.price.source)
        for each, times in stored
        if each.price
    )


@pytest.mark.slow
@pytest.mark.parametrize("case", cases(), ids=lambda case: case.stem)
def test_what_is_shown_means_the_same(case: Path) -> None:
    """Values that are written out are read in the same way again."""
    once = validated(case)
    assert once.blueprint
    lines = [line for line, _ in as_yaml(list(values_of(once.blueprint, once.document)))]
    again = load_text("\n".join([*lines, ""]).encode(), case.name, case.parent)
    assert again.document
    assert validate(again.document).blueprint == once.blueprint


def test_each_value_says_where_it_comes_from() -> None:
    once = validated(BLUEPRINTS / "vm-smallest.yaml")
    assert once.blueprint
    origins = {each.place: each.origin for each in values_of(once.blueprint, once.document)}
    text = once.document.text.split("\n")
    file, _, line = origins["name",].rpartition(":")
    assert file.endswith("vm-smallest.yaml")
    assert text[int(line) - 1] == "name: first"
    assert origins["network", "nat"] == "default"


def test_show_prints_values_machines_and_plans(clusterprint: Run) -> None:
    shown = clusterprint("show", "blueprints/vm-a3-ultra-flex.yaml")
    assert shown.returncode == 0
    assert "max_topology_distance: block" in shown.stdout
    assert "# blueprints/vm-a3-ultra-flex.yaml:18" in shown.stdout
    assert "GPUDirect RDMA-RoCE" in shown.stdout
    assert (
        "# resolved: stack h200-train, state gs://my-terraform-state/clusterprint/h200-train" in shown.stdout
    )
    data = json.loads(clusterprint("show", "blueprints/vm-a3-ultra-flex.yaml", "--format", "json").stdout)
    assert data["machines"][0]["interfaces"] == 10
    assert data["stacks"][0]["plan"]["networks"][0]["mtu"] == 8896
    assert {"place": ["nodes", "count"], "value": 4, "origin": "blueprints/vm-a3-ultra-flex.yaml:15"} in data[
        "values"
    ]


def test_show_says_what_a_parallelstore_gives_and_no_price(clusterprint: Run) -> None:
    shown = clusterprint("show", GOLDENS / "parallelstore.yaml", "--format", "json")
    (scratch,) = json.loads(shown.stdout)["volumes"]
    assert (scratch["type"], scratch["size_gb"]) == ("scratch", 16000)
    # 1.15 and 0.5 GiB/s, 30,000 and 10,000 IOPS for each TiB
    assert (scratch["read_mbps"], scratch["write_mbps"]) == (19293, 8388)
    assert (scratch["read_iops"], scratch["write_iops"]) == (468750, 156250)
    assert (scratch["usd_per_month"], scratch["source"]) == (None, "google-parallelstore")


def test_show_says_what_volumes_give_and_cost(clusterprint: Run, tmp_path: Path) -> None:
    file = tmp_path / "a.yaml"
    file.write_text(
        "clusterprint: v1\nkind: vm\nname: a\nproject: my-project\nregion: us-central1\nzone: us-central1-a\n"
        "backend: {gcs: {bucket: my-state}}\nnodes: {machine_type: a3-highgpu-8g}\nstorage:\n  volumes:\n"
        "    - {name: home, kind: filestore, mount: /home, size_gb: 2560}\n"
        "    - {name: scratch, kind: lustre, mount: /scratch, size_gb: 18000}\n"
        "    - {name: old, kind: filestore, mount: /old, create: false, instance: old}\n"
        "    - {name: ckpt, kind: bucket, mount: /ckpt}\n",
        "utf-8",
    )
    home, scratch, old, ckpt = json.loads(clusterprint("show", file, "--format", "json").stdout)["volumes"]
    assert (home["type"], home["usd_per_month"], home["price_region"]) == ("zonal", 640, "us-central1")
    assert (home["read_mbps"], home["write_mbps"], home["read_iops"]) == (681, 230, 23000)
    assert (home["seconds_per_tb_written"], scratch["seconds_per_tb_written"]) == (4347.8, 113.8)
    assert (scratch["read_mbps"], scratch["usd_per_month"]) == (8789, 6120)
    assert [each["price_source"] for each in (home, scratch, old)] == [
        "google-filestore-prices",
        "google-lustre-prices",
        "",
    ]
    by_nodes = [each["nodes_read_mbps"] for each in (home, scratch, old, ckpt)]
    assert by_nodes == [681, 8789, None, 25000], "one node carries 200 Gbps, and a bucket is as fast as that"
    assert (old["created"], old["read_mbps"], old["usd_per_month"]) == (False, None, None)
    assert (ckpt["size_gb"], ckpt["usd_per_month"]) == (None, None)
    text = clusterprint("show", file).stdout
    assert "681 / 230" in text
    assert "113.8 s" in text
    assert "640.0  us-central1" in text


def test_show_says_what_disks_give(clusterprint: Run, tmp_path: Path) -> None:
    file = tmp_path / "a.yaml"
    head = (
        "clusterprint: v1\nkind: vm\nname: a\nproject: my-project\nregion: us-central1\nzone: us-central1-a\n"
        "backend: {gcs: {bucket: my-state}}\n"
    )
    disks = (
        "storage:\n  may_lose: [work]\n  volumes:\n"
        "    - {name: work, kind: disk, mount: /work, size_gb: 500, deletion_protection: false}\n"
        "    - {name: weights, kind: disk, mount: /w, size_gb: 500, access: read_only, snapshot: s}\n"
        "    - {name: restored, kind: disk, mount: /r, access: read_only, snapshot: s}\n"
    )
    file.write_text(head + "nodes: {machine_type: c3-standard-8, count: 2}\n" + disks, "utf-8")
    work, weights, restored = json.loads(clusterprint("show", file, "--format", "json").stdout)["volumes"]
    assert (work["read_mbps"], work["write_iops"]) == (890 * 2 * (1 << 20) // 1_000_000, 2 * 6000), "of both"
    assert (work["usd_per_month"], work["source"]) == (170, work["price_source"])
    assert (weights["read_mbps"], weights["write_mbps"]) == (12_000 * (1 << 20) // 1_000_000, None)
    assert (weights["nodes_read_mbps"], weights["seconds_per_tb_written"]) == (None, None)
    assert (restored["read_mbps"], restored["usd_per_month"]) == (None, None), "as large as its snapshot"
    in_pods = disks.replace("  may_lose: [work]\n", "").replace(", deletion_protection: false", "")
    pools = "node_pools: [{name: cpu, machine_type: c3-standard-8, count: 2}]\n"
    file.write_text(head.replace("kind: vm", "kind: gke") + pools + in_pods, "utf-8")
    work, *_ = json.loads(clusterprint("show", file, "--format", "json").stdout)["volumes"]
    assert (work["read_mbps"], work["usd_per_month"]) == (None, None), "nobody knows how many pods there are"


def test_show_says_what_pools_of_disks_hold_and_whose_disks(clusterprint: Run) -> None:
    file = GOLDENS / "gke-disk-classes.yaml"
    data = json.loads(clusterprint("show", file, "--format", "json").stdout)
    slow, fast, old = data["disk_pools"]
    assert (fast["pool"], fast["zone"], fast["size_gb"]) == ("classy-fast", "us-central1-a", 10240)
    assert fast["used_by"] == [
        {"kind": "boot_disk", "name": "cpu", "disks": 2, "size_gb": 200},
        {"kind": "volume", "name": "local", "disks": None, "size_gb": 100},
        {"kind": "disk_class", "name": "pooled", "disks": None, "size_gb": None},
    ]
    assert (slow["used_by"], slow["iops"]) == ([], None), "IOPS are not bought for its type"
    assert (old["created"], old["pool"], old["size_gb"]) == (False, "shared-pool", None)
    text = clusterprint("show", file).stdout
    assert "boot disks of cpu (2 of 200 GiB), volume local (each 100 GiB), class pooled" in text


def test_show_knows_disks_of_each_machine(clusterprint: Run) -> None:
    file = GOLDENS / "disk-pools.yaml"
    data = json.loads(clusterprint("show", file, "--format", "json").stdout)
    users = [user for pool in data["disk_pools"] for user in pool["used_by"]]
    assert users == [
        {"kind": "boot_disk", "name": "nodes", "disks": 2, "size_gb": 200},
        {"kind": "volume", "name": "bulk", "disks": 2, "size_gb": 4096},
        {"kind": "volume", "name": "work", "disks": 2, "size_gb": 500},
    ]


def test_show_lists_storage_classes(clusterprint: Run) -> None:
    file = GOLDENS / "gke-file-classes.yaml"
    classes = json.loads(clusterprint("show", file, "--format", "json").stdout)["storage_classes"]
    assert [(each["name"], each["kind"], each["type"]) for each in classes] == [
        ("fast", "disk", "hyperdisk-balanced"),
        ("shared", "filestore", "zonal"),
        ("kept", "filestore", "regional"),
        ("small", "filestore", "shares of 128 GiB"),
        ("cheap", "filestore", "basic_hdd"),
        ("scratch", "lustre", "1000 MB/s per TiB"),
    ]
    text = clusterprint("show", file).stdout
    assert "shared (default)  filestore  zonal" in text


def test_show_says_what_disks_cost_of_all_nodes_together(clusterprint: Run, tmp_path: Path) -> None:
    file = tmp_path / "a.yaml"
    file.write_text(
        "clusterprint: v1\nkind: vm\nname: a\nproject: my-project\nregion: us-central1\nzone: us-central1-a\n"
        "backend: {gcs: {bucket: my-state}}\nnodes: {machine_type: a3-megagpu-8g, count: 4}\nstorage:\n"
        "  may_lose: [work, pooled]\n"
        "  disk_pools: [{name: fast, size_gb: 10240, throughput_mbps: 1024, iops: 10000}]\n  volumes:\n"
        "    - {name: weights, kind: disk, mount: /w, access: read_only, snapshot: w, size_gb: 100}\n"
        "    - {name: old, kind: disk, mount: /old, access: read_only, snapshot: old}\n"
        "    - {name: work, kind: disk, mount: /work, deletion_protection: false}\n"
        "    - {name: pooled, kind: disk, mount: /pooled, pool: fast, deletion_protection: false}\n",
        "utf-8",
    )
    weights, old, work, pooled = json.loads(clusterprint("show", file, "--format", "json").stdout)["volumes"]
    assert weights["usd_per_month"] == 100 * 0.08 + 2400 * 0.12, "it gets 24 MiB/s for each GiB"
    assert (weights["price_region"], weights["price_source"]) == ("us-central1", "google-hyperdisk-ml-prices")
    assert (old["size_gb"], old["usd_per_month"]) == (None, None), "it is as large as its snapshot"
    one = 100 * 0.08 + 600 * 0.005 + 150 * 0.04
    assert (work["size_gb"], work["usd_per_month"]) == (100, 4 * one)
    assert pooled["usd_per_month"] is None, "its pool is paid for"


def test_show_says_what_follows_from_the_iops_of_a_disk(clusterprint: Run, tmp_path: Path) -> None:
    file = tmp_path / "a.yaml"
    file.write_text(
        "clusterprint: v1\nkind: vm\nname: a\nproject: my-project\nregion: us-central1\nzone: us-central1-a\n"
        "backend: {gcs: {bucket: my-state}}\nnodes: {machine_type: c3-standard-88, count: 2}\nstorage:\n"
        "  may_lose: [db]\n  volumes:\n"
        "    - {name: db, kind: disk, mount: /db, type: hyperdisk-extreme, iops: 10000, "
        "deletion_protection: false}\n",
        "utf-8",
    )
    (db,) = json.loads(clusterprint("show", file, "--format", "json").stdout)["volumes"]
    assert (db["read_iops"], db["read_mbps"]) == (2 * 10_000, 2 * 2500 * (1 << 20) // 1_000_000)
    assert db["usd_per_month"] == 2 * (100 * 0.125 + 10_000 * 0.032), "only IOPS are paid for"


def test_show_says_what_shares_give_and_cost(clusterprint: Run, tmp_path: Path) -> None:
    file = tmp_path / "a.yaml"
    file.write_text(
        "clusterprint: v1\nkind: vmss\nname: a\nsubscription: 00000000-0000-0000-0000-000000000000\n"
        "location: westeurope\nbackend: {gcs: {bucket: my-state}}\n"
        "nodes: {size: Standard_ND96isr_H200_v5, count: 2}\n"
        "admin: {ssh_public_key: {inline: ssh-ed25519 "
        "AAAAC3NzaC1lZDI1NTE5AAAAIPdkNp7j9nk6VpuTqpCtCwVLBgmUq5Xh9bMnsWxAFsfY me}}\n"
        "head_node: {ssh_source_ranges: [203.0.113.0/24]}\n"
        "storage:\n  volumes:\n"
        "    - {name: home, kind: azure_files, mount: /shared, size_gb: 200}\n"
        "    - {name: code, kind: azure_files, mount: /code}\n"
        "    - {name: data, kind: blob_nfs, mount: /data}\n",
        "utf-8",
    )
    home, code, data = json.loads(clusterprint("show", file, "--format", "json").stdout)["volumes"]
    assert (home["usd_per_month"], home["price_region"]) == (32, "eastus")
    assert (code["size_gb"], code["usd_per_month"]) == (1024, 163.84)
    assert (code["read_mbps"], code["write_mbps"], code["read_iops"]) == (212, 212, 4024)
    assert (data["read_mbps"], data["size_gb"]) == (None, None)
    assert data["usd_per_month"] is None, "what is in it is paid for"


def test_a_checkpoint_is_no_faster_than_the_nodes_that_write_it(clusterprint: Run, tmp_path: Path) -> None:
    file = tmp_path / "a.yaml"
    file.write_text(
        "clusterprint: v1\nkind: vmss\nname: a\nsubscription: 00000000-0000-0000-0000-000000000000\n"
        "location: eastus\nbackend: {gcs: {bucket: my-state}}\n"
        "nodes: {size: Standard_ND96isr_H200_v5, count: 2}\n"
        "admin: {ssh_public_key: {inline: ssh-ed25519 "
        "AAAAC3NzaC1lZDI1NTE5AAAAIPdkNp7j9nk6VpuTqpCtCwVLBgmUq5Xh9bMnsWxAFsfY me}}\n"
        "head_node: {ssh_source_ranges: [203.0.113.0/24]}\n"
        "storage: {volumes: [{name: scratch, kind: managed_lustre, mount: /scratch, size_gb: 131072}]}\n",
        "utf-8",
    )
    (scratch,) = json.loads(clusterprint("show", file, "--format", "json").stdout)["volumes"]
    assert (scratch["type"], scratch["read_mbps"]) == ("250 MB/s per TiB", 32000)
    nodes = 2 * 80_000 // 8
    assert (scratch["nodes_read_mbps"], scratch["seconds_per_tb_written"]) == (nodes, 1_000_000 / nodes)


def test_prices_of_another_region_are_those_of_the_one_that_is_listed() -> None:
    tier = catalog.filestore_tier("zonal")
    assert tier
    assert tier.price(1024, "europe-west4") == (286.72, "europe-west4", "google-filestore-prices")
    assert tier.price(1024, "europe-central2") == (256.0, "us-central1", "google-filestore-prices")


def test_show_with_mistakes_says_which(clusterprint: Run, tmp_path: Path) -> None:
    file = tmp_path / "a.yaml"
    file.write_text("clusterprint: v1\nkind: vm\n", "utf-8")
    shown = clusterprint("show", file)
    assert (shown.returncode, shown.stdout) == (1, "")
    assert "BP103" in shown.stderr
    assert clusterprint("show", tmp_path).returncode == 2


def test_list_has_a_row_for_each_cluster(clusterprint: Run) -> None:
    data = json.loads(clusterprint("list", "--format", "json").stdout)
    found = {each["name"]: each for each in data["clusters"]}
    assert len(found) == len(list(BLUEPRINTS.glob("*.yaml")))
    assert found["oasis"]["states"] == [
        "gs://my-terraform-state/clusterprint/oasis/oasis-cluster/default.tfstate",
        "gs://my-terraform-state/clusterprint/oasis/oasis-ray/default.tfstate",
    ]
    mega = found["mega"]
    assert (mega["kind"], mega["errors"], mega["machines"][0]["most_nodes"]) == ("vm", 0, 16)
    assert mega["usd_per_hour"] == mega["machines"][0]["usd_per_hour"] > 1000
    text = clusterprint("list", "blueprints").stdout
    assert "128 H100 Mega 80GB" in text
    assert f"{len(found)} clusters" in text
    assert max(map(len, text.splitlines())) <= 100
    assert all(each["file"] in text for each in found.values())


def test_list_shows_what_can_be_understood_of_a_broken_one(clusterprint: Run, tmp_path: Path) -> None:
    good = (BLUEPRINTS / "gke-smallest.yaml").read_text("utf-8")
    (tmp_path / "a.yaml").write_text(good.replace("e: g2-standard-8", "e: [1]"), "utf-8")
    (tmp_path / "b.yaml").write_text("a: [", "utf-8")
    (tmp_path / "c.yaml").write_text("clusterprint: v1\nkind: {gke: 1}\nname: unclear\n", "utf-8")
    group = "nodes: {machine_type: a2-highgpu-1g, capacity: {model: reserve}}"
    (tmp_path / "d.yaml").write_text(f"clusterprint: v1\nkind: vm\nname: misspelt\n{group}\n", "utf-8")
    (tmp_path / "e.yaml").write_text(good.replace("\nname: ", "\ncluster: 1\nname: "), "utf-8")
    (tmp_path / "f.yaml").write_text(good.replace("\nname: ", "\nname: other-"), "utf-8")
    done = clusterprint("list", tmp_path, "--format", "json")
    data = json.loads(done.stdout)
    assert done.returncode == 1
    assert data["unreadable"] == [str(tmp_path / "b.yaml")]
    named = [[each["name"] for each in cluster["machines"]] for cluster in data["clusters"]]
    assert named == [["system"], [], [], ["gpu"], ["system", "gpu"]]
    assert "5 blueprints with mistakes" in clusterprint("list", tmp_path).stderr


@pytest.mark.parametrize("item", ["true", "null", "{model: 3}"])
def test_list_leaves_out_nodes_that_are_obtained_in_no_known_way(
    clusterprint: Run, tmp_path: Path, item: str
) -> None:
    made = f"{{name: made, auto_create: {{machine_type: a3-ultragpu-8g, max_nodes: 2, capacity: [{item}]}}}}"
    text = (BLUEPRINTS / "gke-smallest.yaml").read_text("utf-8")
    (tmp_path / "a.yaml").write_text(f"{text}\ncompute_classes: [{made}]\n", "utf-8")
    done = clusterprint("list", tmp_path, "--format", "json")
    assert done.returncode == 1
    machines = json.loads(done.stdout)["clusters"][0]["machines"]
    assert [each["name"] for each in machines] == ["system", "gpu"]


def test_control_characters_are_shown_as_escapes(clusterprint: Run, tmp_path: Path) -> None:
    assert "\x07" not in yaml_block({"note": "#!/bin/sh\n\techo \x1b]0;gone\x07"})
    assert yaml_block({"note": "one\n\ttwo\n"}) == "note: |\n  one\n  \ttwo"
    (tmp_path / "a.yaml").write_text('clusterprint: v1\nkind: vm\nname: "x\\a"\n', "utf-8")
    assert "x\\x07" in clusterprint("list", tmp_path).stdout


def test_nodes_that_slurm_stops_cost_between_the_least_and_the_most_that_run(clusterprint: Run) -> None:
    team = BLUEPRINTS / "vm-login-compute.yaml"
    said = clusterprint("show", team).stdout
    assert "2-2" not in said
    [row] = [line for line in said.splitlines() if line.startswith("# compute ")]
    assert " 1-2 " in row
    assert " 14.43-28.86 " in row
