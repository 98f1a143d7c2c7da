import json
from collections.abc import Sequence
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest

from clusterprint.errors import EnvironmentFailure
from clusterprint.lifecycle import import_plans
from clusterprint.lifecycle.adopt import FILE, adoptable, named_by, only_there, provider_of, write_imports
from clusterprint.lifecycle.failures import TerraformFailed
from clusterprint.lifecycle.import_plans import keeping, refuse_moved
from clusterprint.lifecycle.session import Session
from clusterprint.lifecycle.stack import LocalState, Stack, State
from clusterprint.lifecycle.terraform import Terraform

TAKEN = "googleapi: Error 409: The resource '{0}' already exists, alreadyExists"
NETWORK = "projects/p/global/networks/first-net"
SAID = [
    (TAKEN.format(NETWORK), NETWORK),
    (
        "Error 409: Already exists: projects/p/locations/us-east4/clusters/bench.",
        "projects/p/locations/us-east4/clusters/bench",
    ),
    (
        "Error 409: Service account first-nodes already exists within project projects/p., alreadyExists",
        "projects/p/serviceAccounts/first-nodes@p.iam.gserviceaccount.com",
    ),
    ("Error 409: A role named first.nodes in projects/p already exists.", "projects/p/roles/first.nodes"),
    (
        'A resource with the ID "/subscriptions/1/resourceGroups/rg" already exists - to be managed via',
        "/subscriptions/1/resourceGroups/rg",
    ),
    ('namespaces "jobset-system" already exists', "jobset-system"),
]


@pytest.mark.parametrize(("said", "identity"), SAID)
def test_a_refusal_says_by_which_id_a_thing_is_imported(said: str, identity: str) -> None:
    assert adoptable(TerraformFailed("apply", [said], ["a.b"])) == {"a.b": identity}


@pytest.mark.parametrize(
    "failed",
    [
        TerraformFailed("apply", [TAKEN.format(NETWORK), "Quota 'CPUS' exceeded."], ["a.b", "a.c"]),
        TerraformFailed("apply", [TAKEN.format(NETWORK)]),
        TerraformFailed("apply", ["cannot re-use a name that is still in use"], ["a.b"]),
    ],
    ids=["something else failed too", "of which resource is not known", "by which id is not known"],
)
def test_where_that_would_not_help_nothing_is_adopted(failed: TerraformFailed) -> None:
    assert adoptable(failed) == {}


def test_the_next_plan_imports(tmp_path: Path) -> None:
    write_imports(tmp_path, [("google_compute_network.primary", NETWORK)])
    document = json.loads((tmp_path / "adopt.tf.json").read_text())
    assert document == {"import": [{"to": "google_compute_network.primary", "id": NETWORK}]}


def creating(kind: str, *actions: str, **after: object) -> dict[str, object]:
    return {
        "address": f"{kind}.x",
        "type": kind,
        "change": {"actions": actions or ("create",), "after": after},
    }


@pytest.mark.parametrize(
    ("kind", "after", "identity"),
    [
        ("google_compute_network", {"name": "net"}, "projects/p/global/networks/net"),
        ("google_compute_network", {"name": "net", "project": "host"}, "projects/host/global/networks/net"),
        ("google_storage_bucket", {"name": "data"}, "data"),
        (
            "google_container_cluster",
            {"name": "c", "location": "us-east4-a"},
            "projects/p/locations/us-east4-a/clusters/c",
        ),
        (
            "google_compute_instance_group_manager",
            {"name": "g", "zone": "us-east4-a"},
            "projects/p/zones/us-east4-a/instanceGroupManagers/g",
        ),
        (
            "google_parallelstore_instance",
            {"instance_id": "fast", "location": "us-east4-a"},
            "projects/p/locations/us-east4-a/instances/fast",
        ),
        (
            "azurerm_linux_virtual_machine_scale_set",
            {"name": "s", "resource_group_name": "rg"},
            "/subscriptions/1/resourceGroups/rg/providers/Microsoft.Compute/virtualMachineScaleSets/s",
        ),
        ("kubernetes_persistent_volume_v1", {"metadata": [{"name": "data.ml"}]}, "data.ml"),
        (
            "kubernetes_persistent_volume_claim_v1",
            {"metadata": [{"name": "data", "namespace": "ml"}]},
            "ml/data",
        ),
        (
            "kubernetes_service_account_v1",
            {"metadata": [{"name": "volumes", "namespace": "ml"}]},
            "ml/volumes",
        ),
    ],
)
def test_the_id_of_what_would_be_created_follows_from_the_plan(
    kind: str, after: dict[str, object], identity: str
) -> None:
    plan = {"resource_changes": [creating(kind, **after)]}
    assert named_by(plan, {"project": "p", "region": "us-east4", "subscription": "1"}) == {
        f"{kind}.x": identity
    }


def test_only_what_is_created_under_a_known_name_is_looked_for() -> None:
    plan = {
        "resource_changes": [
            creating("google_compute_network", "update", name="net"),
            creating("google_compute_subnetwork", name="sub", region=None),
            creating("google_project_service", service="x"),
            creating("kubernetes_service_account_v1", metadata=[{"namespace": "ml"}]),
        ]
    }
    assert named_by(plan, {"project": "p"}) == {}


def test_what_the_provider_of_a_stack_says() -> None:
    stack = {"provider": {"google": [{"project": "p", "region": "r"}], "azurerm": [{"subscription_id": "1"}]}}
    assert provider_of(stack) == {"project": "p", "region": "r", "subscription": "1"}


MISSING = """Cannot import non-existent remote object

While attempting to import an existing object to "{0}", the provider detected that no
object exists with the given id."""


def test_what_terraform_does_not_find_is_left_out(tmp_path: Path) -> None:
    tries: list[Sequence[str]] = []

    def plan() -> None:
        tries.append([each["to"] for each in json.loads((tmp_path / FILE).read_text())["import"]])
        if "a.gone" in tries[-1]:
            raise TerraformFailed("plan", [MISSING.format("a.gone"), MISSING.format(r"a.b[\"x y\"]")])

    wanted = {"a.here": "1", "a.gone": "2", 'a.b["x y"]': "3"}
    assert only_there(tmp_path, wanted, plan) == {"a.here": "1"}
    assert [len(each) for each in tries] == [3, 1]


def test_where_nothing_is_there_no_file_is_left(tmp_path: Path) -> None:
    def plan() -> None:
        if (tmp_path / FILE).exists():
            raise TerraformFailed("plan", [MISSING.format("a.gone")])

    assert only_there(tmp_path, {"a.gone": "1"}, plan) == {}
    assert not (tmp_path / FILE).exists()


def test_another_failure_is_told(tmp_path: Path) -> None:
    def plan() -> None:
        raise TerraformFailed("plan", ["Error 403: no permission"])

    with pytest.raises(TerraformFailed):
        only_there(tmp_path, {"a.b": "1"}, plan)


class Tainted:
    """Terraform with a state in which some things were not made to their end."""

    def __init__(self, *addresses: str) -> None:
        self.place = SimpleNamespace(stack=SimpleNamespace(name="first"))
        self.tainted = list(addresses)

    def state(self) -> dict[str, Any]:
        """Clusters by name; `sound` is one without a mark."""
        marks = [*((each, {"status": "tainted"}) for each in self.tainted), ("sound", {})]
        instances = [{"index_key": name, **mark} for name, mark in marks]
        return {"resources": [{"type": "google_container_cluster", "name": "all", "instances": instances}]}

    def untaint(self, address: str) -> None:
        """Take the mark away."""
        self.tainted = [each for each in self.tainted if f'["{each}"]' not in address]

    def plan(self, *protected: str) -> bool:
        """Terraform destroys nothing that is protected; nor would it make anew what has no mark."""
        refused = [each for each in protected if each in self.tainted or each == "sound"]
        if refused:
            address = f'google_container_cluster.all["{refused[0]}"]'
            text = f"Instance cannot be destroyed\nResource {address} has\nlifecycle.prevent_destroy set, but"
            raise TerraformFailed("plan", [text])
        return True


def test_what_is_protected_and_only_said_to_have_failed_is_kept() -> None:
    made, said = Tainted("a", "b", "c"), list[str]()
    opened = cast("Session", SimpleNamespace(display=SimpleNamespace(line=said.append)))
    terraform = cast("Terraform", made)
    assert keeping(opened, terraform, lambda: made.plan("a", "b"))
    assert made.tainted == ["c"], "what is not protected is made anew, as Terraform planned"
    assert [each.rpartition("kept: ")[2] for each in said] == [
        'google_container_cluster.all["a"]',
        'google_container_cluster.all["b"]',
    ]
    with pytest.raises(TerraformFailed):  # a blueprint wants it made anew, and it stays protected
        keeping(opened, terraform, lambda: made.plan("sound"))


ELSEWHERE = "gs://b/before/first/default.tfstate"
NEW = {
    "resource_changes": [
        {
            "address": "google_compute_network.primary",
            "type": "google_compute_network",
            "change": {"actions": ["create"], "after": {"project": "p", "name": "first-net"}},
        }
    ]
}
STANDS = {**NEW, "prior_state": {"values": {"root_module": {"resources": [{"mode": "managed"}]}}}}


#: The beginning of names that only others give.
ODD = "gs://b/odd"


def state_with(identity: object) -> str:
    resource = {"mode": "managed", "type": "google_compute_network", "name": "primary"}
    return json.dumps(
        {"version": 4, "resources": [{**resource, "instances": [{"attributes": {"id": identity}}]}]}
    )


@pytest.mark.parametrize(
    ("plan", "listed", "held", "refused"),
    [
        pytest.param(NEW, ELSEWHERE, state_with(NETWORK), True, id="the same network"),
        pytest.param(
            NEW, ELSEWHERE, state_with(NETWORK.replace("/p/", "/q/")), False, id="of another project"
        ),
        pytest.param(NEW, ELSEWHERE, '{"version": 4}', False, id="an empty state"),
        pytest.param(NEW, ELSEWHERE, "cut off", False, id="no state"),
        pytest.param(NEW, ELSEWHERE, state_with([NETWORK]), False, id="something else for an id"),
        pytest.param(NEW, "gs://b/now/first/default.tfstate", state_with(NETWORK), False, id="its own state"),
        pytest.param(
            NEW, f"{ODD}; touch X/first/default.tfstate", state_with(NETWORK), False, id="of a shell"
        ),
        pytest.param(NEW, f"{ODD} --flags-file=/first/default.tfstate", "", False, id="an option"),
        pytest.param(NEW, f"{ODD}$(id)/first/default.tfstate", state_with(NETWORK), False, id="a command"),
        pytest.param(NEW, None, "", False, id="nobody can say"),
        pytest.param(STANDS, ELSEWHERE, state_with(NETWORK), False, id="a stack that stands"),
    ],
)
def test_what_another_state_has_is_not_made_a_second_time(  # noqa: PLR0913, PLR0917 - a row of the table
    plan: dict[str, Any],
    listed: str | None,
    held: str,
    refused: bool,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def gcloud(words: tuple[str, ...], _: object) -> str:
        if words[1] == "cat":
            assert ODD not in words[2], "what no state of ours is called is never handed to gcloud"
            return held
        assert words == ("storage", "ls", "gs://b/**/first/default.tfstate")
        if listed is None:
            raise EnvironmentFailure("gcloud is not installed")
        return f"{listed}\n"

    monkeypatch.setattr(import_plans, "gcloud", gcloud)
    (tmp_path / "cdk.tf.json").write_text("{}")
    session = cast("Session", SimpleNamespace(world=SimpleNamespace(environment={})))
    here = Stack("first", tmp_path, LocalState(tmp_path / "first.tfstate"))
    refuse_moved(session, here, plan)  # it is on this machine, where no prefix moves
    stack = here._replace(state=State("b", "now/first"))
    if not refused:
        refuse_moved(session, stack, plan)
        return
    with pytest.raises(EnvironmentFailure, match="Two states must not own one cluster") as failed:
        refuse_moved(session, stack, plan)
    assert f"gcloud storage mv {ELSEWHERE} gs://b/now/first/default.tfstate" in str(failed.value)
