"""Cloud Monitoring: dashboards, alert policies, and the channels that people made by hand."""

from __future__ import annotations

import json
import re
from typing import Any

from clusterprint_simcloud.cloud.behaviour import DataSource, Request, ResourceType
from clusterprint_simcloud.cloud.contents import ApiError, Contents
from clusterprint_simcloud.google.attributes import number
from clusterprint_simcloud.google.facts import known
from clusterprint_simcloud.google.refusal import refusal

DASHBOARD = "google_monitoring_dashboard"
POLICY = "google_monitoring_alert_policy"
CHANNEL = "google_monitoring_notification_channel"
_LAYOUTS = ("gridLayout", "mosaicLayout", "rowLayout", "columnLayout")
_SECONDS = re.compile(r"(\d+)s")
# A condition is about at most 23 hours and 30 minutes, in whole minutes; what is missing about two at least.
_LONGEST = 84_600
_CONDITIONS = {"condition_threshold": 0, "condition_absent": 120}
_QUERY, _LOG = "condition_prometheus_query_language", "condition_matched_log"
_BRACKETS = {"(": ")", "{": "}", "[": "]"}
_QUOTED = re.compile(r'"[^"]*"')


def _check_page(request: Request) -> None:
    """A dashboard is JSON with a name and exactly one layout."""
    try:
        page = json.loads(request.text("dashboard_json"))
    except ValueError:
        raise refusal(request, "dashboard_json is no JSON.", "badRequest") from None
    if not isinstance(page, dict) or not page.get("displayName"):
        raise refusal(request, "Field dashboard.displayName must be non-empty.", "badRequest")
    if len([one for one in _LAYOUTS if one in page]) != 1:
        raise refusal(request, "A dashboard must have exactly one layout.", "badRequest")


def _check_conditions(request: Request) -> None:
    conditions = request.state.get("conditions") or []
    for condition in conditions:
        found = [(name, condition[name][0]) for name in (*_CONDITIONS, _QUERY, _LOG) if condition.get(name)]
        if len(found) != 1:
            raise refusal(request, "A condition must be of exactly one type.", "badRequest")
        name, one = found[0]
        if name == _LOG:
            _check_log(request, len(conditions))
            continue
        _check_duration(request, str(one.get("duration") or ""), _CONDITIONS.get(name, 0))
        if name == _QUERY:
            _check_query(request, str(one.get("query")), known=not one.get("disable_metric_validation"))
        elif "metric.type" not in str(one.get("filter")) or "resource.type" not in str(one.get("filter")):
            raise refusal(
                request, "Field filter must specify a metric type and a resource type.", "badRequest"
            )


def _check_duration(request: Request, written: str, shortest: int) -> None:
    said = _SECONDS.fullmatch(written)
    seconds = int(said[1]) if said else -1
    if seconds % 60 or not shortest <= seconds <= _LONGEST:
        raise refusal(request, f"Field duration had an invalid value of {written!r}.", "badRequest")


def _check_query(request: Request, query: str, *, known: bool) -> None:
    """Metrics that come through Prometheus are not known before the first value of each."""
    if not _is_balanced(_QUOTED.sub("", query)):
        raise refusal(request, "Field query is no valid PromQL.", "badRequest")
    if known:
        raise refusal(request, "Cannot find metric(s) that the query names.", "notFound")


def _is_balanced(query: str) -> bool:
    open_: list[str] = []
    for character in query:
        if character in _BRACKETS:
            open_.append(_BRACKETS[character])
        elif character in _BRACKETS.values() and (not open_ or open_.pop() != character):
            return False
    return bool(query.strip()) and not open_


def _check_log(request: Request, conditions: int) -> None:
    """Documentation "Configure log-based alerting policies": one condition, and a limit of notifications."""
    if conditions != 1:
        raise refusal(
            request,
            "Alert policies with a log matching condition can only have a single condition.",
            "badRequest",
        )
    strategy = (request.state.get("alert_strategy") or [{}])[0]
    if not strategy.get("notification_rate_limit"):
        raise refusal(request, "A log matching condition needs a notification rate limit.", "badRequest")


def _read_channel(_contents: Contents, config: dict[str, Any]) -> dict[str, Any]:
    """Which channels there are is not known here: what a configuration names is believed."""
    name = config.get("display_name")
    if not name and not config.get("type"):
        message = "At least one of display_name or type must be provided"
        raise ApiError(message)
    identity = f"projects/{config.get('project')}/notificationChannels/{number(str(name), 20)}"
    return {
        "id": identity, "name": identity, "display_name": name or "", "type": config.get("type") or "email",
        "labels": {}, "user_labels": {}, "description": "", "enabled": True, "verification_status": "",
        "force_delete": False, "sensitive_labels": [],
    }  # fmt: skip


RESOURCES = (
    ResourceType(
        DASHBOARD,
        "Dashboard",
        "projects/{project}/dashboards/{serial}",
        known(DASHBOARD),
        service="monitoring.googleapis.com",
        checks=[_check_page],
    ),
    ResourceType(
        POLICY,
        "AlertPolicy",
        "projects/{project}/alertPolicies/{serial}",
        known(POLICY),
        computed={"name": "{id}", "creation_record": []},
        service="monitoring.googleapis.com",
        checks=[_check_conditions],
    ),
)
DATA_SOURCES = (DataSource(CHANNEL, _read_channel),)
