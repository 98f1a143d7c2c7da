"""Existing Google resources that a configuration names: the simulation creates them beforehand."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any

from clusterprint_simcloud.cloud.contents import Contents, Record
from clusterprint_simcloud.google import disk_pools, filesystems
from clusterprint_simcloud.google.gke import assumed as gke
from clusterprint_simcloud.google.grants import CUSTOM_ROLE
from clusterprint_simcloud.google.iam import ACCOUNT
from clusterprint_simcloud.google.instance import POLICY
from clusterprint_simcloud.google.links import COMPUTE, plain
from clusterprint_simcloud.google.network import NETWORK, SUBNETWORK, network_of
from clusterprint_simcloud.google.project import project
from clusterprint_simcloud.google.registry import REPOSITORY
from clusterprint_simcloud.google.storage import BUCKET
from clusterprint_simcloud.values import texts

_NETWORK = re.compile(r"projects/([^/${}]+)/global/networks/([^/${}]+)")
_SUBNETWORK = re.compile(r"projects/([^/${}]+)/regions/([^/${}]+)/subnetworks/([^/${}]+)")
_ACCOUNT = re.compile(r"(?:serviceAccount:)?([^@/:\s${}]+)@([^@/\s${}]+)\.iam\.gserviceaccount\.com")
# Nothing that a configuration makes lies in an assumed network, so no range of its own can collide with this.
_RANGE = "172.16.0.0/16"
_POLICY = re.compile(r"projects/([^/${}]+)/regions/([^/${}]+)/resourcePolicies/([^/${}]+)")
# What clusters in it ask for by name: a range of the subnetwork for pods, and one for services.
_SECONDARY = {
    "cluster_secondary_range_name": "100.64.0.0/14",
    "services_secondary_range_name": "172.17.0.0/20",
}
# Roles stand in lists that resources are made from, inside of an expression.
_ROLE = re.compile(r"projects/([-a-z0-9.:]+)/roles/([\w.]+)")
_BY_NAME = {
    NETWORK: "name",
    SUBNETWORK: "name",
    ACCOUNT: "account_id",
    BUCKET: "name",
    CUSTOM_ROLE: "role_id",
    POLICY: "name",
    REPOSITORY: "repository_id",
    **filesystems.BY_NAME,
    disk_pools.POOL: "name",
}


def assume(contents: Contents, documents: Sequence[dict[str, Any]]) -> list[Record]:
    """Add what Terraform JSON documents only name: buckets, networks, policies, accounts and the like."""
    made = set(_made(documents))
    named = [
        text for document in documents for text in texts([document.get("resource"), document.get("data")])
    ]
    assumed: list[Record] = []
    for record in (*gke.clusters(documents), *gke.contexts(documents)):
        if record.key not in contents.records:
            if where := record.state.get("project"):
                project(contents, where)
            assumed.append(contents.add(record))
    found = (*_buckets(documents), *_networks(contents, named), *_accounts(contents, named))
    found += (
        *filesystems.existing(documents),
        *filesystems.connected(documents),
        *filesystems.disks(documents),
        *disk_pools.existing(documents),
    )
    found += (*_policies(contents, named), *_policies_of_pools(contents, documents))
    found += (*_repositories(contents, documents), *_roles(contents, named))
    for record in found:
        name = str(record.state[_BY_NAME[record.type]])
        if (
            record.type,
            str(record.state.get("project", "")),
            name,
        ) in made or record.key in contents.records:
            continue
        assumed.append(contents.add(record))
    for record in assumed:
        if record.type == SUBNETWORK:
            record.state["network"] = network_of(contents, record).state["self_link"]
            record.state["secondary_ip_range"] = list(_secondary_ranges(record, documents))
    return assumed


def _secondary_ranges(subnetwork: Record, documents: Sequence[dict[str, Any]]) -> Iterator[dict[str, str]]:
    clusters = [
        cluster
        for document in documents
        for cluster in document.get("resource", {}).get("google_container_cluster", {}).values()
        if plain(str(cluster.get("subnetwork"))) == subnetwork.id
    ]
    for policy in (cluster.get("ip_allocation_policy") for cluster in clusters[:1]):
        for argument, cidr in _SECONDARY.items() if isinstance(policy, dict) else ():
            if name := policy.get(argument):
                yield {"range_name": name, "ip_cidr_range": cidr}


def _made(documents: Sequence[dict[str, Any]]) -> Iterator[tuple[str, str, str]]:
    """An assumed resource: type, project and name. Buckets have no project: their names are global."""
    for document in documents:
        default = _project_of(document)
        for kind, name in _BY_NAME.items():
            for resource in document.get("resource", {}).get(kind, {}).values():
                project_name = "" if kind == BUCKET else str(resource.get("project") or default)
                yield kind, project_name, str(resource.get(name))


def _project_of(document: dict[str, Any]) -> str:
    """The project of a document's first provider."""
    providers = document.get("provider", {}).get("google", [])
    providers = [providers] if isinstance(providers, dict) else providers  # one may stand without a list
    return str(next((each.get("project", "") for each in providers), ""))


def _buckets(documents: Sequence[dict[str, Any]]) -> Iterator[Record]:
    for document in documents:
        for section in ("resource", "data"):
            for resources in document.get(section, {}).values():
                for resource in resources.values() if isinstance(resources, dict) else ():
                    name = resource.get("bucket") if isinstance(resource, dict) else None
                    if isinstance(name, str) and "${" not in name:
                        yield bucket(name)


def bucket(name: str) -> Record:
    """A bucket that has been there before."""
    return Record(
        BUCKET, name, {"id": name, "name": name, "location": "US", "url": f"gs://{name}"}, builtin=True
    )


def _networks(contents: Contents, named: Sequence[str]) -> Iterator[Record]:
    networks: dict[str, Record] = {}
    for match in filter(None, (_NETWORK.fullmatch(plain(text)) for text in named)):
        project(contents, match[1])
        networks[match[1]] = _network(match[1], match[2])
        yield networks[match[1]]
    for match in filter(None, (_SUBNETWORK.fullmatch(plain(text)) for text in named)):
        project(contents, match[1])
        if match[1] not in networks:
            networks[match[1]] = _network(match[1], "assumed")
            yield networks[match[1]]
        yield _subnetwork(networks[match[1]], match[1], match[2], match[3])


def _network(project_name: str, name: str) -> Record:
    identity = f"projects/{project_name}/global/networks/{name}"
    state = {"id": identity, "name": name, "project": project_name, "self_link": COMPUTE + identity}
    return Record(NETWORK, identity, {**state, "auto_create_subnetworks": False}, builtin=True)


def _subnetwork(network: Record, project_name: str, region: str, name: str) -> Record:
    identity = f"projects/{project_name}/regions/{region}/subnetworks/{name}"
    state = {"id": identity, "name": name, "project": project_name, "region": region, "ip_cidr_range": _RANGE}
    return Record(
        SUBNETWORK, identity, {**state, "self_link": COMPUTE + identity}, [network.key], builtin=True
    )


def _accounts(contents: Contents, named: Sequence[str]) -> Iterator[Record]:
    for match in filter(None, (_ACCOUNT.fullmatch(text) for text in named)):
        project(contents, match[2])
        email = f"{match[1]}@{match[2]}.iam.gserviceaccount.com"
        state = {"email": email, "account_id": match[1], "project": match[2], "name": email}
        yield Record(ACCOUNT, f"projects/{match[2]}/serviceAccounts/{email}", state, builtin=True)


def _policies(contents: Contents, named: Sequence[str]) -> Iterator[Record]:
    for match in filter(None, (_POLICY.fullmatch(plain(text)) for text in named)):
        project(contents, match[1])
        yield _policy(match[1], match[2], match[3])


def _policies_of_pools(contents: Contents, documents: Sequence[dict[str, Any]]) -> Iterator[Record]:
    """Placement policies that node pools name without a path: of the cluster's project and region."""
    for document in documents:
        resources = document.get("resource", {})
        where = _project_of(document)
        places = [each["location"] for each in resources.get("google_container_cluster", {}).values()]
        for pool in resources.get("google_container_node_pool", {}).values():
            name = str(pool.get("placement_policy", {}).get("policy_name", ""))
            if not name or "$" in name or not places:
                continue
            region = re.sub(r"(?<=\d)-[a-z]$", "", places[0])
            project(contents, where)
            yield _policy(where, region, name)


def _policy(project_name: str, region: str, name: str) -> Record:
    identity = f"projects/{project_name}/regions/{region}/resourcePolicies/{name}"
    state = {"id": identity, "name": name, "project": project_name, "region": region}
    return Record(POLICY, identity, {**state, "self_link": COMPUTE + identity}, builtin=True)


def _repositories(contents: Contents, documents: Sequence[dict[str, Any]]) -> Iterator[Record]:
    """Repositories that somebody gets rights on by name; those that are made are referred to."""
    for document in documents:
        grants = document.get("resource", {}).get("google_artifact_registry_repository_iam_member", {})
        for grant in grants.values():
            where, place, name = (str(grant.get(each, "")) for each in ("project", "location", "repository"))
            if where and not any("${" in each for each in (where, place, name)):
                project(contents, where)
                identity = f"projects/{where}/locations/{place}/repositories/{name}"
                state = {"id": identity, "repository_id": name, "project": where, "location": place}
                yield Record(REPOSITORY, identity, {**state, "format": "DOCKER"}, builtin=True)


def _roles(contents: Contents, named: Sequence[str]) -> Iterator[Record]:
    for match in (match for text in named for match in _ROLE.finditer(text)):
        project(contents, match[1])
        state = {"id": match[0], "name": match[0], "role_id": match[2], "project": match[1]}
        yield Record(CUSTOM_ROLE, match[0], state, builtin=True)
