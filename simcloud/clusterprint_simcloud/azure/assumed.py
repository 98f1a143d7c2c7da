"""Existing Azure resources that a configuration names: groups, subnets, accounts, identities."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any

from clusterprint_simcloud.azure.group import made_up
from clusterprint_simcloud.azure.identity import IDENTITY
from clusterprint_simcloud.azure.ids import GROUP
from clusterprint_simcloud.azure.network import NETWORK, SUBNET
from clusterprint_simcloud.azure.storage import ACCOUNT, CONTAINER
from clusterprint_simcloud.cloud.contents import Contents, Record
from clusterprint_simcloud.values import texts

_IN_GROUP = r"(/subscriptions/[^/${}]+)/resourceGroups/([^/${}]+)"
_SUBNET = re.compile(
    rf"{_IN_GROUP}/providers/Microsoft\.Network/virtualNetworks/([^/${{}}]+)/subnets/([^/${{}}]+)"
)
_ACCOUNT = re.compile(rf"{_IN_GROUP}/providers/Microsoft\.Storage/storageAccounts/([^/${{}}]+)")
_CONTAINER = re.compile(rf"({_ACCOUNT.pattern})/blobServices/default/containers/([^/${{}}]+)")
_IDENTITY = re.compile(
    rf"{_IN_GROUP}/providers/Microsoft\.ManagedIdentity/userAssignedIdentities/([^/${{}}]+)"
)
# Large enough for whatever a test puts into it; nothing else is in an assumed network.
_RANGE = "10.0.0.0/8"


def assume(contents: Contents, documents: Sequence[dict[str, Any]]) -> list[Record]:
    """Add what Terraform JSON documents only name, each with what it lies in."""
    named = [text for document in documents for text in texts(document.get("resource"))]
    assumed: dict[str, Record] = {}
    for record in [*_groups(documents), *_subnets(named), *_accounts(named), *_others(named)]:
        if record.key not in contents.records:
            assumed.setdefault(record.key, contents.add(record))
    return list(assumed.values())


def _groups(documents: Sequence[dict[str, Any]]) -> Iterator[Record]:
    """Resource groups that resources name as text, in the subscription of their provider."""
    for document in documents:
        provider = document.get("provider", {}).get("azurerm", [{}])
        config = provider[0] if isinstance(provider, list) else provider
        for kind, resources in document.get("resource", {}).items():
            for resource in resources.values() if kind.startswith("azurerm_") else ():
                name = resource.get("resource_group_name")
                if isinstance(name, str) and "${" not in name:
                    yield _group(f"/subscriptions/{config.get('subscription_id')}", name)


def _group(subscription: str, name: str) -> Record:
    identity = f"{subscription}/resourceGroups/{name}"
    return Record(GROUP, identity, {"id": identity, "name": name, "location": "eastus"}, builtin=True)


def _subnets(named: Sequence[str]) -> Iterator[Record]:
    for match in filter(None, (_SUBNET.fullmatch(text) for text in named)):
        group = _group(match[1], match[2])
        identity = f"{group.id}/providers/Microsoft.Network/virtualNetworks/{match[3]}"
        state = {"id": identity, "name": match[3], "address_space": [_RANGE]}
        network = Record(NETWORK, identity, state, [group.key], builtin=True)
        state = {
            "id": match[0], "name": match[4], "address_prefixes": [_RANGE],
            "service_endpoints": ["Microsoft.Storage"],
        }  # fmt: skip
        yield from (group, network, Record(SUBNET, match[0], state, [network.key], builtin=True))


def _accounts(named: Sequence[str]) -> Iterator[Record]:
    for match in filter(None, (_ACCOUNT.fullmatch(text) for text in named)):
        group = _group(match[1], match[2])
        state = {"id": match[0], "name": match[3], "account_kind": "FileStorage"}
        yield from (group, Record(ACCOUNT, match[0], state, [group.key], builtin=True))


def _others(named: Sequence[str]) -> Iterator[Record]:
    for match in filter(None, (_CONTAINER.fullmatch(text) for text in named)):
        (*parents, account) = _accounts([match[1]])
        state = {"id": match[0], "name": match[5], "storage_account_id": account.id}
        yield from (*parents, account, Record(CONTAINER, match[0], state, [account.key], builtin=True))
    for match in filter(None, (_IDENTITY.fullmatch(text) for text in named)):
        group = _group(match[1], match[2])
        state = {"id": match[0], "name": match[3], "principal_id": made_up(f"{match[0]} principal")}
        yield from (group, Record(IDENTITY, match[0], state, [group.key], builtin=True))
