"""Right requests that are refused all the same: permissions, services that are off, faults on demand."""

from __future__ import annotations

import functools
import json
import re
from collections.abc import Set as AbstractSet
from importlib import resources

import msgspec

from clusterprint_simcloud.api.answering import PROJECT_NUMBER, Call
from clusterprint_simcloud.api.descriptions import Json
from clusterprint_simcloud.api.objects import Refusal, path_of

_QUOTA = "Quota '{metric}' exceeded.  Limit: {limit} in region {region}."
_NO_MACHINES = (
    "The zone 'projects/{project}/zones/{zone}' does not have enough resources available to fulfill the "
    "request.  Try a different zone, or try again later."
)
# The canonical code of an operation's error, by the HTTP status: google/rpc/code.proto.
_CODES = {400: 3, 403: 7, 404: 5, 409: 6, 429: 8, 500: 13, 503: 14}
# "Default enabled services": every new project has these, and without them no service can be enabled.
_ALWAYS_ON = frozenset(
    f"{name}.googleapis.com" for name in ("cloudresourcemanager", "serviceusage", "storage")
)


class ApiFault(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One rule: which requests fail, and how.

    `method` is a pattern for the whole name of a method, `match` is looked for in the URL and the body. The
    rule acts on matching requests number `nth` to `nth + times - 1`. With `in_operation` the request is taken
    and its operation fails; with `kept`, what it has made or changed by then stays. `polls` is how often the
    operation is asked for before it says that it is done. Without a `message` it then succeeds.
    """

    method: str
    match: str = ""
    nth: int = 1
    times: int = 1
    status: int = 503
    reason: str = "backendError"
    message: str = ""
    in_operation: bool = False
    kept: bool = False
    polls: int = 0

    def fits(self, method: str, text: str) -> bool:
        """Whether a request is one that the rule counts."""
        return bool(re.fullmatch(self.method, method) and re.search(self.match, text))


def quota(method: str, metric: str, limit: float, region: str) -> ApiFault:
    """A quota that is used up, as Compute Engine says it when it is asked: REST reference, "Errors"."""
    text = _QUOTA.format(metric=metric, limit=limit, region=region)
    return ApiFault(method, times=10**9, status=403, reason="quotaExceeded", message=text)


def stock_out(method: str, project: str, zone: str) -> ApiFault:
    """A zone without machines of the type: the operation fails, and what was asked for stays, in error."""
    text = _NO_MACHINES.format(project=project, zone=zone)
    return ApiFault(
        method, zone, 1, 10**9, 429, "ZONE_RESOURCE_POOL_EXHAUSTED", text, in_operation=True, kept=True
    )


class Limits:
    """The permissions of the caller, the enabled services, and the faults on demand.

    `rights` are the permissions of the caller, None for all of them. `closed` are projects whose services are
    off until they are enabled.
    """

    def __init__(self) -> None:
        self.rights: AbstractSet[str] | None = None
        self.closed: set[str] = set()
        self.faults: list[ApiFault] = []
        self._counts: dict[ApiFault, int] = {}

    def check(self, call: Call) -> None:
        """Raises Refusal if the service is off, or the caller lacks a permission."""
        self._check_service(call)
        if self.rights is None:
            return
        for permission in permissions(call.method.id):
            if permission not in self.rights:
                text = f"Required '{permission}' permission for '{path_of(call.key)}'"
                raise Refusal(403, text, "forbidden")

    def _check_service(self, call: Call) -> None:
        service = f"{call.method.service}.googleapis.com"
        enabled = call.objects.settings.get(f"serviceusage/projects/{call.project}", {})
        if call.project in self.closed and service not in _ALWAYS_ON | enabled.keys():
            text = (
                f"{service} has not been used in project {PROJECT_NUMBER} before or it is disabled. "
                "Enable it and then retry."
            )
            raise Refusal(403, text, "accessNotConfigured")

    def due(self, call: Call, url: str) -> ApiFault | None:
        """The rule that acts on this request, if any; counts the request."""
        acting = None
        text = f"{url} {json.dumps(call.body)}"
        for rule in self.faults:
            if rule.fits(call.method.id, text):
                count = self._counts[rule] = self._counts.get(rule, 0) + 1
                if acting is None and rule.nth <= count < rule.nth + rule.times:
                    acting = rule
        return acting


def fail(operation: Json, service: str, fault: ApiFault) -> None:
    """Let an operation end with the error of a rule, in the words of its service."""
    operation.pop("response", None)
    if service == "compute":
        one = {"code": fault.reason, "message": fault.message}
        operation |= {"error": {"errors": [one]}, "httpErrorStatusCode": fault.status}
        return
    operation["error"] = {"code": _CODES.get(fault.status, 2), "message": fault.message}
    if service == "container":
        operation["statusMessage"] = fault.message


def permissions(method: str) -> tuple[str, ...]:
    """The permission for a method: named after the resource and the verb, with exceptions."""
    for pattern, found in _table()["exceptions"]:
        if match := re.fullmatch(pattern, method):
            return tuple(match.expand(one) for one in found)
    service, *path, verb = method.split(".")
    return (f"{service}.{path[-1]}.{_table()['verbs'].get(verb, verb)}",)


@functools.cache
def _table() -> Json:
    found: Json = json.loads((resources.files(__package__) / "permissions.json").read_text("utf-8"))
    return found
