"""Scopes of machines: the provider writes their short names out.

Source: tpgresource.CanonicalizeServiceScope.
"""

from __future__ import annotations

from clusterprint_simcloud.cloud.behaviour import Plan, PlanStep
from clusterprint_simcloud.values import Value, replace

_PREFIX = "https://www.googleapis.com/auth/"
_SHORT = {
    "cloud-source-repos": "source.full_control",
    "cloud-source-repos-ro": "source.read_only",
    "compute-ro": "compute.readonly",
    "compute-rw": "compute",
    "logging-write": "logging.write",
    "monitoring-read": "monitoring.read",
    "monitoring-write": "monitoring.write",
    "service-control": "servicecontrol",
    "service-management": "service.management.readonly",
    "sql": "sqlservice",
    "sql-admin": "sqlservice.admin",
    "storage-full": "devstorage.full_control",
    "storage-ro": "devstorage.read_only",
    "storage-rw": "devstorage.read_write",
    "trace": "trace.append",
    "useraccounts-ro": "cloud.useraccounts.readonly",
    "useraccounts-rw": "cloud.useraccounts",
    "userinfo-email": "userinfo.email",
}
_SAME = {"bigquery", "cloud-platform", "datastore", "monitoring", "pubsub", "taskqueue"}


def plan_scopes(path: str) -> PlanStep:
    """Write out the short names in the list at the dotted path."""

    def step(plan: Plan) -> None:
        replace(plan.state, path, _written_out)

    return step


def _written_out(scopes: Value) -> Value:
    return [_scope(one) for one in scopes] if isinstance(scopes, list) else scopes


def _scope(value: Value) -> Value:
    if not isinstance(value, str) or value not in {*_SHORT, *_SAME}:
        return value
    return _PREFIX + _SHORT.get(value, value)
