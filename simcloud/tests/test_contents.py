"""The contents of the simulated cloud: shared by processes, kept whole, and no slower for being large."""

import subprocess
import sys

import msgspec
import pytest

from clusterprint_simcloud.cloud import records
from clusterprint_simcloud.cloud.contents import Cloud, Record


@pytest.fixture
def neighbour(cloud: Cloud) -> Cloud:
    """The same cloud as another process sees it."""
    return Cloud(cloud.folder)


def machine(name: str, **state: object) -> Record:
    return Record("machine", name, {"name": name, **state})


def names(cloud: Cloud) -> list[str]:
    return [one.id for one in cloud.read().of("machine")]


def test_what_one_process_writes_the_other_reads(cloud: Cloud, neighbour: Cloud) -> None:
    with cloud.open() as contents:
        contents.add(machine("a", size=1))
        contents.add(machine("b"))
        contents.leases["addresses"] = {"10.0.0.2": "machine a"}
    with neighbour.open() as contents:
        assert contents.leases == {"addresses": {"10.0.0.2": "machine a"}}
        contents.records["machine a"].state["size"] = 2
        contents.remove(contents.records["machine b"])
        contents.add(machine("c"))
    assert names(cloud) == ["a", "c"]
    found = cloud.get("machine", "a")
    assert found is not None
    assert found.state["size"] == 2


def test_a_call_that_fails_changes_nothing(cloud: Cloud, neighbour: Cloud) -> None:
    with cloud.open() as contents:
        contents.add(machine("a", size=1))

    def half() -> None:
        with cloud.open() as contents:
            contents.records["machine a"].state["size"] = 2
            contents.add(machine("b"))
            contents.next_serial()
            raise RuntimeError

    with pytest.raises(RuntimeError):
        half()
    for one in (cloud, neighbour):
        assert names(one) == ["a"]
        assert one.read().records["machine a"].state["size"] == 1
        assert one.read().rest.serial == 0


def test_what_was_read_is_apart_from_what_there_is(cloud: Cloud) -> None:
    with cloud.open() as contents:
        added = contents.add(machine("a", size=1))
    added.state["size"] = 2
    cloud.read().records["machine a"].state["size"] = 3
    with cloud.open() as contents:
        assert contents.records["machine a"].state["size"] == 1


def test_what_is_made_anew_is_the_youngest(cloud: Cloud, neighbour: Cloud) -> None:
    with cloud.open() as contents:
        for name in "abc":
            contents.add(machine(name))
    with cloud.open() as contents:
        contents.remove(contents.records["machine a"])
        contents.add(machine("a"))
    assert names(cloud) == names(neighbour) == ["b", "c", "a"]


def test_a_cleared_cloud_is_empty_for_all(cloud: Cloud, neighbour: Cloud) -> None:
    with cloud.open() as contents:
        contents.add(machine("a"))
    assert names(neighbour) == ["a"]
    cloud.clear()
    assert names(neighbour) == []
    with cloud.open() as contents:
        contents.add(machine("b"))
    assert names(neighbour) == ["b"]


def test_a_call_costs_the_same_however_many_records_there_are(
    cloud: Cloud, monkeypatch: pytest.MonkeyPatch
) -> None:
    with cloud.open() as contents:
        for number in range(1000):
            contents.add(machine(str(number)))
    looked_at: list[str] = []

    def encode(record: Record) -> bytes:
        looked_at.append(record.key)
        return msgspec.json.encode(record)

    monkeypatch.setattr(records, "encode", encode)
    with cloud.open() as contents:
        contents.records["machine 7"].state["size"] = 1
        contents.add(machine("new"))
    assert looked_at == ["machine 7", "machine new"]


_DIES = """
import os, sys
from pathlib import Path
from clusterprint_simcloud.cloud.contents import Cloud
with Cloud(Path(sys.argv[1])).open() as contents:
    contents.remove(contents.records["machine a"])
    os._exit(3)
"""


def test_a_process_that_dies_in_a_call_leaves_what_was_before(cloud: Cloud) -> None:
    with cloud.open() as contents:
        contents.add(machine("a"))
    died = subprocess.run([sys.executable, "-c", _DIES, str(cloud.folder)], check=False)
    assert died.returncode == 3
    assert names(cloud) == ["a"]


def test_contents_can_be_what_others_were(cloud: Cloud) -> None:
    with cloud.open() as contents:
        contents.add(Record("kind", "first", {"size": 1}))
        contents.leases["pool"] = {"10.0.0.2": "kind first"}
    then = cloud.read()
    with cloud.open() as contents:
        contents.remove(contents.records["kind first"])
        contents.add(Record("kind", "second", {}))
    for _ in range(2):  # what was is not changed by what comes after it
        with cloud.open() as contents:
            contents.replace(then)
        with cloud.open() as contents:
            contents.records["kind first"].state["size"] += 1
            contents.leases["pool"].clear()
        assert cloud.read().records["kind first"].state == {"size": 2}
    assert [one.id for one in cloud.read().records.values()] == ["first"]
    assert then.leases == {"pool": {"10.0.0.2": "kind first"}}
