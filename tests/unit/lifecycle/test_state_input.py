"""States that somebody else has written to: nothing of them is run or evaluated, and no reader crashes."""

import base64
import copy
import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from clusterprint.errors import ClusterprintError, EnvironmentFailure
from clusterprint.lifecycle import from_state, state_input
from clusterprint.lifecycle.claimed_disks import clusters_in
from clusterprint.lifecycle.foreign import known_in, networks_in
from clusterprint.lifecycle.from_state import stacks_of
from clusterprint.lifecycle.inventory import read_inventory
from clusterprint.lifecycle.local_state import contents_of
from clusterprint.lifecycle.stack import LocalState, Stack, State
from clusterprint.lifecycle.state_input import parse_state, version_of
from clusterprint.status.programs import Programs
from clusterprint.status.states import _kept

Path_ = tuple[str | int, ...]

PEM = "-----BEGIN CERTIFICATE-----\nMIIBszCCAVmgAwIBAgIQ\n-----END CERTIFICATE-----\n"
SUBSCRIPTION = "00000000-0000-0000-0000-000000000001"


def resource(kind: str, attributes: dict[str, Any], provider: str = "google", **more: Any) -> dict[str, Any]:
    return {
        "mode": "managed",
        "type": kind,
        "name": "it",
        "provider": f'provider["registry.terraform.io/hashicorp/{provider}"]',
        "instances": [
            {"attributes": attributes, "dependencies": ["google_compute_network.it"], "index_key": "a"}
        ],
        **more,
    }


PLACE = {"project": "my-project", "region": "us-east4", "zone": "us-east4-a", "location": "us-east4"}
CLUSTER = {
    **PLACE,
    "name": "first",
    "endpoint": "10.0.0.1",
    "control_plane_endpoints_config": [
        {"dns_endpoint_config": [{"allow_external_traffic": False, "endpoint": "gke-1.us-east4.gke.goog"}]}
    ],
    "master_auth": [{"cluster_ca_certificate": base64.b64encode(PEM.encode()).decode()}],
}
VM = f"/subscriptions/{SUBSCRIPTION}/resourceGroups/g/providers/Microsoft.Compute/virtualMachines/v"
OUTER = {
    "version": 4,
    "serial": 3,
    "lineage": "abc",
    "outputs": {"connect": {"value": ["ssh"], "sensitive": False}},
    "resources": [
        resource("google_compute_network", {**PLACE, "name": "net"}),
        resource("google_container_cluster", {**CLUSTER, "deletion_protection": True}),
        resource("google_storage_bucket", {"name": "data", "force_destroy": False}),
        resource("google_filestore_instance", {"name": "f", "deletion_policy": "PREVENT"}),
        resource("azurerm_linux_virtual_machine", {"id": VM}, "azurerm"),
        resource("google_compute_images", {**PLACE, "images": [{"name": "image"}]}, mode="data"),
        {
            **resource("terraform_data", {"input": {"value": {"may_be_lost": False}}}),
            "provider": 'provider["terraform.io/builtin/terraform"]',
        },
    ],
}
INNER = {"version": 4, "serial": 1, "resources": [resource("helm_release", {"name": "x"}, "helm")]}


def places(value: object, at: Path_ = ()) -> Iterator[Path_]:
    """Each place in a document, leaves and what holds them."""
    inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    if at:
        yield at
    for key, each in inner:
        yield from places(each, (*at, key))


def changed(document: dict[str, Any], at: Path_, value: object) -> dict[str, Any]:
    """The document with another value in one place."""
    made = copy.deepcopy(document)
    held: Any = made
    for key in at[:-1]:
        held = held[key]
    held[at[-1]] = value
    return made


def deep() -> object:
    value: object = "x"
    for _ in range(900):
        value = [value]
    return value


#: With each, every place in a state is tried.
HOSTILE = {
    "a list": [],
    "a map": {},
    "nothing": None,
    "true": True,
    "a number": 1e308,
    "a negative number": -1,
    "an expression": '${file("/etc/passwd")}',
    "a directive": '%{ for each in ["/etc/passwd"] }${file(each)}%{ endfor }',
    "an option": "-oProxyCommand=touch X",
    "words of a shell": "a; touch X",
    "lines": "a\nb",
    "long": "a" * 100_000,
    "deep": deep(),
    "lists in lists": [[[]]],
    "maps in lists": [{"a": [{}]}],
}


@pytest.fixture
def bucket(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> dict[str, str]:
    """The texts of the states in a bucket, by stack; Terraform is on the PATH."""
    states = {"a-cluster": json.dumps(OUTER), "a-workloads": json.dumps(INNER)}

    def gcloud(words: tuple[str, ...], _environment: object) -> str:
        if "ls" in words:
            return "\n".join(f"gs://bucket/team/{each}/default.tfstate" for each in states)
        return states[words[-1].split("/")[-2]]

    program = tmp_path / "terraform"
    program.write_text("")
    program.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setattr(from_state, "gcloud", gcloud)
    pins = {name: {"source": name} for name in ("azurerm", "google", "helm", "kubernetes")}
    monkeypatch.setattr(from_state, "_pins", lambda: pins)
    return states


def made_of(states: dict[str, str]) -> list[dict[str, Any]]:
    """The configuration that destroys the resources of these states."""
    assert states
    with stacks_of("gs://bucket/team", None) as stacks:
        return [json.loads((each.folder / "cdk.tf.json").read_text("utf-8")) for each in stacks]


def test_a_state_says_how_its_cluster_is_reached(bucket: dict[str, str]) -> None:
    outer, inner = made_of(bucket)
    assert outer["provider"]["google"] == [
        {"project": "my-project", "region": "us-east4", "zone": "us-east4-a"}
    ]
    assert outer["provider"]["azurerm"][0]["subscription_id"] == SUBSCRIPTION
    reached = inner["provider"]["helm"][0]["kubernetes"]
    assert (reached["host"], reached["cluster_ca_certificate"]) == ("https://10.0.0.1", PEM)


@pytest.mark.parametrize(
    "host",
    ["evil.example", "gke.goog", "a.gke.goog.evil.example", "a.gke.goog@b", "a.gke.goog/x", "a.gke.goog:1"],
)
def test_a_dns_name_of_a_cluster_is_one_of_google(host: str) -> None:
    """The login of the user goes there."""
    with pytest.raises(EnvironmentFailure, match="as the address of a cluster"):
        state_input.host(host)


def unmarked(document: object) -> Iterator[str]:
    """The texts of a document in which Terraform would see an expression."""
    if isinstance(document, dict | list):
        for each in (*document.keys(), *document.values()) if isinstance(document, dict) else document:
            yield from unmarked(each)
    elif isinstance(document, str) and ("${" in document or "%{" in document):
        yield document


@pytest.mark.parametrize("value", HOSTILE.values(), ids=HOSTILE)
@pytest.mark.parametrize("stack", ["a-cluster", "a-workloads"])
def test_no_value_of_a_state_becomes_an_expression(bucket: dict[str, str], stack: str, value: object) -> None:
    whole = {"a-cluster": OUTER, "a-workloads": INNER}[stack]
    for at in places(whole):
        bucket[stack] = json.dumps(changed(whole, at, value))
        try:
            made = made_of(bucket)
        except ClusterprintError:
            continue
        assert list(unmarked(made)) == [], at
        assert "/etc/passwd" not in json.dumps([each.get("provider") for each in made]), at


READERS: dict[str, Callable[[dict[str, Any]], object]] = {
    "names": lambda state: [[*each.names] for each in read_inventory(state).resources],
    "data": lambda state: read_inventory(state).data,
    "guards": lambda state: read_inventory(state).kept_for(read_inventory(state).data),
    "images": lambda state: read_inventory(state).images,
    "cluster": lambda state: read_inventory(state).found_cluster,
    "protections": lambda state: read_inventory(state).protections(with_data=True, kept=frozenset()),
    "unprotected": lambda state: read_inventory(state).unprotected(with_data=True, kept=frozenset()),
    "protected again": lambda state: read_inventory(state).protected_as(read_inventory(OUTER)),
    "networks": lambda state: networks_in(read_inventory(state)),
    "known": lambda state: known_in(read_inventory(state)),
    "clusters": lambda state: clusters_in(read_inventory(state)),
}


@pytest.mark.parametrize("value", HOSTILE.values(), ids=HOSTILE)
def test_whatever_lies_in_a_state_its_readers_read_it_or_refuse_it(value: object) -> None:
    for at in places(OUTER):
        for name, read in READERS.items():
            try:
                read(changed(OUTER, at, value))
            except EnvironmentFailure as refused:
                assert len(str(refused)) < 500, (name, at)  # noqa: PT017 - many are, and none has to be


@pytest.mark.parametrize("name", ["project", "name", "location"])
def test_what_can_be_no_name_is_never_handed_to_gcloud(name: str) -> None:
    for value in ("--flags-file=x", "a b", "a;b", "${x}", "A", "a\n"):
        state = {"resources": [resource("google_container_cluster", {**CLUSTER, name: value})]}
        with pytest.raises(EnvironmentFailure, match=f"as a {name}"):
            clusters_in(read_inventory(state))


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("", id="nothing"),
        pytest.param("{", id="cut off"),
        pytest.param("null", id="null"),
        pytest.param("[]", id="a list"),
        pytest.param("{}", id="without a version"),
        pytest.param('{"version": 3, "serial": 1}', id="an earlier version"),
        pytest.param('{"version": 5, "serial": 1}', id="a later version"),
        pytest.param('{"version": "4"}', id="a version that is a text"),
        pytest.param("[" * 100_000, id="deep"),
        pytest.param('{"version": 4, "x": ' + "[" * 500 + "]" * 500 + "}", id="a deep value"),
        pytest.param('{"version": 4, "serial": ' + "9" * 30 + "}", id="a large number"),
        pytest.param('{"version": 4, "resources": {"a": 1}}', id="resources that are no list"),
        pytest.param("\0\0\0", id="zeros"),
    ],
)
def test_what_is_no_state_is_named(bucket: dict[str, str], tmp_path: Path, text: str) -> None:
    with pytest.raises(EnvironmentFailure, match=r"^gs://bucket/x is not a Terraform state"):
        parse_state(text, "gs://bucket/x")
    bucket["a-cluster"] = text
    with pytest.raises(EnvironmentFailure, match=r"a-cluster/default\.tfstate is not a Terraform state"):
        made_of(bucket)
    program = tmp_path / "gcloud"
    (tmp_path / "said").write_text(text)
    program.write_text(f"#!/bin/sh\nexec /bin/cat {tmp_path / 'said'}\n")
    program.chmod(0o755)
    found, why = _kept(State("b", "p"), Programs({"PATH": str(tmp_path)}))
    assert found.document == {}
    assert "is not a Terraform state" in why
    (tmp_path / "here.tfstate").write_text(text)
    (said,) = contents_of(Stack("a", tmp_path, LocalState(tmp_path / "here.tfstate")))
    assert "cannot be read" in said


@pytest.mark.parametrize(
    "provider",
    [
        'provider["evil.example/hashicorp/google"]',
        'provider["registry.terraform.io/evil/google"]',
        'provider["registry.terraform.io/hashicorp/external"]',
        'x provider["registry.terraform.io/hashicorp/google"]',
        'provider["terraform.io/builtin/other"]',
        "",
    ],
)
def test_a_provider_that_is_none_of_ours_is_never_asked_for(bucket: dict[str, str], provider: str) -> None:
    """Terraform would install and start it."""
    bucket["a-cluster"] = json.dumps(changed(OUTER, ("resources", 0, "provider"), provider))
    with pytest.raises(EnvironmentFailure, match="which no stack of clusterprint has"):
        made_of(bucket)


@pytest.mark.parametrize("name", ["a-cluster${x}", "a-%{x}", "a b", "a\x1b", "a'b"])
def test_a_folder_that_no_stack_of_ours_has_is_left_alone(bucket: dict[str, str], name: str) -> None:
    bucket[name] = json.dumps(OUTER)
    assert len(made_of(bucket)) == 2


@pytest.mark.parametrize(
    ("state", "version"),
    [
        ({}, ""),
        ({"version": 4, "serial": 0, "lineage": "a"}, ""),
        ({"version": 4, "serial": 1, "lineage": "a", "resources": []}, ""),
        ({"version": 4, "serial": 2, "lineage": "a", "resources": []}, "2-ca978112ca1bbdca"),
        ({"version": 4, "serial": 3, "lineage": "a"}, "3-ca978112ca1bbdca"),
        ({"version": 4, "serial": 3, "lineage": "b"}, "3-3e23e8160039594a"),
    ],
)
def test_versions_of_a_state_are_told_apart(state: dict[str, Any], version: str) -> None:
    """One that Terraform has just made is as good as none; one that was emptied is not."""
    assert version_of(state) == version
