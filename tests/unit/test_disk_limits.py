"""Proposals for disks with too much or too little performance can be bought."""

from fractions import Fraction

import msgspec
import pytest
from support import BLUEPRINTS

from clusterprint import catalog
from clusterprint.load import load_text
from clusterprint.validate import validate

TEXT = """\
clusterprint: v1
kind: vm
name: disks
project: my-project
region: us-central1
zone: us-central1-a
backend: {gcs: {bucket: my-state}}
nodes: {machine_type: c3-standard-8}
storage:
  volumes:
    - {name: a, kind: disk, mount: /a, size_gb: 1000, iops: 100000, throughput_mbps: 200}
"""


def test_the_proposed_iops_have_the_throughput(monkeypatch: pytest.MonkeyPatch) -> None:
    """3 MiB/s for each 1,000 IOPS at least: beside 66,667 IOPS, 201 MiB/s would be the least."""
    known = catalog.disk_type("hyperdisk-balanced")
    assert known
    assert known.mibps
    mibps = msgspec.structs.replace(known.mibps, min_per_iops=Fraction(3, 1000))
    changed = msgspec.structs.replace(known, mibps=mibps)
    monkeypatch.setattr(catalog, "disk_type", lambda _: changed)
    document = load_text(TEXT.encode(), "disks.yaml", BLUEPRINTS).document
    assert document
    (found,) = (each for each in validate(document).diagnostics if each.code == "GCP113")
    assert "with 100,000 IOPS has 300 to 2,400 for throughput_mbps, not 200" in found.message
    assert found.help == "write 300, or iops: 66666"
