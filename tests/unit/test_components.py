"""The table of what is installed in clusters, and the blueprint's fields that ask for it."""

from itertools import product
from pathlib import Path

import msgspec
from charts import CHARTS
from every import every
from support import GOLDENS

from clusterprint import catalog
from clusterprint.blueprint.gke.workloads import Workloads
from clusterprint.derived import components
from clusterprint.derived.chart_values import chart_values, laid_over
from clusterprint.resolve.gke.charts import resolve_charts
from clusterprint_simcloud.helm.charts import GROUPS
from stacks.gke.mpi_job_definition import DEFINITION


def test_each_chart_of_the_workloads_has_one_row() -> None:
    """A further chart is a field, a row, and a golden: rules, namespaces, plan, stack and reviews follow."""
    rows = [component.workload for _, component in components.on_offer()]
    assert CHARTS
    assert len(set(rows)) == len(rows)
    assert set(rows) >= CHARTS


def test_each_row_belongs_to_a_field() -> None:
    for name, component in components.on_offer():
        assert hasattr(Workloads(), component.workload.partition(".")[0]), name
        assert component.namespace, name


def test_a_chart_is_installed_where_its_row_says() -> None:
    for field in CHARTS:
        plan = resolve_charts(msgspec.convert({field: {}}, Workloads), Path())
        row = next(each for _, each in components.on_offer() if each.workload == field)
        assert [(each.namespace, each.version) for each in plan] == [(row.namespace, row.version)]


@every(product(sorted(CHARTS), ("inline", "file")), "{0[0]}, {0[1]}".format)
def test_a_chart_is_installed_as_a_blueprint_says(case: tuple[str, str]) -> None:
    """The basis of tests with the fields of one chart only (tests/charts.py)."""
    field, form = case
    row = next(each for _, each in components.on_offer() if each.workload == field)
    values = {"inline": "added: ${here}\n", "file": "./charts/values.yaml"}
    said = {"version": "99.1.2", "location": "oci://example.com/mirror/it", "values": {form: values[form]}}
    added = {"inline": {"added": "${here}"}, "file": chart_values((GOLDENS / values["file"]).read_text())}
    [plan] = resolve_charts(msgspec.convert({field: said}, Workloads), GOLDENS)
    assert (plan.version, plan.repository, plan.chart) == ("99.1.2", "", "oci://example.com/mirror/it")
    assert added[form]
    assert plan.values == laid_over(row.values, added[form])


def test_definitions_are_named_by_their_kinds() -> None:
    """By Kubernetes' custom: the plural of the kind in small letters, a dot, the group."""
    named = [pair for each in catalog.components().values() for pair in each.crds.items()]
    assert len(named) > 20
    for kind, name in named:
        plural, dot, group = name.partition(".")
        assert dot, name
        assert "." in group, name
        assert plural.startswith(kind.lower()[:-1]), name
        assert plural.endswith("s"), name


def test_each_chart_says_what_it_brings_and_since_when_it_works() -> None:
    """Where its row leaves out either, its notes tell why."""
    programs = {name: each for name, each in catalog.components().items() if each.namespace}
    assert len(programs) > len([each for each in programs.values() if each.kubernetes]) > 5
    for name, each in programs.items():
        assert each.notes or (each.crds and each.kubernetes), name
        assert not each.kubernetes or catalog.gke_version(each.kubernetes), name


def test_new_clusters_are_new_enough_for_every_chart() -> None:
    """So no rule has to look at release channels."""
    oldest = [catalog.gke_version(each) for each in catalog.gke_channels().defaults.values()]
    needed = [catalog.gke_version(each.kubernetes) for each in catalog.components().values()]
    assert oldest
    for version in oldest:
        assert version
        assert all(version.minor >= each.minor for each in needed if each)


def test_the_simulated_cloud_brings_no_other_groups() -> None:
    """It keeps a list of its own, with groups that are served without a definition as well."""
    known = {name: each.api_groups for name, each in catalog.components().items() if each.api_groups}
    both = known.keys() & GROUPS.keys()
    assert both >= {"jobset", "kueue", "cert-manager", "mpi-operator", "kuberay-operator"}
    for name in both:
        assert known[name] <= set(GROUPS[name]), name


def test_the_stack_brings_the_definition_of_the_mpi_operator() -> None:
    kind, name = DEFINITION["spec"]["names"]["kind"], DEFINITION["metadata"]["name"]
    assert catalog.component("mpi-operator").crds == {kind: name}


def test_no_two_components_bring_one_group() -> None:
    groups = [group for each in catalog.components().values() for group in each.api_groups]
    assert len(set(groups)) == len(groups) > 3
