"""`clusterprint doctor` on where file systems are offered: what only the cloud knows."""

import pytest
from clouds import Clouds, missing
from doctor.conftest import Of

from clusterprint.doctor import examine

LUSTRE = "gke-lustre-training"
ZONE = "us-central1-b"


def said(wanted: Of, blueprint: str) -> list[tuple[str, str, str]]:
    """The findings about file systems: status, message, command."""
    found = examine([wanted(blueprint)])
    return [(each.status, each.message, each.fix) for each in found if each.check == "file_system"]


@pytest.mark.usefixtures("clouds")
def test_a_zone_that_has_the_kind(wanted: Of) -> None:
    assert said(wanted, LUSTRE) == [("ok", f"Managed Lustre is offered in {ZONE}", "")]


def test_a_zone_that_has_it_not_is_named_with_the_command_that_lists_others(
    clouds: Clouds, wanted: Of
) -> None:
    clouds.on("GET", "/lustre/v1/projects/[^/]+/locations", {"locations": [{"locationId": "us-central1-a"}]})
    (found,) = said(wanted, LUSTRE)
    assert found == (
        "lacks",
        f"Managed Lustre is not offered to this project in {ZONE} now",
        "gcloud lustre locations list --project=my-gpu-project",
    )


def test_all_pages_of_the_list_are_read(clouds: Clouds, wanted: Of) -> None:
    pages = {"": {"locations": [], "nextPageToken": "2"}, "2": {"locations": [{"locationId": ZONE}]}}
    clouds.on(
        "GET",
        "/lustre/v1/projects/[^/]+/locations",
        lambda _, query, __: (200, pages[query.get("pageToken", [""])[0]]),
    )
    assert [status for status, *_ in said(wanted, LUSTRE)] == ["ok"]


def test_an_api_that_is_off_leaves_it_unknown(clouds: Clouds, wanted: Of) -> None:
    clouds.on("GET", "/lustre/v1/projects/[^/]+/locations", missing("locations"))
    assert [status for status, *_ in said(wanted, LUSTRE)] == ["unasked"]


def test_each_service_is_asked_once_for_what_is_wanted_of_it(clouds: Clouds, wanted: Of) -> None:
    assert [message for _, message, _ in said(wanted, "vm-filestore-gcsfuse")] == [
        "Filestore is offered in us-central1-a"
    ]
    assert [path for _, path in clouds.asked if path.endswith("/locations")] == [
        "/file/v1/projects/my-gpu-project/locations"
    ]
