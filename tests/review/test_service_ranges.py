"""The range of private services, under what has addresses in it."""

from typing import Any

import pytest
from review.conftest import STAYS, Change, Repository

VM = """\
clusterprint: v1
kind: vm
name: study
project: my-gpu-project
region: us-central1
zone: us-central1-a
backend: {gcs: {bucket: my-terraform-state}}
nodes: {machine_type: c3-standard-22, count: 2}
network: {cidr: 10.33.0.0/20}
storage:
  volumes:
    - {name: scratch, kind: lustre, mount: /scratch}
    - {name: net, kind: netapp, mount: /net}
"""
MOVED = "storage:\n  private_services: {cidr: 10.101.0.0/20}\n"
MESSAGE = (
    "address study-services-range changes from 10.255.240.0/20 to 10.101.0.0/20, while Lustre instance "
    "study-scratch has addresses in it, which never change: Terraform refuses to plan that, so nothing is "
    "applied"
)


@pytest.mark.slow
def test_another_range_under_a_file_system_is_refused(empty: Repository) -> None:
    empty.write("study.yaml", VM)
    empty.commit()
    empty.edit("study.yaml", "storage:\n", MOVED)
    (risk,) = empty.review()["risks"]
    assert (risk["name"], risk["severity"], risk["message"]) == ("range_in_use", "high", MESSAGE)
    assert risk["place"]["key"] == "storage.private_services.cidr"
    assert "`storage.private_services: {cidr: 10.255.240.0/20}`" in risk["help"]
    empty.edit("study.yaml", "10.101.0.0/20", "10.255.240.0/20")
    assert empty.review()["risks"] == [], "what it says is the range that there is"


def changes(service: str, *users: tuple[str, dict[str, Any]]) -> list[Change]:
    """A range of a service that is replaced, and what else is in its network."""
    range_ = {"name": "r", "address": "10.1.0.0", "prefix_length": 20}
    connection = {"service": service, "reserved_peering_ranges": ["r"]}
    return [
        STAYS,
        ("google_compute_global_address.r", range_, {**range_, "address": "10.2.0.0", "_replaced": True}),
        ("google_service_networking_connection.c", connection, connection),
        *((f"{type_}.u", values, values) for type_, values in users),
    ]


GOOGLE, NETAPP = "servicenetworking.googleapis.com", "netapp.servicenetworking.goog"
FILESTORE = ("google_filestore_instance", {"networks": [{"connect_mode": "PRIVATE_SERVICE_ACCESS"}]})
DIRECT = ("google_filestore_instance", {"networks": [{"connect_mode": "DIRECT_PEERING"}]})


@pytest.mark.parametrize(
    ("service", "users", "names"),
    [
        (GOOGLE, [FILESTORE], {"range_in_use"}),
        (GOOGLE, [FILESTORE, ("google_lustre_instance", {})], {"range_in_use"}),
        (NETAPP, [("google_netapp_volume", {})], {"range_in_use"}),
        (NETAPP, [FILESTORE], set()),
        (GOOGLE, [DIRECT], set()),
        (GOOGLE, [], set()),
    ],
)
def test_a_range_is_in_use_by_what_its_connection_leads_to(
    found: Any, service: str, users: list[tuple[str, dict[str, Any]]], names: set[str]
) -> None:
    assert set(found(*changes(service, *users))) == names
