"""What an import of Cluster Toolkit writes and loses, measured, and that nothing is dropped in silence."""

import json
from collections.abc import Iterator
from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest
from support import Run
from toolkit_examples import Row
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
    """Those of storage-gke are in one without, which nothing can be copied to."""
    row = next(row for row in ROWS if row.number == "25")
    bucket = next(each for each in row.modules if each["id"] == "data")
    settings = {**bucket["settings"], "enable_hierarchical_namespace": True}
    changed = [{**each, "settings": settings} if each is bucket else each for each in row.modules]
    translated = imported(row._replace(modules=changed))
    assert translated.data["workloads"]["checkpoints"] == {"volume": "data", "memory_gb": 50}
    assert translated.data["cluster"]["addons"]["multi_tier_checkpointing"] is True
    assert not [each for each in translated.findings if each.message.startswith("manifest")]


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
    """What a pool of NetApp and the volumes in it become, on machines."""
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
