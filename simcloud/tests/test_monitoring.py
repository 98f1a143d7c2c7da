"""The truths of Cloud Monitoring: what it refuses of alert policies."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from clusterprint_simcloud.cloud.contents import ApiError

if TYPE_CHECKING:
    from conftest import Api

POLICY = "google_monitoring_alert_policy"
ONCE_AN_HOUR = [{"notification_rate_limit": [{"period": "3600s"}]}]


def make(api: Api, *conditions: dict[str, Any], **more: Any) -> None:
    named = [{"display_name": "odd", **each} for each in conditions]
    api.create(POLICY, display_name="odd", combiner="OR", conditions=named, **more)


def query(text: str, *, duration: str = "300s", unknown: bool = True) -> dict[str, Any]:
    said = {"query": text, "duration": duration, "disable_metric_validation": unknown}
    return {"condition_prometheus_query_language": [said]}


LOG = {"condition_matched_log": [{"filter": 'resource.type="k8s_node"'}]}


def test_a_query_is_promql_about_what_is_known_or_said_not_to_be(api: Api) -> None:
    text = 'max by (node) (up{job="a(b"}) > 0'
    make(api, query(text))
    with pytest.raises(ApiError, match="no valid PromQL"):
        make(api, query("max by (node) (up{}"))
    with pytest.raises(ApiError, match="duration had an invalid value"):
        make(api, query(text, duration="90s"))
    with pytest.raises(ApiError, match="Cannot find metric"):
        make(api, query(text, unknown=False))


def test_a_log_is_watched_alone_and_not_without_a_limit(api: Api) -> None:
    make(api, LOG, alert_strategy=ONCE_AN_HOUR)
    with pytest.raises(ApiError, match="rate limit"):
        make(api, LOG)
    with pytest.raises(ApiError, match="single condition"):
        make(api, LOG, query("up"), alert_strategy=ONCE_AN_HOUR)
    with pytest.raises(ApiError, match="exactly one type"):
        make(api, {**LOG, **query("up")}, alert_strategy=ONCE_AN_HOUR)
