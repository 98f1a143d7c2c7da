"""Azure policies that refuse parts of the stacks: built-in ones by id, those of landing zones by name."""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple
from urllib.parse import parse_qs, urlsplit

from clusterprint.cloud.answers import Refused
from clusterprint.cloud.azure import Azure
from clusterprint.cloud.google import path
from clusterprint.doctor.finding import Finding, Findings
from clusterprint.doctor.policies import Row, judged, rows
from clusterprint.doctor.wanted import Wanted

_LIST = "providers/Microsoft.Authorization/policyAssignments"
_REFERS = re.compile(r"\[parameters\('([^']+)'\)\]")
_FORBIDS = frozenset({"deny", "denyaction"})


class _Assigned(NamedTuple):
    definition: str
    title: str
    parameters: Mapping[str, Any]


def policies(azure: Azure, group: str, several: Sequence[Wanted]) -> Findings:
    """Parts of blueprints in a resource group that policies refuse, assigned to it or above it."""
    place, owner = several[0].place, several[0].owner
    try:
        assigned = list(_assigned(azure, owner, group))
    except Refused as error:
        message = f"assigned policies cannot be read: {error} ({error.status}); the role Reader lets it"
        yield Finding(place, "policies", "unasked", message)
        return
    by_name = {name.lower(): row for row in rows("azure") for name in row.policies}
    found = [
        finding
        for each in assigned
        if (row := by_name.get(each.definition.rpartition("/")[2].lower()))
        for wanted in several
        for finding in _judged(row, each, wanted)
    ]
    yield from found
    if not found:
        message = f"none of {len(assigned)} assigned policies is known to refuse anything"
        yield Finding(place, "policies", "ok", message)


def _judged(row: Row, each: _Assigned, wanted: Wanted) -> Findings:
    if str(each.parameters.get("effect", row.effect)).lower() not in _FORBIDS:
        return
    rules: list[dict[str, Any]] = [{"enforce": True}]
    if row.allowed or row.denied:
        allowed, denied = (each.parameters.get(key) or [] for key in (row.allowed, row.denied))
        rules = [{"values": {"allowedValues": allowed, "deniedValues": denied}}]
    values = row.values(wanted.resources) if not row.tag else []
    if tag := str(each.parameters.get(row.tag, "")):
        tags = [found.values["tags"] for _, found in row.found(wanted.resources) if "tags" in found.values]
        missing = any(tag.lower() not in {key.lower() for key in one} for one in tags)
        values = [f"the tag {tag}"] if missing else []
    yield from judged(row, f'"{each.title}"', rules, wanted, values)


def _assigned(azure: Azure, subscription: str, group: str) -> Iterator[_Assigned]:
    """The single policies that are in force, those of initiatives among them."""
    scope = path("subscriptions", subscription, "resourceGroups", group)
    try:
        found = _listed(azure, f"{scope}/{_LIST}")
    except Refused as error:
        if not error.is_missing:
            raise
        found = _listed(azure, f"{path('subscriptions', subscription)}/{_LIST}")
    for each in found:
        said = each.get("properties", {})
        excluded = (f"{one.strip('/').lower()}/" for one in said.get("notScopes") or ())
        if said.get("enforcementMode") == "DoNotEnforce" or f"{scope.lower()}/".startswith(tuple(excluded)):
            continue
        definition = str(said.get("policyDefinitionId", ""))
        title, given = str(said.get("displayName") or each.get("name")), _given(said, "value")
        if "/policysetdefinitions/" not in definition.lower():
            yield _Assigned(definition, title, given)
            continue
        whole = azure.get(definition.strip("/"), "2021-06-01").get("properties", {})
        known = {**_given(whole, "defaultValue"), **given}
        for one in whole.get("policyDefinitions", []):
            own = _given(one, "value").items()
            parameters = {
                key: known.get(match[1]) if (match := _REFERS.fullmatch(str(value))) else value
                for key, value in own
            }
            yield _Assigned(str(one.get("policyDefinitionId", "")), title, parameters)


def _given(owner: Mapping[str, Any], key: str) -> dict[str, Any]:
    return {name: each[key] for name, each in (owner.get("parameters") or {}).items() if key in each}


def _listed(azure: Azure, address: str) -> list[dict[str, Any]]:
    """The assignments at a scope and above it, all pages."""
    page, found = {"$filter": "atScope()"}, list[dict[str, Any]]()
    while True:
        answer = azure.get(address, "2022-06-01", **page)
        found += answer.get("value", [])
        more = parse_qs(urlsplit(answer.get("nextLink") or "").query).get("$skiptoken")
        if not more:
            return found
        page["$skipToken"] = more[0]
