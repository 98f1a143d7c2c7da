"""`clusterprint rights`: complete for all that stacks can make, and its roles are enough and not idle."""

import json
import re
from pathlib import Path
from typing import Any

import pytest
from support import BLUEPRINTS, GOLDENS, ROOT, Run, cases

from clusterprint.bindings.scan import modules_imported
from clusterprint.catalog.permissions import roles, type_rights
from clusterprint.errors import InternalError
from clusterprint.rights import TASKS, Need, custom_role, needs, roles_for, together
from clusterprint.rights.needs import Scope

READS = re.compile(r"(?:/read|\.(?:get|list|connect)[A-Za-z]*)$")


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
        if need.scope.sort != "bucket":
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
        Scope("bucket", "states"),
    ]
    assert "compute.globalAddresses.create" in found[1].permissions["apply"]
    assert "compute.routers.create" in found[0].permissions["apply"]
    assert roles_for(found[2], "apply") == ["roles/compute.networkUser"]
    assert roles_for(found[3], "plan") == ["roles/storage.objectUser"]


def test_a_resource_group_that_is_there_is_the_place_and_one_that_is_made_is_not() -> None:
    existing = needed(GOLDENS / "vmss-existing-subnet.tf.json")
    assert [each.scope.sort for each in existing] == ["group", "group", "bucket"]
    made = needed(GOLDENS / "vmss-h200.tf.json")
    assert roles_for(need_of(made, "subscription"), "apply") == [
        "Role Based Access Control Administrator", "Contributor",
    ]  # fmt: skip
    assert roles_for(need_of(made, "subscription"), "plan") == ["Reader"]


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


# ---- the command


def test_the_command_says_it_in_words_and_as_data(clusterprint: Run) -> None:
    file = BLUEPRINTS / "vm-smallest.yaml"
    text = clusterprint("rights", file)
    assert (text.returncode, text.stderr) == (0, "")
    assert "  project my-gpu-project\n    plan\n      roles/" in text.stdout
    one = clusterprint("rights", file, "--task", "plan", "--format", "json")
    (cluster,) = json.loads(one.stdout)
    assert cluster["name"] == "first"
    assert [(each["scope"], [*each["tasks"]]) for each in cluster["scopes"]] == [
        ("project", ["plan"]),
        ("bucket", ["plan"]),
    ]
    project = need_of(needed(GOLDENS / "vm-smallest.tf.json"), "project")
    assert cluster["scopes"][0]["tasks"]["plan"]["permissions"] == list(project.permissions["plan"])
    assert cluster["scopes"][0]["tasks"]["plan"]["roles"] == roles_for(project, "plan")


def test_the_command_writes_a_custom_role_and_says_what_it_takes_besides(clusterprint: Run) -> None:
    done = clusterprint("rights", BLUEPRINTS / "gke-mpi-hpl.yaml", "--custom-role", "apply")
    assert done.returncode == 0
    assert json.loads(done.stdout)["title"] == "clusterprint apply"
    assert done.stderr.splitlines() == [
        "besides it takes roles/container.admin: what charts make inside clusters is in no list",
        "besides, in bucket of the state my-terraform-state: roles/storage.objectUser",
    ]


def test_wrong_usage(clusterprint: Run, tmp_path: Path) -> None:
    shared = GOLDENS / "ray-shared-vpc.yaml"
    several = clusterprint("rights", shared, "--custom-role", "apply")
    assert several.returncode == 2
    assert "name one of my-gpu-project, my-host-project with --scope" in several.stderr
    named = clusterprint("rights", shared, "--custom-role", "apply", "--scope", "my-host-project")
    assert "compute.globalAddresses.create" in json.loads(named.stdout)["includedPermissions"]
    assert clusterprint("rights", shared, "--scope", "x").returncode == 2
    (tmp_path / "wrong.yaml").write_text(
        (BLUEPRINTS / "vm-smallest.yaml").read_text().replace("zone: us-", "zone: eu-")
    )
    wrong = clusterprint("rights", tmp_path / "wrong.yaml")
    assert (wrong.returncode, wrong.stdout) == (1, "")
    assert "no rights are shown" in wrong.stderr
