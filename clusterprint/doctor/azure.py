"""Missing prerequisites of an Azure subscription: login, services, permissions, quota, sizes."""

from collections.abc import Iterable, Mapping
from fnmatch import fnmatchcase
from itertools import groupby
from typing import Any

from clusterprint.cloud.answers import Refused
from clusterprint.cloud.azure import Azure
from clusterprint.cloud.google import path
from clusterprint.doctor.finding import Finding, Findings, place_of
from clusterprint.doctor.wanted import Wanted
from clusterprint.review.quota_request import request
from clusterprint.rights import TASKS, Need
from clusterprint.words import counted


def login(azure: Azure) -> Findings:
    """Whose login Terraform takes."""
    azure.token()
    yield Finding("this machine", "az_login", "ok", f"logged in to Azure as {azure.identity or 'somebody'}")


def subscription(azure: Azure, name: str) -> Findings:
    """Whether the login can see the subscription, and it is enabled."""
    place = f"subscription {name}"
    try:
        found = azure.get(path("subscriptions", name), "2022-12-01")
    except Refused as error:
        message = f"this login can see no such subscription ({error.status})"
        yield Finding(place, "subscription", "lacks", message, "az login")
        return
    state = found.get("state", "")
    if state == "Enabled":
        yield Finding(place, "subscription", "ok", f"{found.get('displayName', name)} is enabled")
    else:
        yield Finding(place, "subscription", "lacks", f"the subscription is {state}", "az account list --all")


def providers(azure: Azure, wanted: Wanted) -> Findings:
    """Whether services are registered; Terraform registers those that are not."""
    place = f"subscription {wanted.owner}"
    off = [
        each
        for each in wanted.services
        if azure.get(path("subscriptions", wanted.owner, "providers", each), "2021-04-01").get(
            "registrationState"
        )
        != "Registered"
    ]
    if off:
        message = (
            f"not registered yet: {', '.join(off)}; Terraform does so, if permitted, which takes minutes"
        )
        fix = " && ".join(
            f"az provider register --namespace {each} --subscription {wanted.owner}" for each in off
        )
        yield Finding(place, "providers", "lacks", message, fix)
    else:
        yield Finding(place, "providers", "ok", f"registered: {counted(len(wanted.services), 'service')}")


def permissions(azure: Azure, need: Need) -> Findings:
    """The actions of the stacks that the account lacks, in a subscription or a group."""
    place = place_of(need.scope)
    wanted = sorted({each for task in TASKS for each in need.permissions[task]})
    subscription, _, group = need.scope.name.partition("/resourceGroups/")
    scope = path("subscriptions", subscription, *(("resourceGroups", group) if group else ()))
    try:
        found = azure.get(f"{scope}/providers/Microsoft.Authorization/permissions", "2022-04-01")
    except Refused as error:
        if not (error.is_missing and group):
            raise
        fix = f"az group create --name {group} --location LOCATION --subscription {subscription}"
        yield Finding(place, "permissions", "lacks", f"there is no resource group {group}", fix)
        return
    missing = [each for each in wanted if not any(_permits(given, each) for given in found.get("value", []))]
    if missing:
        shown = ", ".join(missing[:5])
        message = f"{len(missing)} of {len(wanted)} actions are not permitted: {shown}"
        who = azure.identity or "NAME"
        fix = f"az role assignment create --assignee {who} --role Contributor --scope /{scope}"
        yield Finding(place, "permissions", "lacks", message, fix)
    else:
        yield Finding(
            place, "permissions", "ok", f"all {len(wanted)} actions that the stacks need are permitted"
        )


def _permits(given: Mapping[str, Any], action: str) -> bool:
    def among(patterns: Iterable[str]) -> bool:
        return any(fnmatchcase(action.lower(), each.lower()) for each in patterns)

    return among(given.get("actions", [])) and not among(given.get("notActions", []))


def quotas(azure: Azure, wanted: Wanted) -> Findings:
    """Whether the subscription has enough vCPUs of each family in each location."""
    place, good = f"subscription {wanted.owner}", 0
    for location, of_location in groupby(wanted.quota, key=lambda each: each.metric.region):
        address = path("subscriptions", wanted.owner, "providers", "Microsoft.Compute", "locations", location)
        found = azure.get(f"{address}/usages", "2024-07-01")
        usages = {str(each["name"]["value"]).lower(): each for each in found.get("value", [])}
        asked = [each for each in of_location if each.is_asked]
        for metric, many in groupby(asked, key=lambda each: each.metric):
            need = sum(each.most for each in many)
            usage = usages.get(metric.name.lower())
            if usage is None:
                message = f"Azure has no quota {metric.name} in {location}; {need:,} vCPUs are needed"
                yield Finding(place, "quota", "unasked", message)
            elif usage["limit"] - usage["currentValue"] < need:
                yield _short(place, metric.name, location, usage, need)._replace(
                    fix=request(metric, usage["currentValue"] + need)
                )
            else:
                good += 1
    if good:
        yield Finding(place, "quota", "ok", f"{good} quotas are large enough for the clusters")


def _short(place: str, name: str, location: str, usage: Mapping[str, Any], need: int) -> Finding:
    message = (
        f"{name} in {location}: {need:,} vCPUs are needed, the limit is {usage['limit']:,}, "
        f"{usage['currentValue']:,} of them in use"
    )
    return Finding(place, "quota", "lacks", message)


def sizes(azure: Azure, wanted: Wanted) -> Findings:
    """Whether each size is offered to the subscription in its location now."""
    place = f"subscription {wanted.owner}"
    for location in sorted({each.region for each in wanted.machines}):
        offered = _offered(azure, wanted.owner, location)
        for name in sorted({each.machine_type for each in wanted.machines if each.region == location}):
            yield _of_size(place, name, location, offered.get(name.lower()))


def _offered(azure: Azure, subscription: str, location: str) -> dict[str, Any]:
    found = azure.get(
        path("subscriptions", subscription, "providers", "Microsoft.Compute", "skus"),
        "2021-07-01",
        **{"$filter": f"location eq '{location}'"},
    )
    return {
        str(each.get("name", "")).lower(): each
        for each in found.get("value", [])
        if each.get("resourceType") == "virtualMachines"
    }


def _of_size(place: str, name: str, location: str, sku: Mapping[str, Any] | None) -> Finding:
    fix = f"az vm list-skus --location {location} --size {name} --all"
    if sku is None:
        return Finding(place, "machine_type", "lacks", f"{name} is not offered in {location}", fix)
    reasons = [
        str(each.get("reasonCode", "restricted"))
        for each in sku.get("restrictions", [])
        if each.get("type") == "Location"
    ]
    if reasons:
        message = f"{name} is not available to this subscription in {location}: {', '.join(reasons)}"
        return Finding(place, "machine_type", "lacks", message, fix)
    return Finding(place, "machine_type", "ok", f"{name} is offered in {location}")
