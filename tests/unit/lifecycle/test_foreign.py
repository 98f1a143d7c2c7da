import json
import stat
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from clusterprint.errors import EnvironmentFailure
from clusterprint.lifecycle.foreign import Network, find_foreign, remove

LINK = "https://www.googleapis.com/compute/v1/projects/p/global/networks/"
Gcloud = Callable[[Mapping[str, object]], dict[str, str]]


@pytest.fixture
def gcloud(tmp_path: Path) -> Gcloud:
    """A gcloud that answers lists from a table, and keeps what it was told; its environment."""

    def make(answers: Mapping[str, object]) -> dict[str, str]:
        for name, answer in answers.items():
            (tmp_path / f"{name.replace(' ', '-')}.json").write_text(json.dumps(answer))
        program = tmp_path / "gcloud"
        program.write_text(
            f'#!/bin/sh\ncd {tmp_path}\necho "$*" >> calls\n'
            'case "$*" in\n'
            "*' delete refused '*) echo 'Required permission' >&2; exit 1;;\n"
            "*'networks subnets list'*) cat subnets.json;; *'networks list'*) cat networks.json;;\n"
            "*' list '*) cat $2.json 2>/dev/null || echo '[]';;\nesac\n"
        )
        program.chmod(program.stat().st_mode | stat.S_IXUSR)
        return {"PATH": f"{tmp_path}:/usr/bin:/bin"}

    return make


def test_exactly_what_lies_in_exactly_this_network_and_not_in_the_state_is_found(gcloud: Gcloud) -> None:
    environment = gcloud(
        {
            "firewall-rules": [
                {"name": "first-ssh", "network": f"{LINK}first-net"},
                {"name": "k8s-fw", "network": f"{LINK}first-net"},
                {"name": "other", "network": f"{LINK}first-net-2"},
                {"name": "elsewhere", "network": f"{LINK}first-net".replace("/p/", "/q/")},
            ],
            "forwarding-rules": [
                {
                    "name": "lb",
                    "id": "77",
                    "region": f"{LINK}/regions/us-east4",
                    "network": f"{LINK}first-net",
                }
            ],
            "instances": [
                {"name": "vm", "zone": "z/us-east4-b", "networkInterfaces": [{"network": f"{LINK}first-net"}]}
            ],
            "routes": [
                {
                    "name": "default",
                    "network": f"{LINK}first-net",
                    "nextHopGateway": "x/default-internet-gateway",
                },
                {"name": "mine", "network": f"{LINK}first-net", "nextHopIp": "10.0.0.9"},
                {"name": "of-a-subnet", "network": f"{LINK}first-net", "nextHopNetwork": f"{LINK}first-net"},
                {"name": "of-a-peering", "network": f"{LINK}first-net", "nextHopPeering": "to-storage"},
            ],
            "subnets": [],
            "networks": [{"name": "first-net", "peerings": [{"name": "to-storage"}]}],
        }
    )
    known = {"google_compute_firewall": frozenset(["first-ssh"])}
    found = find_foreign([Network("p", "first-net")], known, environment)
    assert [(each.what, each.name) for each in found] == [
        ("machine", "vm"),
        ("load balancer", "lb"),
        ("firewall rule", "k8s-fw"),
        ("route", "mine"),
        ("peering", "to-storage"),
    ]
    assert found[1].words == (
        *("compute", "forwarding-rules", "delete", "lb", "--project=p", "--region=us-east4", "--quiet"),
    )
    assert found[1].mark == f"{' '.join(found[1].words)} 77", "another one of its name is another one"
    assert found[1].where == "network first-net of project p"
    assert found[0].words[-2:] == ("--zone=us-east4-b", "--quiet")
    assert found[4].words == (
        *("compute", "networks", "peerings", "delete", "to-storage", "--network=first-net", "--project=p"),
        "--quiet",
    )


def test_what_is_found_can_be_removed_and_a_refusal_is_told(gcloud: Gcloud, tmp_path: Path) -> None:
    rules = [{"name": name, "network": f"{LINK}n"} for name in ("left", "refused")]
    environment = gcloud({"firewall-rules": rules, "subnets": [], "networks": []})
    left, refused = find_foreign([Network("p", "n")], {}, environment)
    remove(left, environment)
    assert (tmp_path / "calls").read_text().splitlines()[-1] == (
        "compute firewall-rules delete left --project=p --quiet"
    )
    with pytest.raises(EnvironmentFailure, match="Required permission"):
        remove(refused, environment)


def test_without_gcloud_nothing_is_guessed(tmp_path: Path) -> None:
    with pytest.raises(EnvironmentFailure, match="gcloud is not installed"):
        find_foreign([Network("p", "n")], {}, {"PATH": str(tmp_path)})


def test_a_template_lies_where_its_machines_would(gcloud: Gcloud) -> None:
    there = {"properties": {"networkInterfaces": [{"network": f"{LINK}first-net"}]}}
    elsewhere = {"properties": {"networkInterfaces": [{"network": f"{LINK}other"}]}}
    templates = [{"name": "a", **there}, {"name": "ours", **there}, {"name": "b", **elsewhere}]
    environment = gcloud({"instance-templates": templates, "subnets": [], "networks": []})
    known = {"google_compute_instance_template": frozenset({"ours"})}
    (found,) = find_foreign([Network("p", "first-net")], known, environment)
    assert (found.what, found.words[-3:]) == ("instance template", ("a", "--project=p", "--quiet"))
