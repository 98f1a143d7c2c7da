"""The table of what is installed in clusters, and the blueprint's fields that ask for it."""

from typing import Any, get_args, get_type_hints

import msgspec

from clusterprint import catalog
from clusterprint.blueprint.gke.components import Chart
from clusterprint.blueprint.gke.workloads import Workloads
from clusterprint.derived import components
from clusterprint.resolve.gke.charts import resolve_charts


def charts() -> set[str]:
    """The fields of `workloads` that install a chart and nothing else."""
    return {name for name, hint in get_type_hints(Workloads).items() if _first(hint) is Chart}


def _first(hint: Any) -> Any:
    return next(iter(get_args(hint)), hint)


def test_each_chart_of_the_workloads_has_one_row() -> None:
    """A further chart is a field, a row, and a golden: rules, namespaces, plan, stack and reviews follow."""
    rows = [component.workload for _, component in components.on_offer()]
    assert charts()
    assert len(set(rows)) == len(rows)
    assert charts() <= set(rows)


def test_each_row_belongs_to_a_field() -> None:
    for name, component in components.on_offer():
        assert hasattr(Workloads(), component.workload.partition(".")[0]), name
        assert component.namespace, name


def test_a_chart_is_installed_where_its_row_says() -> None:
    for field in charts():
        plan = resolve_charts(msgspec.convert({field: {}}, Workloads))
        row = next(each for _, each in components.on_offer() if each.workload == field)
        assert [(each.namespace, each.version) for each in plan] == [(row.namespace, row.version)]


def test_no_two_components_bring_one_group() -> None:
    groups = [group for each in catalog.components().values() for group in each.api_groups]
    assert len(set(groups)) == len(groups) > 3
