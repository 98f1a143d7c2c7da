"""Results and losses of imports of Cluster Toolkit; nothing is dropped silently."""

import json
from collections.abc import Iterator
from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest
from support import Run
from toolkit_examples import Row, module
from toolkit_rows import ROWS

from clusterprint.document import Place
from clusterprint.importing.check import check
from clusterprint.importing.formats import Text, translate
from clusterprint.importing.source import Source, from_yaml
from clusterprint.importing.toolkit.translate import blueprint_of
from clusterprint.importing.work import Translated
from clusterprint.importing.write import text_of

each_row = pytest.mark.parametrize("row", ROWS, ids=[f"{row.number}-{row.name.split()[0]}" for row in ROWS])


def imported(row: Row) -> Translated:
    return translate([Text("x.yaml", json.dumps(row.text, indent=1))], "toolkit", {})


def test_all_thirty_five_are_there() -> None:
    assert [row.number for row in ROWS] == [f"{number:02}" for number in range(1, 36)]


@each_row
def test_what_an_example_loses_is_told_and_nothing_else(row: Row) -> None:
    translated = imported(row)
    told = [each.message for each in translated.findings]
    assert {each.severity for each in translated.findings} <= {"loss"}
    for expected in row.losses:
        told.remove(next(each for each in told if expected in each))
    assert told == []


@each_row
def test_what_is_written_of_an_example_holds(row: Row, tmp_path: Path) -> None:
    translated = imported(row)
    found = check(text_of(translated, ["x.yaml"]), tmp_path / "x.yaml", translated)
    errors = [each.message for each in found if each.severity == "error"]
    assert errors == []


@pytest.mark.long
@pytest.mark.slow
def test_all_of_them_are_synthesized(clusterprint: Run, tmp_path: Path) -> None:
    names = []
    for row in ROWS:
        names.append(f"{row.number}.yaml")
        (tmp_path / names[-1]).write_text(text_of(imported(row), ["x.yaml"]))
    done = clusterprint("synth", *names, "--out", "out", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    built = {file.parent.name for file in tmp_path.glob("out/stacks/*/cdk.tf.json")}
    assert {name.removesuffix(".yaml") for name in names} == {
        name.removeprefix("row-").split("-")[0] for name in built
    }


def test_checkpoints_in_a_bucket_with_folders_are_a_field() -> None:
    """To one without, nothing can be copied."""
    where = {"inMemoryVolumeSize": "50Gi", "cloudStorageBucketName": "$(data.gcs_bucket_name)"}
    manifest = {"source": '$(ghpc_stage("../checkpoints.yaml.tftpl"))', "template_vars": where}

    def kept(**settings: Any) -> tuple[Any, list[str]]:
        modules = [
            module("scheduler/gke-cluster", "cluster", enable_private_endpoint=False),
            module("file-system/cloud-storage-bucket", "data", **settings),
            module("management/kubectl-apply", "checkpoints", apply_manifests=[manifest]),
        ]
        translated = imported(Row("00", "kept", {"region": "us-central1"}, modules))
        told = [each.message for each in translated.findings]
        return translated.data.get("workloads", {}).get("checkpoints"), told

    assert kept(enable_hierarchical_namespace=True) == ({"volume": "data", "memory_gb": 50}, [])
    lost = "manifest ../checkpoints.yaml.tftpl of checkpoints is not carried over"
    assert kept() == (None, [lost])


def bucket_of(**settings: Any) -> tuple[dict[str, Any], list[str]]:
    """The volume that a bucket becomes, and what is lost of it."""
    module = {"source": "modules/file-system/cloud-storage-bucket", "id": "data", "settings": settings}
    cluster = {"source": "modules/scheduler/gke-cluster", "id": "cluster"}
    variables = {"region": "us-central1", "zone": "us-central1-a"}
    translated = imported(Row("00", "buckets", variables, [cluster, module]))
    (volume,) = translated.data["storage"]["volumes"]
    told = [each.message for each in translated.findings if "of data" in each.message]
    return {key: value for key, value in volume.items() if key not in ("name", "kind")}, told


def test_a_rapid_bucket_is_one_in_a_zone() -> None:
    rapid = {"storage_class": "RAPID", "enable_hierarchical_namespace": True}
    there = {"storage_class": "rapid", "hierarchical_namespace": True, "zone": "us-central1-b"}
    zones = ["us-central1-b"]
    assert bucket_of(**rapid, placement_zones=zones) == (there, [])
    assert bucket_of(**rapid, placement_zones=zones, soft_delete_retention_duration=0) == (there, [])
    _, told = bucket_of(**rapid, placement_zones=["us-central1-a", "us-central1-b"])
    assert told == ["placement_zones of data: a bucket of class rapid is in one zone"]


def test_a_cache_of_a_bucket_is_one_here() -> None:
    """Who admits data at the second miss loses that: caches admit it at the first."""
    cache = {"zones": ["$(vars.zone)"], "ttl": "172800s", "admission_policy": "admit-on-first-miss"}
    assert bucket_of(anywhere_cache=cache, anywhere_cache_create_timeout="4h") == (
        {"anywhere_cache": {"zones": ["us-central1-a"], "ttl": "172800s"}},
        [],
    )
    second = {"zones": ["us-central1-a"], "admission_policy": "admit-on-second-miss"}
    volume, told = bucket_of(anywhere_cache=second)
    assert volume == {"anywhere_cache": {"zones": ["us-central1-a"], "ttl": "86400s"}}
    assert told == ["admission_policy of anywhere_cache of data has no counterpart: 'admit-on-second-miss'"]
    assert bucket_of(anywhere_cache={"zones": []}) == ({}, [])


def parallelstore_of(**settings: Any) -> tuple[dict[str, Any], list[str]]:
    """The volume that a Parallelstore on machines becomes, and what is lost of it."""
    modules = [
        {"source": "modules/file-system/parallelstore", "id": "scratch", "settings": settings},
        {
            "source": "modules/compute/vm-instance",
            "id": "vm",
            "use": ["scratch"],
            "settings": {"machine_type": "n2-standard-2"},
        },
    ]
    variables = {"region": "us-central1", "zone": "us-central1-a"}
    translated = imported(Row("00", "scratch", variables, modules))
    (volume,) = translated.data["storage"]["volumes"]
    return volume, [each.message for each in translated.findings if "of scratch" in each.message]


def test_a_parallelstore_is_one_here_without_what_is_imported_into_it() -> None:
    plain = {"name": "scratch", "kind": "parallelstore", "mount": "/parallelstore", "size_gb": 12000}
    options = "disable-wb-cache,thread-count=16,eq-count=8"
    assert parallelstore_of(mount_options=options) == (plain, [])
    volume, told = parallelstore_of(
        size_gb=16000,
        local_mount="/fast",
        zone="us-central1-b",
        file_stripe="FILE_STRIPE_LEVEL_MAX",
        import_gcs_bucket_uri="gs://data",
        import_destination_path="/data",
    )
    assert volume == {**plain, "mount": "/fast", "size_gb": 16000, "zone": "us-central1-b"}
    assert sorted(told) == [
        "file_stripe of scratch (file-system/parallelstore) has no counterpart: 'FILE_STRIPE_LEVEL_MAX'",
        "import_gcs_bucket_uri of scratch: data are not imported",
    ]


def netapps_of(pool: dict[str, Any], *volumes: dict[str, Any]) -> Translated:
    """The import of a NetApp pool and its volumes, on machines."""
    modules = [
        {"source": "modules/file-system/netapp-storage-pool", "id": "pool", "settings": pool},
        *(
            {"source": "modules/file-system/netapp-volume", "id": name, "use": ["pool"], "settings": settings}
            for name, settings in zip("ab", volumes, strict=False)
        ),
        {"source": "modules/compute/vm-instance", "id": "vm", "settings": {"machine_type": "n2-standard-2"}},
    ]
    return imported(Row("00", "files", {"region": "us-central1", "zone": "us-central1-a"}, modules))


def test_a_volume_of_netapp_is_all_of_its_pool() -> None:
    pool = {"capacity_gib": 4096, "service_level": "EXTREME"}
    translated = netapps_of(pool, {"local_mount": "/home", "capacity_gib": 3000, "protocols": ["NFSV4"]})
    assert translated.data["storage"]["volumes"] == [
        {
            "name": "a",
            "kind": "netapp",
            "mount": "/home",
            "tier": "extreme",
            "size_gb": 4096,
            "protocol": "nfs_v4_1",
        }
    ]
    assert "volume a takes all 4096 GiB of its pool, not 3000" in translated.decisions


def test_volumes_of_netapp_that_share_a_pool_get_their_own() -> None:
    translated = netapps_of({"capacity_gib": 6144}, {"capacity_gib": 1024}, {"capacity_gib": 5120})
    volumes = translated.data["storage"]["volumes"]
    assert [(each["name"], each["size_gb"], each["tier"]) for each in volumes] == [
        ("a", 2048, "premium"),
        ("b", 5120, "premium"),
    ]
    assert "volume a has a pool of its own, as a pool holds one volume: 1024 GiB" in translated.decisions


def test_a_pool_of_level_flex_has_a_zone_and_throughput() -> None:
    pool = {"service_level": "FLEX", "capacity_gib": 1024, "zone": "us-central1-b"}
    bought = {**pool, "total_throughput_mibps": 256, "total_iops": 8192, "replica_zone": "us-central1-c"}
    translated = netapps_of(bought, {"local_mount": "/home", "capacity_gib": 1024})
    assert translated.data["storage"]["volumes"] == [
        {
            "name": "a",
            "kind": "netapp",
            "mount": "/home",
            "tier": "flex",
            "zone": "us-central1-b",
            "throughput_mbps": 256,
            "size_gb": 1024,
        }
    ]
    lost = [each.message.partition(":")[0] for each in translated.findings]
    assert sorted(lost) == ["replica_zone of pool", "total_iops of pool"]


def test_what_netapp_has_besides_is_lost() -> None:
    translated = netapps_of({"service_level": "ULTRA"}, {"protocols": ["NFSV3", "NFSV4"]})
    told = [each.message for each in translated.findings]
    assert "service_level of pool: no such level is built: ultra" in told
    assert "protocols of a: a volume speaks one of NFSV3 and NFSV4" in told
    (unused,) = (each for each in netapps_of({}).findings if "pool" in each.message)
    assert "no volume uses it" in unused.message


@pytest.mark.parametrize(
    ("address", "wanted"),
    [
        ("gs://my-sets", {"bucket": "my-sets"}),
        ("gs://my-sets/", {"bucket": "my-sets"}),
        ("gs://my-sets/a/b", {"bucket": "my-sets", "path": "/a/b/"}),
    ],
)
def test_a_lustre_is_filled_from_the_same_bucket(address: str, wanted: dict[str, str]) -> None:
    modules = [
        {
            "source": "modules/file-system/managed-lustre",
            "id": "scratch",
            "settings": {"import_gcs_bucket_uri": address},
        },
        {"source": "modules/compute/vm-instance", "id": "vm", "settings": {"machine_type": "n2-standard-2"}},
    ]
    place = {"region": "us-central1", "zone": "us-central1-a"}
    translated = imported(Row("00", "files", place, modules))
    (volume,) = translated.data["storage"]["volumes"]
    assert volume["import_from"] == wanted
    assert not translated.findings


def test_what_is_standard_in_a_region_has_an_old_name() -> None:
    volume, told = bucket_of(storage_class="REGIONAL", placement_zones=["us-central1"])
    assert (volume, told) == ({"storage_class": "standard"}, [])
    assert bucket_of(soft_delete_retention_duration=1209600) == ({"soft_delete": "1209600s"}, [])
    assert bucket_of(soft_delete_retention_duration=0) == (
        {},
        ["soft_delete_retention_duration of data: what is deleted is kept for 7 days at least"],
    )


# ---- what a module does where nothing is said


def gke_of(*pools: dict[str, Any], **cluster: Any) -> Translated:
    """The import of a regional cluster with these pools."""
    settings = {"enable_private_endpoint": False, "release_channel": "REGULAR", **cluster}
    modules = [
        module("scheduler/gke-cluster", "cluster", **settings),
        *(module("compute/gke-node-pool", "ab"[number], **each) for number, each in enumerate(pools)),
    ]
    return imported(Row("00", "pools", {"region": "us-central1", "zone": "us-central1-a"}, modules))


@pytest.mark.parametrize(
    ("settings", "threads"),
    [
        ({}, 1),  # a c2-standard-60
        ({"threads_per_core": 2}, 2),
        ({"machine_type": "g2-standard-4"}, 1),
        ({"machine_type": "c3-standard-176-lssd"}, 1),
        ({"machine_type": "a3-highgpu-8g"}, None),  # has no number of vCPUs in its name
        ({"machine_type": "e2-medium"}, None),
    ],
)
def test_smt_is_off_where_cluster_toolkit_turns_it_off(settings: dict[str, Any], threads: int | None) -> None:
    (pool,) = gke_of({"static_node_count": 1, **settings}).data["node_pools"]
    assert pool.get("threads_per_core") == threads


def test_nodes_of_a_regional_cluster_are_in_three_zones_and_so_many_times_as_many() -> None:
    three = ["us-central1-a", "us-central1-b", "us-central1-c"]
    plain, own = ({"static_node_count": 2}, {"static_node_count": 2, "zones": ["us-central1-f"]})
    translated = gke_of(plain, own)
    pools = [(each["zones"], each["count"]) for each in translated.data["node_pools"]]
    assert pools == [(three, 6), (["us-central1-f"], 2)]
    assert any("pool a names no zones" in each for each in translated.decisions)
    (pool,) = gke_of(plain, cluster_availability_type="ZONAL").data["node_pools"]
    assert (pool.get("zones"), pool["count"]) == (None, 2)


def test_a_pool_without_a_limit_has_room_in_the_range_for_pods() -> None:
    ranges = [{"range_name": "pods", "ip_cidr_range": "10.4.0.0/16"}]
    net = module("network/vpc", "net", secondary_ranges={"nodes": ranges})
    cluster = module("scheduler/gke-cluster", "cluster", ("net",), enable_private_endpoint=False)
    pool = module("compute/gke-node-pool", "pool", zones=["us-central1-a"])
    row = Row("00", "room", {"region": "us-central1", "zone": "us-central1-a"}, [net, cluster, pool])
    assert imported(row).data["node_pools"][0]["autoscaling"] == {"min": 0, "max": 496}


@pytest.mark.parametrize(
    ("channel", "upgraded", "told"),
    [
        ("REGULAR", True, []),
        ("REGULAR", None, ["always upgraded automatically, as release channel regular says"]),
        (None, None, []),
        (None, True, ["never upgraded automatically, as release channel none says"]),
    ],
)
def test_whether_nodes_are_upgraded_is_decided_aloud(
    channel: str | None, upgraded: bool | None, told: list[str]
) -> None:
    translated = gke_of({"static_node_count": 1, "auto_upgrade": upgraded}, release_channel=channel)
    assert translated.data["cluster"]["release_channel"] == (channel or "none").lower()
    found = [each for each in translated.decisions if "auto_upgrade was" in each]
    assert [part in each for part, each in zip(told, found, strict=True)] == [True] * len(told)


def test_a_private_endpoint_that_nobody_asked_for_is_lost_too() -> None:
    told = gke_of({"static_node_count": 1}, enable_private_endpoint=None).findings
    assert ["enable_private_endpoint" in each.message for each in told] == [True]


def test_interfaces_that_pods_claim_are_left_to_gke_and_their_template_is_written(tmp_path: Path) -> None:
    pool = {"machine_type": "a4x-highgpu-4g", "static_node_count": 2, "zones": ["us-central1-a"]}
    held = {"consume_reservation_type": "SPECIFIC_RESERVATION", "specific_reservations": [{"name": "mine"}]}
    translated = gke_of({**pool, "enable_dranet": True, "reservation_affinity": held}, version_prefix="1.35.")
    (found,) = translated.data["node_pools"]
    assert found["accelerator_network_profile"] == "auto"
    (manifest,) = translated.data["workloads"]["manifests"]
    assert "name: default-rdma," in manifest["inline"]
    assert "deviceClassName: mrdma.google.com, allocationMode: All" in manifest["inline"]
    told = check(text_of(translated, ["x.yaml"]), tmp_path / "x.yaml", translated)
    assert [each.message for each in (*translated.findings, *told) if each.severity != "warning"] == []


@pytest.mark.parametrize(
    ("machine", "names"),
    [
        ("a3-highgpu-8g", "gpu-0 to gpu-3, not vpc2"),
        ("a3-ultragpu-8g", "host, rdma-a-0 to rdma-a-7, not vpc2 and rdma-0-x"),
        ("h4d-highmem-192-lssd", "falcon-a-0, not rdma-0-x"),
    ],
)
def test_pods_that_ask_for_networks_by_name_have_to_be_changed(machine: str, names: str) -> None:
    theirs = {"gvnic_prefix": "vpc", "gvnic_start_index": 2, "rdma_prefix": "rdma-", "rdma_postfix": "-x"}
    modules = [
        module("network/multivpc", "nets"),
        module("scheduler/gke-cluster", "cluster", enable_private_endpoint=False, k8s_network_names=theirs),
        module(
            "compute/gke-node-pool", "pool", ("cluster", "nets"), machine_type=machine, static_node_count=1
        ),
    ]
    row = Row("00", "names", {"region": "us-central1", "zone": "us-central1-a"}, modules)
    told = [each.message for each in imported(row).findings]
    assert told == [f"additional_networks of pool: pods name these networks {names}"]


def vm_of(*more: dict[str, Any], **settings: Any) -> Translated:
    """The import of machines, with other modules in the file."""
    machines = {"source": "modules/compute/vm-instance", "id": "vm", "use": [each["id"] for each in more]}
    place = {"region": "us-central1", "zone": "us-central1-a"}
    return imported(Row("00", "vms", place, [*more, {**machines, "settings": settings}]))


def test_machines_boot_the_image_that_they_boot_where_none_is_named() -> None:
    nodes = vm_of(machine_type="c2-standard-60").data["nodes"]
    assert nodes["image"] == {"project": "cloud-hpc-image-public", "family": "hpc-rocky-linux-8"}
    assert nodes["boot_disk"] == {"type": "pd-standard"}
    assert "boot_disk" not in vm_of(machine_type="h4d-highmem-192-lssd").data["nodes"]  # has no such disks


@pytest.mark.parametrize(
    ("source", "settings", "why"),
    [
        ("file-system/cloud-storage-bucket", {}, "the mount of a bucket"),
        ("file-system/managed-lustre", {}, "the mount of a lustre"),
        ("scripts/startup-script", {"install_cloud_ops_agent": True}, "the Ops Agent"),
    ],
)
def test_machines_boot_ubuntu_where_what_they_mount_needs_it(
    source: str, settings: dict[str, Any], why: str, tmp_path: Path
) -> None:
    translated = vm_of(module(source, "more", **settings), machine_type="n2-standard-4")
    assert "image" not in translated.data["nodes"]
    assert any(f"boot Ubuntu, as {why} is set up" in each for each in translated.decisions)
    found = check(text_of(translated, ["x.yaml"]), tmp_path / "x.yaml", translated)
    assert [each for each in found if each.severity == "error"] == []


def test_an_empty_reservation_is_none() -> None:
    translated = vm_of(machine_type="n2-standard-4", reservation_name="")
    assert (translated.findings, "capacity" in translated.data["nodes"]) == ([], False)


@pytest.mark.parametrize(
    ("everywhere", "own", "told"),
    [
        (None, {"a": "b"}, "labels of vm has no counterpart: {'a': 'b'}"),
        ({"a": "c"}, {"a": "b"}, "labels of vm: it is that of the whole blueprint: {'a': 'c'}"),
        ({"a": "b"}, {"a": "b"}, None),
        ({"a": "b"}, "$(vars.labels)", None),
    ],
)
def test_labels_of_a_module_are_those_of_all_or_a_loss(everywhere: Any, own: Any, told: str | None) -> None:
    place = {"region": "us-central1", "zone": "us-central1-a"}
    variables = {**place, "labels": everywhere} if everywhere else place
    machines = module("compute/vm-instance", "vm", machine_type="n2-standard-4", labels=own)
    found = imported(Row("00", "vms", variables, [machines])).findings
    assert [(each.severity, each.message) for each in found] == ([("loss", told)] if told else [])


def test_updates_that_are_off_are_off_by_metadata() -> None:
    translated = vm_of(machine_type="c2-standard-60", allow_automatic_updates=False)
    assert translated.data["metadata"] == {"google_disable_automatic_updates": "TRUE"}


def test_dynamic_slices_are_lost_and_what_is_said_of_them_is_shown_by_value() -> None:
    kueue = {"install": True, "enable_dynamic_slicing_for_tpus": "$(vars.sliced)", "replicas": "$(vars.n)"}
    modules = [
        module("scheduler/gke-cluster", "cluster", enable_private_endpoint=False),
        module("management/kubectl-apply", "install", kueue=kueue),
    ]
    variables = {"region": "us-central1", "zone": "us-central1-a", "n": 3}
    on, off = (
        [each.message for each in imported(Row("00", "x", {**variables, "sliced": sliced}, modules)).findings]
        for sliced in (True, False)
    )
    assert off == ["replicas of kueue of install has no counterpart: 3"]
    assert on == ["enable_dynamic_slicing_for_tpus of kueue of install has no counterpart: True", *off]


# ---- nothing is dropped in silence


def leaves(data: Any, place: Place = ()) -> Iterator[Place]:
    if isinstance(data, dict | list) and data:
        for key, value in data.items() if isinstance(data, dict) else enumerate(data):
            yield from leaves(value, (*place, key))
    else:
        yield place


def other(value: Any) -> Any:
    """A value of the same shape that says something else."""
    if isinstance(value, bool):
        return not value
    if isinstance(value, int):
        return value + 3
    return f"{value or ''}-other"


def put(data: Any, place: Place, value: Any) -> None:
    for key in place[:-1]:
        data = data[key]
    data[place[-1]] = value


def outcome(translated: Translated) -> tuple[Any, ...]:
    return translated.data, [each[1:4] for each in translated.findings], translated.decisions


def is_told(place: Place, translated: Translated, source: Source) -> bool:
    """Whether something was said of a place, or of a part that it lies in: at its line, or by its name."""
    lines = {each.line for each in translated.findings if each.severity == "loss"}
    parts = [place[:length] for length in range(4, len(place) + 1)]
    if any(source.at(part).line in lines for part in parts if part != place[:4]):
        return True
    if source.at((*place[:4], "id")).line in lines:
        return True
    said = " ".join(sentence for sentence in translated.decisions if "not carried over" in sentence)
    identity = source.look((*place[:4], "id"))
    return any(f"{key} of {middle}{identity}" in said for key in place[5:] for middle in ("", *_inner(place)))


def _inner(place: Place) -> list[str]:
    """How keys inside of a setting are named: `key of setting of module`."""
    words = [str(key) for key in place[5:] if isinstance(key, str)]
    return [" of ".join(reversed(words[:length])) + " of " for length in range(1, len(words))]


@pytest.mark.slow
def test_each_setting_changes_what_is_written_or_is_told() -> None:
    """By trying: whatever is changed in the input is seen in the blueprint, its comments or the losses."""
    silent, tried = [], set()
    for row in ROWS:
        source, _ = from_yaml("x.yaml", json.dumps(row.text, indent=1))
        lines = source._lines  # noqa: SLF001 - read once, and used for each variation
        before = blueprint_of([Source("x.yaml", source.data, lines)], {})
        for place in leaves(source.data["deployment_groups"], ("deployment_groups",)):
            kind = source.look((*place[:4], "source"))
            what = (kind, *(key for key in place[4:] if isinstance(key, str)))
            if "settings" not in place or what in tried or is_told(place, before, source):
                continue
            tried.add(what)
            data = deepcopy(source.data)
            put(data, place, other(source.look(place)))
            if outcome(blueprint_of([Source("x.yaml", data, lines)], {})) == outcome(before):
                silent.append((row.number, *what))
    assert silent == []
    assert len(tried) > 80


ODD: tuple[Any, ...] = (
    None,
    "",
    [],
    {},
    7,
    1.5,
    True,
    "x",
    ["a"],
    [{"a": 1}],
    {"a": {"b": [1]}},
    [[1]],
    [None],
    "$(vars.nope)",
)


@pytest.mark.long
@pytest.mark.slow
def test_no_setting_of_another_shape_is_a_crash() -> None:
    tried = set()
    for row in ROWS:
        source, _ = from_yaml("x.yaml", json.dumps(row.text, indent=1))
        for place in {each[:6] for each in leaves(source.data["deployment_groups"], ("deployment_groups",))}:
            what = (source.look((*place[:4], "source")), *place[4:])
            if what in tried or len(place) < 5:
                continue
            tried.add(what)
            for value in ODD:
                before = source.look(place)
                put(source.data, place, value)
                blueprint_of([Source("x.yaml", source.data, {})], {})
                put(source.data, place, before)
    assert len(tried) > 100
