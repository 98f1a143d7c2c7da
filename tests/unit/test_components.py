"""The table of what is installed in clusters, and the blueprint's fields that ask for it."""

from pathlib import Path
from typing import Any, get_args, get_type_hints

import msgspec

from clusterprint import catalog
from clusterprint.blueprint.gke.components import Chart
from clusterprint.blueprint.gke.workloads import Workloads
from clusterprint.derived import components
from clusterprint.resolve.gke.charts import resolve_charts
from clusterprint_simcloud.helm.charts import GROUPS
from stacks.gke.mpi_job_definition import DEFINITION


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
        plan = resolve_charts(msgspec.convert({field: {}}, Workloads), Path())
        row = next(each for _, each in components.on_offer() if each.workload == field)
        assert [(each.namespace, each.version) for each in plan] == [(row.namespace, row.version)]


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
    """Of the MPI operator, whose objects the stack brings, and of ML Diagnostics nobody names a version."""
    programs = {name: each for name, each in catalog.components().items() if each.namespace}
    objectless = {"tpu-provisioner", "mldiagnostics-injection-webhook"}
    assert {name for name, each in programs.items() if not each.crds} == objectless
    silent = {name for name, each in programs.items() if not each.kubernetes}
    diagnosed = {"mldiagnostics-injection-webhook", "mldiagnostics-connection-operator"}
    assert silent == {"mpi-operator", "tpu-provisioner", *diagnosed}
    for name in programs.keys() - silent:
        assert catalog.gke_version(programs[name].kubernetes), name


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
