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
    for condition in request.state.get("conditions") or []:
        found = [(name, condition[name][0]) for name in _CONDITIONS if condition.get(name)]
        if len(found) != 1:
            raise refusal(request, "A condition must be of exactly one type.", "badRequest")
        name, one = found[0]
        said = _SECONDS.fullmatch(str(one.get("duration") or ""))
        seconds = int(said[1]) if said else -1
        if seconds % 60 or not _CONDITIONS[name] <= seconds <= _LONGEST:
            raise refusal(
                request, f"Field duration had an invalid value of {one.get('duration')!r}.", "badRequest"
            )
        if "metric.type" not in str(one.get("filter")) or "resource.type" not in str(one.get("filter")):
            raise refusal(
                request, "Field filter must specify a metric type and a resource type.", "badRequest"
            )


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
