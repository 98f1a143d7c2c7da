import json
from pathlib import Path
from typing import Any

import pytest

from clusterprint.errors import EnvironmentFailure, UsageError
from clusterprint.lifecycle import from_state
from clusterprint.lifecycle.from_state import stacks_of

OURS = ("azurerm", "google", "helm", "kubernetes")
PROVIDER = 'provider["registry.terraform.io/hashicorp/{}"]'


def resource(kind: str, provider: str, **attributes: Any) -> dict[str, Any]:
    return {
        "mode": "managed",
        "type": kind,
        "name": "it",
        "provider": PROVIDER.format(provider),
        "instances": [{"attributes": attributes}],
    }


def cluster(dns: str) -> dict[str, Any]:
    endpoints = [{"dns_endpoint_config": [{"allow_external_traffic": True, "endpoint": dns}]}]
    return resource("google_container_cluster", "google", control_plane_endpoints_config=endpoints)


INSIDE = resource("helm_release", "helm")
STATES: dict[str, list[dict[str, Any]]] = {
    "team/a-cluster": [cluster("a.us-east4.gke.goog")],
    "team/a-workloads": [INSIDE],
    "team/b-cluster": [cluster("b.us-east4.gke.goog")],
    "team/b-ray": [INSIDE],
    "team/deep/c-cluster": [cluster("c.us-east4.gke.goog")],
    "other/d-cluster": [],
    "other/d-workloads": [INSIDE],
    "mine/e-workloads": [INSIDE],
    "group/f/f-cluster": [],
    "group/g/f-cluster": [],
}


@pytest.fixture(autouse=True)
def _bucket(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    def gcloud(words: tuple[str, ...], _environment: object) -> str:
        address = words[-1]
        if "ls" in words:
            every = [f"gs://bucket/{each}/default.tfstate" for each in STATES]
            found = [each for each in every if each.startswith(address)]
            if not found:  # as gcloud does
                raise EnvironmentFailure("ERROR: (gcloud.storage.ls) One or more URLs matched no objects.")
            return "\n".join(found)
        held = STATES[address.removeprefix("gs://bucket/").removesuffix("/default.tfstate")]
        return json.dumps({"version": 4, "serial": 1, "resources": held})

    program = tmp_path / "terraform"
    program.write_text("")
    program.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setattr(from_state, "gcloud", gcloud)
    monkeypatch.setattr(from_state, "_pins", lambda: {name: {"source": name} for name in OURS})


def test_what_runs_in_a_cluster_is_reached_in_that_cluster_and_in_no_other() -> None:
    with stacks_of("gs://bucket/team", None) as stacks:
        found = {each.name: each for each in stacks}
        assert found.keys() == {"a-cluster", "a-workloads", "b-cluster", "b-ray"}
        for name, needed, host in (
            ("a-workloads", "a-cluster", "https://a.us-east4.gke.goog"),
            ("b-ray", "b-cluster", "https://b.us-east4.gke.goog"),
        ):
            document = json.loads((found[name].folder / "cdk.tf.json").read_text())
            assert found[name].needs == (needed,)
            assert document["provider"]["helm"][0]["kubernetes"]["host"] == host


def test_an_empty_state_of_the_cluster_says_that_it_is_gone() -> None:
    with stacks_of("gs://bucket/other", None) as stacks:
        assert {each.name: each.needs for each in stacks} == {"d-cluster": (), "d-workloads": ("d-cluster",)}


@pytest.mark.parametrize("address", ["gs://bucket/mine", "gs://bucket/team/a-workloads"])
def test_without_the_state_of_its_cluster_nothing_inside_is_touched(address: str) -> None:
    with (
        pytest.raises(EnvironmentFailure, match=r"the state of that cluster, is not here"),
        stacks_of(address, None),
    ):
        pass


def test_a_folder_above_those_of_clusters_is_refused() -> None:
    with (
        pytest.raises(UsageError, match=r"name one of gs://bucket/group/f and gs://bucket/group/g"),
        stacks_of("gs://bucket/group", None),
    ):
        pass


def test_where_nothing_lies_is_no_state() -> None:
    with (
        pytest.raises(UsageError, match="there is no state at or below gs://bucket/nowhere"),
        stacks_of("gs://bucket/nowhere", None),
    ):
        pass
