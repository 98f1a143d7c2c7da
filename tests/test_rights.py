"""`clusterprint rights`: complete for all that stacks can make, and its roles are enough and not idle."""

import json
import re
import shutil
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from cutting import modules_imported
from support import BLUEPRINTS, GOLDENS, ROOT, Run, cases

from clusterprint.catalog.permissions import roles, type_rights
from clusterprint.errors import InternalError
from clusterprint.nodes.deploy import KEEP_DATA, SCRIPTS
from clusterprint.rights import (
    TASKS,
    Need,
    custom_role,
    needs,
    roles_for,
    roles_for_pull_requests,
    together,
)
from clusterprint.rights.needs import Scope

READS = re.compile(r"(?:/read|\.(?:get|list|connect)[A-Za-z]*)$")


@cache
def needed(golden: Path) -> list[Need]:
    document = json.loads(golden.read_text("utf-8"))
    return needs([document] if "terraform" in document else document.values())


def need_of(found: list[Need], sort: str) -> Need:
    (one,) = [each for each in found if each.scope.sort == sort]
    return one


GOLDEN = pytest.mark.parametrize(
    "golden", [GOLDENS / f"{each.stem}.tf.json" for each in cases()], ids=lambda path: path.name
)


def test_every_type_that_a_stack_can_use_has_its_permissions() -> None:
    used = {
        f"{package.rpartition('_')[2]}_{module}".replace("google_data_google_", "google_")
        for package, modules in modules_imported(ROOT / "stacks").items()
        for module in modules - {"provider"}
    }
    assert "google_container_node_pool" in used
    assert {each for each in used if type_rights(each) is None} == set()


@pytest.mark.parametrize(
    ("type_", "wanted"),
    [
        # The provider asks whether the project is being deleted.
        ("google_project_service", "resourcemanager.projects.get"),
        # It counts the nodes of pools by listing the groups of a zone.
        ("google_container_node_pool", "compute.instanceGroupManagers.list"),
        ("google_container_cluster", "compute.instanceGroupManagers.list"),
    ],
)
def test_what_the_provider_reads_besides_the_resource_is_listed(type_: str, wanted: str) -> None:
    rights = type_rights(type_)
    assert rights is not None
    assert wanted in rights.read


def test_a_plan_of_a_cluster_needs_roles_that_only_read() -> None:
    found = roles_for(need_of(needed(GOLDENS / "gke-smallest.tf.json"), "project"), "plan")
    assert "roles/compute.instanceAdmin.v1" not in str(found)


@GOLDEN
def test_roles_permit_what_is_needed_and_none_is_idle(golden: Path) -> None:
    for need in needed(golden):
        for task in TASKS:
            chosen = [roles()[each] for each in roles_for(need, task)]
            for one in need.permissions[task]:
                assert any(role.permits(one) for role in chosen), one
            for role in chosen:
                others = [each for each in chosen if each is not role]
                assert role in [roles()[each] for each in need.roles[task]] or any(
                    not any(other.permits(one) for other in others) for one in need.permissions[task]
                )


@GOLDEN
def test_a_plan_only_reads_and_an_apply_can_do_all_that_a_plan_and_a_destroy_can(golden: Path) -> None:
    for need in needed(golden):
        plan, apply, destroy = (set(need.permissions[task]) for task in TASKS)
        assert plan <= apply
        assert plan <= destroy <= apply
        if need.scope.sort != "state":
            assert {each for each in plan if not READS.search(each)} == set()


def test_permissions_look_like_permissions() -> None:
    google = re.compile(r"[a-z]+\.[A-Za-z]+\.[A-Za-z]+")
    azure = re.compile(r"Microsoft\.[A-Za-z]+(?:/[A-Za-z]+)+/(?:read|write|delete|action)")
    for need in together(need for case in cases() for need in needed(GOLDENS / f"{case.stem}.tf.json")):
        form = google if need.scope.cloud == "google" else azure
        for task in TASKS:
            assert [each for each in need.permissions[task] if not form.fullmatch(each)] == []


STACK: dict[str, Any] = {
    "provider": {"google": [{"project": "own"}]},
    "terraform": {"backend": {"gcs": {"bucket": "states"}}},
    "resource": {"google_storage_bucket": {"data": {"name": "data"}}},
}


def test_what_is_asked_depends_on_the_arguments() -> None:
    bucket = {"name": "data", "force_destroy": True}
    forced = needs([STACK | {"resource": {"google_storage_bucket": {"data": bucket}}}])
    assert "storage.objects.delete" in need_of(forced, "project").permissions["destroy"]
    plain = need_of(needs([STACK]), "project")
    assert plain.permissions["destroy"] == ("storage.buckets.delete", "storage.buckets.get")
    assert (plain.scope, plain.permissions["plan"]) == (Scope("project", "own"), ("storage.buckets.get",))


def test_places_are_told_apart() -> None:
    address = {"project": "host", "network": "projects/host/global/networks/n"}
    network = {"network": "projects/lender/global/networks/n"}
    found = needs(
        [
            STACK
            | {
                "resource": {
                    "google_compute_global_address": {"a": address},
                    "google_compute_router": {"r": network},
                }
            }
        ]
    )
    assert [each.scope for each in found] == [
        Scope("project", "own"),
        Scope("shared", "host"),
        Scope("shared", "lender"),
        Scope("state", "states"),
    ]
    assert "compute.globalAddresses.create" in found[1].permissions["apply"]
    assert "compute.routers.create" in found[0].permissions["apply"]
    assert roles_for(found[2], "apply") == ["roles/compute.networkUser"]
    assert roles_for(found[3], "plan") == ["roles/storage.objectUser"]


def test_a_resource_group_that_is_there_is_the_place_and_one_that_is_made_is_not() -> None:
    existing = needed(GOLDENS / "vmss-existing-subnet.tf.json")
    assert [each.scope.sort for each in existing] == ["group", "group", "state"]
    made = needed(GOLDENS / "vmss-h200.tf.json")
    assert roles_for(need_of(made, "subscription"), "apply") == [
        "Role Based Access Control Administrator", "Contributor",
    ]  # fmt: skip
    assert roles_for(need_of(made, "subscription"), "plan") == ["Reader"]


REGISTERED: dict[str, Any] = {
    "provider": {
        "azurerm": [
            {
                "subscription_id": "sub",
                "resource_providers_to_register": ["Microsoft.Compute", "Microsoft.Storage"],
            }
        ]
    },
    "resource": {"azurerm_user_assigned_identity": {"i": {"resource_group_name": "ml"}}},
}


def test_what_is_in_a_bucket_of_somebody_else_asks_that_bucket_and_what_reads_it_the_project() -> None:
    google = {"google": [{"project": "own"}]}
    resources = {
        "google_storage_bucket_object": {"o": {"bucket": "theirs"}},
        "google_storage_anywhere_cache": {"c": {"bucket": "theirs"}},
    }
    found = needs([{"provider": google, "resource": resources}])
    assert [each.scope for each in found] == [Scope("project", "own"), Scope("bucket", "theirs")]


def test_registering_services_asks_the_subscription_whatever_group_the_rest_is_in() -> None:
    subscription, group = needs([REGISTERED])
    assert (subscription.scope, group.scope) == (
        Scope("subscription", "sub"),
        Scope("group", "sub/resourceGroups/ml"),
    )
    look = "Microsoft.Resources/subscriptions/providers/read"
    assert subscription.permissions == {
        "plan": (look,),
        "apply": ("Microsoft.Compute/register/action", look, "Microsoft.Storage/register/action"),
        "destroy": (look,),
    }
    assert roles_for(subscription, "apply") == ["Contributor"]
    assert [each.scope.sort for each in needs([{"resource": REGISTERED["resource"]}])] == ["group"]


def with_script(name: str, project: str = "own") -> Any:
    """A stack that runs a script where it is applied, and has nothing else."""
    run = {"command": name, "environment": {"PROJECT": project}}
    return {
        "provider": {"google": [{"project": "own"}]},
        "resource": {"terraform_data": {"wait": {"provisioner": [{"local-exec": run}]}}},
    }


@pytest.mark.parametrize(
    ("name", "permission"),
    [
        ("wait-for-nodes", "compute.instanceGroupManagers.get"),
        ("wait-until-ready", "compute.instances.getGuestAttributes"),
    ],
)
def test_scripts_beside_a_stack_ask_where_it_is_applied(name: str, permission: str) -> None:
    (need,) = needs([with_script(name)])
    assert need.scope == Scope("project", "own")
    assert need.permissions == {"plan": (), "apply": (permission,), "destroy": ()}
    (elsewhere,) = needs([with_script(name, "other")])
    assert elsewhere.scope == Scope("shared", "other")


def test_every_script_beside_a_stack_has_its_permissions() -> None:
    assert [each for each in SCRIPTS if not needs([with_script(each)])] == [KEEP_DATA], "it asks nobody"
    with pytest.raises(InternalError, match="no permissions are known for the script moon"):
        needs([with_script("moon")])
    waits = need_of(needed(GOLDENS / "ray-on-machines.tf.json"), "project")
    assert "compute.instances.getGuestAttributes" in waits.permissions["apply"]


def test_an_import_into_lustre_asks_of_the_project_and_of_the_bucket() -> None:
    found = needed(GOLDENS / "lustre-filled.tf.json")
    project, bucket = need_of(found, "project"), need_of(found, "bucket")
    assert {"lustre.instances.importData", "lustre.operations.list"} <= set(project.permissions["apply"])
    assert "lustre.instances.importData" not in project.permissions["plan"]
    assert bucket.scope.name == "my-datasets"
    assert "storage.buckets.setIamPolicy" in bucket.permissions["apply"]


def test_a_bucket_that_is_there_is_a_place_of_its_own() -> None:
    reader = {"bucket": "theirs", "role": "roles/storage.objectViewer"}
    ours = {"bucket": "${google_storage_bucket.data.name}"}
    members = {"google_storage_bucket_iam_member": {"theirs": reader, "ours": ours}}
    project, bucket, state = needs([STACK | {"resource": STACK["resource"] | members}])
    assert bucket.scope == Scope("bucket", "theirs")
    assert bucket.scope.title == "bucket theirs"
    assert bucket.permissions["apply"] == ("storage.buckets.getIamPolicy", "storage.buckets.setIamPolicy")
    # iam.securityReviewer, which has it, is granted on projects only.
    assert roles_for(bucket, "plan") == ["roles/storage.admin"]
    assert "storage.buckets.setIamPolicy" in project.permissions["apply"]
    assert state.scope.title == "bucket of the state states"


def test_what_is_put_into_the_bucket_of_the_state_is_asked_there() -> None:
    scripts = {"google_storage_bucket_object": {"script": {"bucket": "states"}}}
    (state,) = needs([STACK | {"resource": scripts}])
    assert state.scope == Scope("state", "states")
    assert "storage.objects.update" in state.permissions["apply"]


def test_plans_of_pull_requests_need_no_lock_and_no_look_into_clusters() -> None:
    found = needed(GOLDENS / "gke-mpi-hpl.tf.json")
    project, state = need_of(found, "project"), need_of(found, "state")
    assert roles_for_pull_requests(state) == ["roles/storage.objectViewer"]
    assert "roles/container.developer" in roles_for(project, "plan")
    fewer = roles_for_pull_requests(project)
    assert [each for each in fewer if each.startswith("roles/container.")] == [
        "roles/container.clusterViewer"
    ]
    assert set(fewer) - {"roles/container.clusterViewer"} < set(roles_for(project, "plan"))


def test_a_type_without_permissions_is_a_mistake_of_ours() -> None:
    with pytest.raises(InternalError, match="google_moon"):
        needs([STACK | {"resource": {"google_moon": {"m": {}}}}])


def test_a_custom_role_has_exactly_what_is_needed() -> None:
    need = need_of(needed(GOLDENS / "vm-smallest.tf.json"), "project")
    made = custom_role(need, "destroy")
    assert made["includedPermissions"] == list(need.permissions["destroy"])
    azure = custom_role(need_of(needed(GOLDENS / "vmss-h200.tf.json"), "subscription"), "apply")
    assert azure["AssignableScopes"] == ["/subscriptions/00000000-0000-0000-0000-000000000000"]
    assert "Microsoft.Authorization/roleAssignments/write" in azure["Actions"]


def test_custom_roles_of_different_places_have_different_names() -> None:
    subscription, group = needs([REGISTERED])
    other = group._replace(scope=Scope("group", "other/resourceGroups/ml"))
    assert [custom_role(each, "apply")["Name"] for each in (subscription, group, other)] == [
        "clusterprint apply sub", "clusterprint apply sub ml", "clusterprint apply other ml",
    ]  # fmt: skip


# ---- the command


def test_the_command_says_it_in_words_and_as_data(clusterprint: Run) -> None:
    file = BLUEPRINTS / "vm-smallest.yaml"
    text = clusterprint("rights", file)
    assert (text.returncode, text.stderr) == (0, "")
    assert "  project my-gpu-project\n    plan\n      roles/" in text.stdout
    pulls = "      plans of pull requests, without lock and refresh: roles/storage.objectViewer\n"
    assert f"    plan\n      roles/storage.objectUser\n{pulls}" in text.stdout
    assert text.stdout.count("plans of pull requests") == 1
    assert text.stdout.count("    doctor, to read policies\n      roles/orgpolicy.policyViewer") == 1
    assert "to read policies" not in clusterprint("rights", file, "--task", "plan").stdout
    one = clusterprint("rights", file, "--task", "plan", "--format", "json")
    (cluster,) = json.loads(one.stdout)
    assert cluster["name"] == "first"
    assert [(each["scope"], [*each["tasks"]]) for each in cluster["scopes"]] == [
        ("project", ["plan"]),
        ("state", ["plan"]),
    ]
    project = need_of(needed(GOLDENS / "vm-smallest.tf.json"), "project")
    assert cluster["scopes"][0]["tasks"]["plan"]["permissions"] == list(project.permissions["plan"])
    assert cluster["scopes"][0]["tasks"]["plan"]["roles"] == roles_for(project, "plan")


def test_the_command_writes_a_custom_role_and_says_what_it_takes_besides(clusterprint: Run) -> None:
    done = clusterprint("rights", BLUEPRINTS / "gke-mpi-hpl.yaml", "--custom-role", "apply")
    assert done.returncode == 0
    assert json.loads(done.stdout)["title"] == "clusterprint apply"
    assert done.stderr.splitlines() == [
        "besides it takes roles/container.admin: what charts create inside clusters is not in the list",
        "besides, in bucket of the state my-terraform-state: roles/storage.objectUser",
    ]


def test_groups_of_one_name_in_two_subscriptions_are_told_apart(clusterprint: Run, tmp_path: Path) -> None:
    first = (GOLDENS / "vmss-existing-subnet.yaml").read_text()
    shutil.copytree(GOLDENS / "scripts", tmp_path / "scripts")
    subscription = "00000000-0000-0000-0000-000000000000"
    other = subscription.replace("0000-", "1111-", 1).replace("00000000", "11111111", 1)
    (tmp_path / "a.yaml").write_text(first)
    second = first.replace(subscription, other).replace("name: reserved", "name: second")
    second = second.replace("gpu/reserved", "gpu/second")
    (tmp_path / "b.yaml").write_text(second)
    several = clusterprint("rights", tmp_path, "--custom-role", "apply")
    assert several.returncode == 2
    for each in (subscription, other):
        assert f"{each}/resourceGroups/research.gpu" in several.stderr
    place = f"{other}/resourceGroups/research.gpu"
    named = clusterprint("rights", tmp_path, "--custom-role", "apply", "--scope", place)
    assert json.loads(named.stdout)["AssignableScopes"] == [f"/subscriptions/{place}"]


@pytest.mark.parametrize("idle", [("--task", "plan"), ("--format", "json")])
def test_a_custom_role_takes_no_options_that_it_would_ignore(
    clusterprint: Run, idle: tuple[str, str]
) -> None:
    done = clusterprint("rights", BLUEPRINTS / "vm-smallest.yaml", "--custom-role", "apply", *idle)
    assert (done.returncode, done.stdout) == (2, "")
    assert f"leave out {idle[0]}" in done.stderr


def test_a_bucket_has_a_custom_role_where_one_is_asked_for(clusterprint: Run) -> None:
    file = GOLDENS / "gke-everything.yaml"
    done = clusterprint("rights", file, "--custom-role", "plan", "--scope", "gs://my-everything-data")
    assert json.loads(done.stdout)["includedPermissions"] == ["storage.buckets.getIamPolicy"]
    text = clusterprint("rights", file, "--task", "plan").stdout
    bucket = text.partition("  bucket my-everything-data\n")[2]
    assert bucket.startswith(
        "    plan\n      roles/storage.admin\n"
        "      only to read: --custom-role plan --scope gs://my-everything-data\n"
    )


def test_wrong_usage(clusterprint: Run, tmp_path: Path) -> None:
    shared = GOLDENS / "ray-shared-vpc.yaml"
    several = clusterprint("rights", shared, "--custom-role", "apply")
    assert several.returncode == 2
    assert "name one of my-gpu-project, my-host-project, gs://" in several.stderr
    named = clusterprint("rights", shared, "--custom-role", "apply", "--scope", "my-host-project")
    assert "compute.globalAddresses.create" in json.loads(named.stdout)["includedPermissions"]
    assert clusterprint("rights", shared, "--scope", "x").returncode == 2
    (tmp_path / "wrong.yaml").write_text(
        (BLUEPRINTS / "vm-smallest.yaml").read_text().replace("zone: us-", "zone: eu-")
    )
    wrong = clusterprint("rights", tmp_path / "wrong.yaml")
    assert (wrong.returncode, wrong.stdout) == (1, "")
    assert "no rights are shown" in wrong.stderr


def test_rights_on_a_key_are_granted_on_the_key() -> None:
    """Whosever project it is in: nobody needs the rights of a whole project for one key."""
    found = needed(GOLDENS / "gke-jobs.tf.json")
    keys = [each for each in found if each.scope.sort == "key"]
    ring = "projects/my-gpu-project/locations/us-central1/keyRings/gke/cryptoKeys"
    assert [each.scope.name for each in keys] == [f"{ring}/boot", f"{ring}/secrets"]
    assert [roles_for(each, "apply") for each in keys] == [["roles/cloudkms.admin"]] * 2
    assert not any("cloudkms" in one for one in need_of(found, "project").permissions["apply"])
