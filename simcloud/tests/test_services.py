"""The truths of what stands around clusters: grants, repositories, peered networks, fleets."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from clusterprint_simcloud.cloud.contents import ApiError

if TYPE_CHECKING:
    from conftest import Api, Stack

    from clusterprint_simcloud import Record, World

KSA = "my-project.svc.id.goog[jobs/runner]"
OWNER = {"project": "my-project", "role": "roles/viewer"}


def cluster(api: Api, **more: Any) -> Record:
    pool = [{"workload_pool": "my-project.svc.id.goog"}]
    return api.create(
        "google_container_cluster",
        name="c",
        location="us-central1",
        initial_node_count=1,
        workload_identity_config=pool,
        **more,
    )


# ---- grants


def test_the_pool_of_identities_comes_with_the_first_cluster(api: Api) -> None:
    kind = "google_project_iam_member"
    number = api.read("google_project", project_id="my-project")["number"]
    place = "locations/global/workloadIdentityPools/my-project.svc.id.goog/subject/ns/jobs/sa/runner"
    direct = f"principal://iam.googleapis.com/projects/{number}/{place}"
    for who in (f"serviceAccount:{KSA}", direct):
        with pytest.raises(ApiError, match=r"Identity Pool does not exist \(my-project.svc.id.goog\)"):
            api.create(kind, member=who, **OWNER)
    cluster(api)
    for who in (f"serviceAccount:{KSA}", direct):
        api.create(kind, member=who, **OWNER)
    with pytest.raises(ApiError, match="Identity Pool does not exist"):
        api.create(kind, member=direct.replace(number, "my-project"), **OWNER)


def test_an_account_must_be_there_to_act_as_it(api: Api) -> None:
    cluster(api)
    kind = "google_service_account_iam_member"
    email = "runner@my-project.iam.gserviceaccount.com"
    grant = {"role": "roles/iam.workloadIdentityUser", "member": f"serviceAccount:{KSA}"}
    for path in (f"projects/-/serviceAccounts/{email}", f"projects/my-project/serviceAccounts/{email}"):
        with pytest.raises(ApiError, match="does not exist"):
            api.create(kind, service_account_id=path, **grant)
    api.create("google_service_account", account_id="runner")
    for path in (f"projects/-/serviceAccounts/{email}", f"projects/my-project/serviceAccounts/{email}"):
        api.create(kind, service_account_id=path, **grant)


def test_custom_roles_come_before_their_grants(api: Api) -> None:
    role = {**OWNER, "role": "projects/my-project/roles/poolAdmin"}
    with pytest.raises(ApiError, match="does not exist in the resource's hierarchy"):
        api.create("google_project_iam_member", member="user:me@example.com", **role)
    wanted = {"role_id": "poolAdmin", "title": "Pools", "permissions": ["container.clusters.get"]}
    made = api.create("google_project_iam_custom_role", **wanted)
    assert made.state["name"] == role["role"]
    api.create("google_project_iam_member", member="user:me@example.com", **role)
    with pytest.raises(ApiError, match="Permission all is not valid"):
        api.create("google_project_iam_custom_role", **{**wanted, "role_id": "all", "permissions": ["all"]})


def test_another_condition_is_another_grant(api: Api) -> None:
    kind = "google_project_iam_member"
    condition = {"title": "now", "expression": "true"}
    made = api.create(kind, member="user:me@example.com", condition=[condition], **OWNER)
    changed = api.plan(kind, {"condition": [{**condition, "expression": "false"}]}, made.state)
    assert changed.replace == [("condition", 0, "expression")]


def test_secrets_made_by_hand_are_believed(api: Api) -> None:
    grant = {"role": "roles/secretmanager.secretAccessor", "member": "user:me@example.com"}
    api.create("google_secret_manager_secret_iam_member", secret_id="by-hand", **grant)  # noqa: S106
    made = api.create("google_secret_manager_secret", secret_id="own", replication=[{"auto": [{}]}])  # noqa: S106
    api.create("google_secret_manager_secret_iam_member", secret_id=made.id, **grant)
    with pytest.raises(ApiError, match="resourceInUseByAnotherResource"):
        api.delete(made)


@pytest.mark.parametrize("place", ["", "regional_"])
def test_a_protected_secret_stays(api: Api, place: str) -> None:
    more: dict[str, Any] = {"location": "us-central1"} if place else {"replication": [{"auto": [{}]}]}
    kind = f"google_secret_manager_{place}secret"
    made = api.create(kind, secret_id="own", deletion_protection=True, **more)  # noqa: S106
    with pytest.raises(ApiError, match="without setting deletion_protection=false"):
        api.delete(made)
    api.delete(api.update(made, deletion_protection=False))


def test_a_regional_secret_is_another_than_a_global_one(api: Api) -> None:
    grant = {"role": "roles/secretmanager.secretAccessor", "member": "user:me@example.com"}
    kind = "google_secret_manager_regional_secret"
    made = api.create(kind, secret_id="own", location="us-central1")  # noqa: S106
    assert made.id == "projects/my-project/locations/us-central1/secrets/own"
    api.create(f"{kind}_iam_member", secret_id="own", location="europe-west4", **grant)  # noqa: S106
    api.delete(made)


# ---- repositories


def repository(api: Api, name: str, mode: str = "STANDARD_REPOSITORY", **more: Any) -> Record:
    config = {"repository_id": name, "format": "DOCKER", "mode": mode, "location": "us-central1", **more}
    return api.create("google_artifact_registry_repository", **config)


def upstream(*repositories: Record) -> list[dict[str, Any]]:
    policies = [
        {"id": f"r{n}", "repository": one.id, "priority": 10 * (n + 1)} for n, one in enumerate(repositories)
    ]
    return [{"upstream_policies": policies}]


def test_repositories_say_what_their_mode_needs(api: Api) -> None:
    own = repository(api, "own")
    hub = [{"docker_repository": [{"public_repository": "DOCKER_HUB"}]}]
    remote = repository(api, "remote", "REMOTE_REPOSITORY", remote_repository_config=hub)
    repository(api, "all", "VIRTUAL_REPOSITORY", virtual_repository_config=upstream(own, remote))
    with pytest.raises(ApiError, match="REMOTE_REPOSITORY needs remote_repository_config"):
        repository(api, "r", "REMOTE_REPOSITORY")
    with pytest.raises(ApiError, match="STANDARD_REPOSITORY does not take remote_repository_config"):
        repository(api, "s", remote_repository_config=hub)
    with pytest.raises(ApiError, match="resourceInUseByAnotherResource"):
        api.delete(own)


def test_virtual_repositories_keep_to_one_format(api: Api) -> None:
    wheels = repository(api, "wheels", format="PYTHON")
    with pytest.raises(ApiError, match="has the format PYTHON, not DOCKER"):
        repository(api, "all", "VIRTUAL_REPOSITORY", virtual_repository_config=upstream(wheels))


def test_a_repository_must_be_there_to_grant_on_it(api: Api) -> None:
    grant = {"location": "us-central1", "role": "roles/artifactregistry.reader", "member": "allUsers"}
    with pytest.raises(ApiError, match="Requested entity was not found"):
        api.create("google_artifact_registry_repository_iam_member", repository="own", **grant)
    repository(api, "own")
    api.create("google_artifact_registry_repository_iam_member", repository="own", **grant)


# ---- peered networks


def test_a_private_pool_needs_a_connection_that_needs_a_range(api: Api) -> None:
    net = api.create("google_compute_network", name="net", auto_create_subnetworks=False)
    api.create("google_compute_subnetwork", name="s", network=net.id, ip_cidr_range="10.0.0.0/20")
    pool = {"name": "p", "location": "us-central1", "network_config": [{"peered_network": net.id}]}
    with pytest.raises(ApiError, match="has no private service connection"):
        api.create("google_cloudbuild_worker_pool", **pool)
    service = {"network": net.id, "service": "servicenetworking.googleapis.com"}
    with pytest.raises(ApiError, match="Cannot find reserved range 'build'"):
        api.create("google_service_networking_connection", reserved_peering_ranges=["build"], **service)
    address = {"purpose": "VPC_PEERING", "address_type": "INTERNAL", "network": net.id}
    with pytest.raises(ApiError, match="needs a prefix_length"):
        api.create("google_compute_global_address", name="build", **address)
    with pytest.raises(ApiError, match=r"10.0.0.0/24 conflicts with 10.0.0.0/20"):
        api.create(
            "google_compute_global_address", name="build", address="10.0.0.0", prefix_length=24, **address
        )
    made = api.create("google_compute_global_address", name="build", prefix_length=24, **address)
    assert made.state["address"] == "10.0.16.0"
    connection = api.create(
        "google_service_networking_connection", reserved_peering_ranges=["build"], **service
    )
    api.create("google_cloudbuild_worker_pool", **pool)
    for one in (connection, made, net):
        with pytest.raises(ApiError, match="resourceInUseByAnotherResource"):
            api.delete(one)


def test_one_proxy_only_subnetwork_per_network_and_region(api: Api) -> None:
    net = api.create("google_compute_network", name="net", auto_create_subnetworks=False)
    proxy = {"network": net.id, "purpose": "REGIONAL_MANAGED_PROXY", "role": "ACTIVE"}
    api.create("google_compute_subnetwork", name="a", ip_cidr_range="10.0.0.0/24", **proxy)
    with pytest.raises(ApiError, match="already an active subnetwork of purpose REGIONAL_MANAGED_PROXY"):
        api.create("google_compute_subnetwork", name="b", ip_cidr_range="10.0.1.0/24", **proxy)


# ---- fleets


def test_members_of_a_fleet_are_there(api: Api) -> None:
    link = "//container.googleapis.com/projects/my-project/locations/us-central1/clusters/c"
    wanted = {"membership_id": "c", "endpoint": [{"gke_cluster": [{"resource_link": link}]}]}
    with pytest.raises(ApiError, match="was not found"):
        api.create("google_gke_hub_membership", **wanted)
    cluster(api)
    made = api.create("google_gke_hub_membership", **wanted)
    assert made.id == "projects/my-project/locations/global/memberships/c"


@pytest.mark.terraform
def test_a_whole_life_around_clusters(world: World, stack: Stack) -> None:
    net = "${google_compute_network.n.id}"
    resources = {
        "google_compute_network": {"n": {"name": "n", "auto_create_subnetworks": False}},
        "google_compute_global_address": {
            "build": {
                "name": "build",
                "purpose": "VPC_PEERING",
                "address_type": "INTERNAL",
                "prefix_length": 24,
                "network": net,
            }
        },
        "google_service_networking_connection": {
            "build": {
                "network": net,
                "service": "servicenetworking.googleapis.com",
                "reserved_peering_ranges": ["${google_compute_global_address.build.name}"],
            }
        },
        "google_cloudbuild_worker_pool": {
            "build": {
                "name": "build",
                "location": "us-central1",
                "network_config": {"peered_network": "${google_service_networking_connection.build.network}"},
                "worker_config": {"machine_type": "e2-highmem-8", "disk_size_gb": 100},
            }
        },
        "google_artifact_registry_repository": {
            "own": {"repository_id": "own", "format": "DOCKER", "location": "us-central1"},
            "all": {
                "repository_id": "all",
                "format": "DOCKER",
                "location": "us-central1",
                "mode": "VIRTUAL_REPOSITORY",
                "virtual_repository_config": {
                    "upstream_policies": [
                        {
                            "id": "own",
                            "repository": "${google_artifact_registry_repository.own.id}",
                            "priority": 1,
                        }
                    ]
                },
            },
        },
        "google_artifact_registry_repository_iam_member": {
            "readers": {
                "repository": "${google_artifact_registry_repository.own.name}",
                "location": "${google_artifact_registry_repository.own.location}",
                "role": "roles/artifactregistry.reader",
                "member": "group:readers@example.com",
            }
        },
        "google_binary_authorization_policy": {
            "audit": {
                "default_admission_rule": {
                    "evaluation_mode": "ALWAYS_ALLOW",
                    "enforcement_mode": "DRYRUN_AUDIT_LOG_ONLY",
                }
            }
        },
        "google_gke_hub_feature": {"observed": {"name": "fleetobservability", "location": "global"}},
    }
    folder = stack(resources)
    world.terraform(folder, "validate")
    world.apply(folder)
    assert world.changes(folder) == {}
    world.destroy(folder)
    assert world.resources() == []


def test_keys_are_by_hand_and_named_in_full(api: Api) -> None:
    grant: dict[str, Any] = {
        "role": "roles/cloudkms.cryptoKeyEncrypterDecrypter",
        "member": "serviceAccount:service-1@compute-system.iam.gserviceaccount.com",
    }
    key = "projects/keys/locations/us-central1/keyRings/ring/cryptoKeys/disks"
    api.create("google_kms_crypto_key_iam_member", crypto_key_id=key, **grant)
    with pytest.raises(ApiError, match="Invalid CryptoKey id format"):
        api.create("google_kms_crypto_key_iam_member", crypto_key_id="disks", **grant)
