"""The components of clusters that are nothing but a chart: a field of `workloads`, and a row of the catalog.

They have one type and one way into a stack, which tests/unit/test_components.py checks for each of them. So
what a test shows of the fields of one is shown of all, and a further chart needs no line there.
"""

from typing import Any, get_args, get_type_hints

from clusterprint.blueprint.gke.components import Chart
from clusterprint.blueprint.gke.workloads import Workloads


def _first(hint: Any) -> Any:
    return next(iter(get_args(hint)), hint)


#: The fields of `workloads` that install a chart and nothing else.
CHARTS = frozenset(name for name, hint in get_type_hints(Workloads).items() if _first(hint) is Chart)


def of_all(field: tuple[str, ...]) -> set[tuple[str, ...]]:
    """A field of a chart, in each chart; any other field alone."""
    if len(field) > 1 and field[0] == "workloads" and field[1] in CHARTS:
        return {("workloads", chart, *field[2:]) for chart in CHARTS}
    return {field}
