"""The truths of Google Cloud that go beyond schemas: what the API would refuse, and what it would make."""

from __future__ import annotations

import base64
import hashlib
from typing import TYPE_CHECKING

import pytest
from google_parts import IMAGE, group, interface, names, network, subnetwork, template

from clusterprint_simcloud.cloud.contents import ApiError

if TYPE_CHECKING:
    from conftest import Api

# ---- names, references, deletes


def test_links_ids_and_names_mean_the_same_network(api: Api) -> None:
    net = network(api)
    for number, spelling in enumerate([net.id, net.state["self_link"], "net", "global/networks/net"]):
        made = api.create(
            "google_compute_subnetwork",
            name=f"sub{number}",
            network=spelling,
            ip_cidr_range=f"10.0.{number}.0/24",
        )
        assert made.references == [net.key]


def test_a_missing_network_is_refused(api: Api) -> None:
    with pytest.raises(
        ApiError, match=r"'resource.network': 'nowhere'. The referenced network resource cannot be found"
    ):
        api.create("google_compute_subnetwork", name="sub", network="nowhere", ip_cidr_range="10.0.0.0/24")


def test_a_name_is_given_once(api: Api) -> None:
    network(api)
    with pytest.raises(
        ApiError, match="Error 409: The resource 'projects/my-project/global/networks/net' already exists"
    ):
        network(api)


def test_a_network_in_use_stays(api: Api) -> None:
    net = network(api)
    sub = subnetwork(api, net)
    with pytest.raises(ApiError, match=r"already being used by '.*/sub', resourceInUseByAnotherResource"):
        api.delete(net)
    api.delete(sub)
    api.delete(net)
    assert names(api, "google_compute_network") == []


def test_a_template_in_use_stays(api: Api) -> None:
    made_from = template(api, interface(subnetwork(api, network(api))))
    group(api, made_from)
    with pytest.raises(ApiError, match="resourceInUseByAnotherResource"):
        api.delete(made_from)


def test_a_health_check_in_use_stays(api: Api) -> None:
    check = api.create(
        "google_compute_health_check", name="ask", http_health_check=[{"port": 80, "request_path": "/"}]
    )
    assert check.state["type"] == "HTTP"
    made_from = template(api, interface(subnetwork(api, network(api))))
    group(api, made_from, auto_healing_policies=[{"health_check": check.id, "initial_delay_sec": 300}])
    with pytest.raises(ApiError, match="resourceInUseByAnotherResource"):
        api.delete(check)


def test_a_service_account_goes_with_what_was_granted_to_it(api: Api) -> None:
    account = api.create("google_service_account", account_id="worker")
    other = api.create("google_service_account", account_id="another")
    used = [{"email": account.state["email"], "scopes": ["cloud-platform"]}]
    template(api, interface(subnetwork(api, network(api))), service_account=used)
    for one in (account, other):
        api.create(
            "google_project_iam_member",
            project="my-project",
            role="roles/viewer",
            member=one.state["member"],
        )
    api.create(
        "google_service_account_iam_member",
        service_account_id=account.id,
        role="roles/iam.serviceAccountUser",
        member=other.state["member"],
    )
    api.delete(account)
    assert len(names(api, "google_compute_instance_template")) == 1
    left = [one for one in api.cloud.read().records.values() if one.type.endswith("_iam_member")]
    assert [one.state["member"] for one in left] == [other.state["member"]]


@pytest.mark.parametrize(
    "member",
    ["serviceAccount:nobody@my-project.iam.gserviceaccount.com", "nobody@my-project.iam.gserviceaccount.com"],
)
def test_members_must_exist(api: Api, member: str) -> None:
    with pytest.raises(ApiError, match=r"does not exist|Invalid member"):
        api.create("google_project_iam_member", project="my-project", role="roles/viewer", member=member)


@pytest.mark.parametrize(
    "member",
    [
        "user:somebody@example.com",
        "serviceAccount:service-1@compute-system.iam.gserviceaccount.com",
        "serviceAccount:other@another-project.iam.gserviceaccount.com",
        "serviceAccount:another-project.svc.id.goog[default/job]",
    ],
)
def test_members_that_cannot_be_known_are_believed(api: Api, member: str) -> None:
    api.create("google_project_iam_member", project="my-project", role="roles/viewer", member=member)


def test_a_member_under_another_condition_is_another_one(api: Api) -> None:
    """As the provider's ids have it: a node may read some files for good, and others for a time."""
    who = {"project": "my-project", "role": "roles/viewer", "member": "user:me@example.com"}
    conditions = [[], [{"title": "files", "expression": "true"}], [{"title": "time", "expression": "true"}]]
    made = [api.create("google_project_iam_member", **who, condition=each) for each in conditions]
    assert [each.id for each in made] == [
        "my-project/roles/viewer/user:me@example.com",
        "my-project/roles/viewer/user:me@example.com/files//true",
        "my-project/roles/viewer/user:me@example.com/time//true",
    ]


# ---- groups


def test_named_instances_grow_the_group(api: Api) -> None:
    made = group(api, template(api, interface(subnetwork(api, network(api)))))
    kind = "google_compute_per_instance_config"
    for name in ("node-0", "node-1"):
        api.create(kind, name=name, instance_group_manager="group", remove_instance_on_destroy=True)
    assert names(api, "google_compute_instance") == ["node-0", "node-1"]
    assert api.cloud.read().records[made.key].state["target_size"] == 2
    config = api.cloud.read().of(kind)[0]
    api.delete(config)
    assert names(api, "google_compute_instance") == ["node-1"]


def test_groups_are_named_not_linked_by_their_parts(api: Api) -> None:
    made = group(api, template(api, interface(subnetwork(api, network(api)))))
    with pytest.raises(ApiError, match="Error 404"):
        api.create(
            "google_compute_per_instance_config", name="n", instance_group_manager=made.state["self_link"]
        )


def test_deleting_a_group_deletes_its_instances_and_frees_the_network(api: Api) -> None:
    net = network(api)
    sub = subnetwork(api, net)
    made_from = template(api, interface(sub))
    made = group(api, made_from, target_size=2)
    with pytest.raises(ApiError, match="resourceInUseByAnotherResource"):
        api.delete(sub)
    for one in (made, made_from, sub, net):
        api.delete(one)
    assert [one.id for one in api.cloud.read().records.values() if not one.builtin] == []


def test_a_resize_request_needs_a_group_without_repairs(api: Api) -> None:
    made_from = template(api, interface(subnetwork(api, network(api))))
    made = group(api, made_from)
    resize = {"instance_group_manager": "group", "resize_by": 2, "name": "more"}
    with pytest.raises(ApiError, match="DO_NOTHING"):
        api.create("google_compute_resize_request", **resize)
    api.update(made, instance_lifecycle_policy=[{"default_action_on_failure": "DO_NOTHING"}])
    request = api.create("google_compute_resize_request", **resize)
    assert request.state["state"] == "SUCCEEDED"
    assert len(names(api, "google_compute_instance")) == 2


# ---- projects and storage


def test_an_api_that_is_to_be_enabled_is_off_until_then(api: Api) -> None:
    wanted = {"service": "compute.googleapis.com", "project": "my-project", "disable_on_destroy": True}
    api.plan("google_project_service", wanted)
    with pytest.raises(ApiError, match=r"Compute Engine API has not been used in project .*SERVICE_DISABLED"):
        network(api)
    service = api.create("google_project_service", **wanted)
    net = network(api)
    api.delete(service)
    with pytest.raises(ApiError, match="SERVICE_DISABLED"):
        api.delete(net)


def test_bucket_names_are_taken_once_and_full_buckets_stay(api: Api) -> None:
    bucket = api.create("google_storage_bucket", name="my-data", location="US")
    with pytest.raises(ApiError, match="Error 409"):
        api.create("google_storage_bucket", name="my-data", location="EU")
    item = api.create("google_storage_bucket_object", bucket="my-data", name="a/b", content="text")
    assert item.state["md5hash"] == base64.b64encode(hashlib.md5(b"text").digest()).decode()  # noqa: S324
    with pytest.raises(ApiError, match="containing objects without `force_destroy`"):
        api.delete(bucket)
    api.update(bucket, force_destroy=True)
    api.delete(api.cloud.read().records[bucket.key])
    assert names(api, "google_storage_bucket_object") == []


def test_an_object_needs_its_bucket_and_its_file(api: Api) -> None:
    with pytest.raises(ApiError, match="bucket does not exist"):
        api.create("google_storage_bucket_object", bucket="nowhere", name="a", content="text")
    api.create("google_storage_bucket", name="my-data", location="US")
    with pytest.raises(ApiError, match="no such file"):
        api.create("google_storage_bucket_object", bucket="my-data", name="a", source="missing.sh")


# ---- plans


def test_labels_are_computed_as_by_the_provider(api: Api) -> None:
    plan = api.plan("google_storage_bucket", {"name": "my-data", "location": "US", "labels": {"team": "ml"}})
    assert plan.state["effective_labels"] == {"goog-terraform-provisioned": "true", "team": "ml"}


def test_another_spelling_is_no_change(api: Api) -> None:
    sub = subnetwork(api, network(api))
    plan = api.plan("google_compute_subnetwork", {"network": "net"}, sub.state)
    assert (plan.replace, plan.state["network"]) == ([], sub.state["network"])


def test_ingress_rules_need_a_source(api: Api) -> None:
    plan = api.plan(
        "google_compute_firewall", {"name": "f", "network": "default", "allow": [{"protocol": "tcp"}]}
    )
    assert plan.errors == ["one of source_tags, source_ranges, or source_service_accounts must be defined"]


def test_a_running_instance_keeps_its_machine_type(api: Api) -> None:
    boot = [{"initialize_params": [{"image": IMAGE}]}]
    nic = [{"network": "default"}]
    made = api.create(
        "google_compute_instance", name="vm", machine_type="e2-small", boot_disk=boot, network_interface=nic
    )
    plan = api.plan("google_compute_instance", {"machine_type": "e2-medium"}, made.state)
    assert "allow_stopping_for_update" in plan.errors[0]
    allowed = {"machine_type": "e2-medium", "allow_stopping_for_update": True}
    assert api.plan("google_compute_instance", allowed, made.state).errors == []


def test_a_disk_grows_in_place_and_is_replaced_when_it_shrinks(api: Api) -> None:
    disk = api.create("google_compute_disk", name="d", size=100)
    assert api.plan("google_compute_disk", {"size": 200}, disk.state).replace == []
    assert api.plan("google_compute_disk", {"size": 50}, disk.state).replace == [("size",)]
