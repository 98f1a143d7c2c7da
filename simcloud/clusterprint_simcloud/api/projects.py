"""Resources of a project itself: accounts, roles, services, peerings, billing."""

from __future__ import annotations

import re

from clusterprint_simcloud.api.answering import NOW, PROJECT_NUMBER, Call, answers, operation
from clusterprint_simcloud.api.descriptions import Json
from clusterprint_simcloud.api.objects import Refusal, not_found, path_of, without_nulls
from clusterprint_simcloud.google.attributes import number


@answers(r"cloudresourcemanager\.projects\.get")
def _project(call: Call) -> Json:
    newer = call.method.document["version"] == "v3"
    return {
        "projectId": call.project,
        "name": f"projects/{PROJECT_NUMBER}" if newer else call.project,
        "createTime": NOW,
        **({"state": "ACTIVE", "parent": "folders/1", "displayName": call.project} if newer else {}),
        **({} if newer else {"projectNumber": PROJECT_NUMBER, "lifecycleState": "ACTIVE"}),
        **({} if newer else {"parent": {"type": "folder", "id": "1"}}),
    }


@answers(r"cloudbilling\.projects\.getBillingInfo")
def _billing(call: Call) -> Json:
    name = f"projects/{call.project}"
    account = "billingAccounts/000000-000000-000000"
    return {
        "name": f"{name}/billingInfo",
        "projectId": call.project,
        "billingAccountName": account,
        "billingEnabled": True,
    }


# ---- IAM


@answers(r"iam\.projects\.serviceAccounts\.create")
def _create_account(call: Call) -> Json:
    mail = f"{call.body['accountId']}@{call.project}.iam.gserviceaccount.com"
    key = f"{call.key}/{mail}"
    return call.objects.add(
        key,
        {
            **without_nulls(call.body.get("serviceAccount", {})),
            "name": path_of(key),
            "projectId": call.project,
            "uniqueId": number(mail, 21),
            "email": mail,
            "oauth2ClientId": number(mail, 21),
            "etag": "MDEwMjE5MjA=",
        },
    )


@answers(r"iam\.projects\.serviceAccounts\.(get|delete|patch)")
def _account(call: Call) -> Json:
    """`projects/-` is the project that the address of an account names."""
    mail = call.key.rpartition("/")[2]
    key = call.key.replace("/projects/-/", f"/projects/{mail.partition('@')[2].partition('.')[0]}/")
    if call.method.verb == "delete":
        call.objects.remove(key)
        return {}
    found = call.objects.get(key)
    if call.method.verb == "patch":
        for field in call.body["updateMask"].split(","):
            name = re.sub(r"_(\w)", lambda part: part[1].upper(), field)
            found[name] = call.body["serviceAccount"].get(name, "")
    return found


@answers(r"iam\.projects\.roles\.create")
def _create_role(call: Call) -> Json:
    key = f"{call.key}/{call.body['roleId']}"
    value = {**without_nulls(call.body.get("role", {})), "name": path_of(key), "etag": "BwX="}
    if call.objects.objects.get(key, {}).get("deleted"):
        name = call.body["roleId"]
        text = (
            f"You can't create a role with role_id ({name}) where there is an existing role with that "
            "role_id in a deleted state."
        )
        raise Refusal(400, text, "failedPrecondition")
    return call.objects.add(key, value)


@answers(r"iam\.projects\.roles\.(delete|undelete)")
def _delete_role(call: Call) -> Json:
    """A deleted role keeps its name for up to 37 days: it is marked, and can be taken back."""
    role = call.objects.get(call.target)
    role.pop("deleted", None)
    if call.method.verb == "delete":
        role["deleted"] = True
    return role


# ---- services


@answers(r"serviceusage\.services\.(get|list|batchGet|enable|disable|batchEnable)")
def _services(call: Call) -> Json:
    enabled = call.objects.settings.setdefault(f"serviceusage/projects/{call.project}", {})
    name = call.key.rpartition("/")[2].partition(":")[0]
    match call.method.verb:
        case "get":
            return _service(name, enabled=name in enabled)
        case "list" | "batchGet":
            return {"services": [_service(one, enabled=True) for one in enabled]}
        case "disable":
            enabled.pop(name, None)
        case "enable":
            enabled[name] = True
        case _:
            enabled.update(dict.fromkeys(call.body["serviceIds"], True))
    return operation(call, f"serviceusage/projects/{call.project}")


def _service(name: str, *, enabled: bool) -> Json:
    parent = f"projects/{PROJECT_NUMBER}"
    state = "ENABLED" if enabled else "DISABLED"
    return {"name": f"{parent}/services/{name}", "config": {"name": name}, "state": state, "parent": parent}


# ---- Service Networking: one connection for each network and service


@answers(r"servicenetworking\.services\.connections\.(create|patch|deleteConnection|list)")
def _connections(call: Call) -> Json:
    network = (
        call.body.get("network") or call.body.get("consumerNetwork") or call.query.get("network", "")
    ).rpartition("/")[2]
    service = call.key.split("/")[2]
    key = f"servicenetworking/{service}/{network}"
    match call.method.verb:
        case "list":
            found = call.objects.objects.get(key)
            return {"connections": [found]} if found else {}
        case "create":
            _check_ranges(call, key)
            peering = {"peering": service.replace(".", "-"), "service": f"services/{service}"}
            call.objects.objects[key] = {**without_nulls(call.body), **peering}
        case "patch" if known := call.objects.objects.get(key) or call.objects.settings.pop(key, None):
            call.objects.objects[key] = {**known, **without_nulls(call.body)}
        case "patch":
            raise not_found(key)
        case _ if key in call.objects.objects:
            call.objects.settings[key] = call.objects.objects.pop(key)
    return operation(call, key, call.objects.objects.get(key, {}))


def _check_ranges(call: Call, key: str) -> None:
    """Google's side of a connection remembers its ranges, also once it is deleted, as long as the network."""
    known = call.objects.objects.get(key) or call.objects.settings.get(key)
    if known and known.get("reservedPeeringRanges") != call.body.get("reservedPeeringRanges"):
        text = "Cannot modify allocated ranges in CreateConnection. Please use UpdateConnection."
        raise Refusal(400, text, "failedPrecondition")
    call.objects.settings.pop(key, None)


# ---- policies of single projects


@answers(r"binaryauthorization\.projects\.(get|update)Policy")
def _admission(call: Call) -> Json:
    """Every project has one policy, never deleted; it allows everything until somebody says otherwise."""
    name = f"projects/{call.project}/policy"
    first = {"evaluationMode": "ALWAYS_ALLOW", "enforcementMode": "ENFORCED_BLOCK_AND_AUDIT_LOG"}
    if call.method.verb == "updatePolicy":
        call.objects.settings[call.key] = {**without_nulls(call.body), "name": name}
    return call.objects.settings.setdefault(call.key, {"name": name, "defaultAdmissionRule": first})
