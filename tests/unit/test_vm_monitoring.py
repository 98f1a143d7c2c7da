"""Dashboards and alerts of machines of kind vm."""

import re
from pathlib import Path

import pytest
from unit.test_resolve_vm import HEAD, plan_of

from clusterprint.plan.monitoring import MissingPlan, SeriesPlan, ThresholdPlan
from clusterprint.plan.vm import VmPlan


def plan(tmp_path: Path, monitoring: str, machine: str = "g2-standard-8") -> VmPlan:
    return plan_of(f"{HEAD}nodes: {{machine_type: {machine}}}\nmonitoring: {monitoring}\n", tmp_path)


def series(made: VmPlan) -> list[SeriesPlan]:
    assert made.monitoring
    charts = [chart.values for page in made.monitoring.dashboards for chart in page.charts]
    alerts = [each.when for each in made.monitoring.alerts]
    watched = [each.series for each in alerts if isinstance(each, MissingPlan | ThresholdPlan)]
    assert len(watched) == len(alerts)
    drawn = [each for each in charts if isinstance(each, SeriesPlan)]
    assert len(drawn) == len(charts)
    return [*drawn, *watched]


def test_every_filter_is_about_a_label_that_the_machines_have(tmp_path: Path) -> None:
    made = plan(
        tmp_path,
        "{ops_agent: true, dashboard: true, alerts: {gpu_idle: 1h, disk_used_percent: 90}}",
    )
    found = series(made)
    assert len(found) > 10
    for each in found:
        label = re.search(r'metadata\.user_labels\."([^"]+)"="([^"]+)"', each.filter)
        assert label
        assert made.labels[label[1]] == label[2]


@pytest.mark.parametrize(
    ("monitoring", "machine", "gpus", "memory"),
    [
        ("{dashboard: true}", "g2-standard-8", False, False),
        ("{dashboard: true, ops_agent: true}", "g2-standard-8", True, True),
        ("{dashboard: true, ops_agent: true}", "n2-standard-4", False, True),
    ],
)
def test_what_nobody_measures_is_not_drawn(
    tmp_path: Path, monitoring: str, machine: str, gpus: bool, memory: bool
) -> None:
    metrics = " ".join(each.filter for each in series(plan(tmp_path, monitoring, machine)))
    assert ("agent.googleapis.com/gpu/" in metrics) == gpus
    assert ("agent.googleapis.com/memory/" in metrics) == memory
    assert "compute.googleapis.com/instance/cpu/utilization" in metrics


def test_alerts_alone_draw_nothing(tmp_path: Path) -> None:
    made = plan(tmp_path, "{alerts: {notification_channels: [on call]}}").monitoring
    assert made
    assert made.dashboards == ()
    assert list(made.channels.values()) == ["on call"]
    [alert] = made.alerts
    assert alert.key == "node-silent"
    assert isinstance(alert.when, MissingPlan)
    assert alert.when.seconds == 600


def test_nothing_is_made_when_nothing_is_asked_for(tmp_path: Path) -> None:
    assert plan(tmp_path, "{ops_agent: true}").monitoring is None
