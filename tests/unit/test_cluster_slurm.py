"""Slurm in a Kubernetes cluster: the values of Slinky's chart, and what Kueue leaves to it."""

from typing import Any

import pytest
from unit.conftest import Inside

from clusterprint.access import slurm as access
from clusterprint.plan.gke.workloads import GkeWorkloadsPlan

NODES = """\
node_pools:
  - {name: cpu, machine_type: n2-standard-16, count: 2}
  - {name: l4, machine_type: g2-standard-24, count: 2}
  - {name: free, machine_type: n2-standard-16, count: 2}
"""
BODY = NODES + "workloads:\n  cert_manager: {}\n  kueue: {}\n  slurm: "
BOTH = (
    "partitions: [{name: batch, pools: [cpu]}, {name: gpu, pools: [l4, cpu], max_time: 90m, exclusive: true}]"
)


def plan_of(inside: Inside, slurm: str) -> GkeWorkloadsPlan:
    plan = inside.plan(f"{BODY}{{{slurm}}}\n")
    assert plan is not None
    return plan


def values_of(inside: Inside, slurm: str = BOTH) -> Any:
    (chart,) = (each for each in plan_of(inside, slurm).charts if each.key == "slurm")
    return chart.values


def test_the_operator_comes_after_its_definitions_and_cert_manager(inside: Inside) -> None:
    charts = {each.key: (each.namespace, each.after) for each in plan_of(inside, BOTH).charts}
    assert charts == {
        "cert-manager": ("cert-manager", ()),
        "slurm-operator-crds": ("slinky", ()),
        "slurm-operator": ("slinky", ("cert-manager", "slurm-operator-crds")),
        "slurm": ("slurm", ("slurm-operator",)),
    }


def test_each_pool_has_one_set_of_workers_that_take_whole_nodes(inside: Inside) -> None:
    sets = values_of(inside)["nodesets"]
    assert list(sets) == ["cpu", "l4"]
    assert {each["scalingMode"] for each in sets.values()} == {"DaemonSet"}
    assert sets["cpu"]["slurmd"]["resources"] == {"requests": {"cpu": 15}}
    assert sets["l4"]["slurmd"]["resources"] == {"limits": {"nvidia.com/gpu": 2}}
    assert sets["l4"]["extraConfMap"] == {"Gres": "gpu:2"}
    assert sets["l4"]["podSpec"]["nodeSelector"]["cloud.google.com/gke-nodepool"] == "l4"
    assert [each["key"] for each in sets["l4"]["podSpec"]["tolerations"]] == ["nvidia.com/gpu"]


def test_partitions_are_as_slurm_writes_them(inside: Inside) -> None:
    partitions = values_of(inside)["partitions"]
    assert partitions["batch"] == {
        "enabled": True,
        "nodesets": ["cpu"],
        "configMap": {"Default": "YES", "MaxTime": "UNLIMITED", "PriorityTier": "1"},
    }
    assert partitions["gpu"]["configMap"] == {
        "Default": "NO",
        "MaxTime": "01:30:00",
        "PriorityTier": "1",
        "OverSubscribe": "EXCLUSIVE",
    }


@pytest.mark.parametrize(("pool", "is_set"), [("l4", True), ("cpu", False)])
def test_gpus_are_configured_only_where_there_are_some(inside: Inside, pool: str, is_set: bool) -> None:
    values = values_of(inside, f"partitions: [{{name: batch, pools: [{pool}]}}]")
    assert ("gres.conf" in values.get("configFiles", {})) is is_set
    assert ("extraConfMap" in values["controller"]) is is_set


def test_nobody_outside_reaches_the_login_pod(inside: Inside) -> None:
    assert values_of(inside)["loginsets"]["main"]["service"] == {"spec": {"type": "ClusterIP"}}


def test_values_of_the_user_win(inside: Inside) -> None:
    text = 'cluster: {values: {inline: "clusterName: mine\\nloginsets: {main: {replicas: 2}}\\n"}}'
    values = values_of(inside, f"{BOTH}, {text}")
    assert values["clusterName"] == "mine"
    assert values["loginsets"]["main"]["replicas"] == 2
    assert values["loginsets"]["main"]["service"]["spec"]["type"] == "ClusterIP"


def test_kueue_has_no_quotas_of_slurms_nodes(inside: Inside) -> None:
    queues = plan_of(inside, BOTH).queues
    assert queues is not None
    assert [each.name for each in queues.flavors] == ["free"]
    assert [each.flavor for queue in queues.cluster_queues for each in queue.quotas] == ["free"]


# ---- the ways to it


def words_after_exec(words: tuple[str, ...], *options: str) -> tuple[str, ...]:
    """The command in the login pod, which kubectl is told to run there."""
    program, context, namespace, verb, *rest = words
    assert (program, namespace, verb) == ("kubectl", "--namespace=slurm", "exec")
    assert context.startswith("--context=gke_")
    assert rest[: len(options) + 2] == [*options, "deployment/slurm-login-main", "--"]
    return tuple(rest[len(options) + 2 :])


def test_commands_of_slurm_run_in_the_login_pod(inside: Inside) -> None:
    plan = plan_of(inside, BOTH)
    assert access.plan_with([plan]) is plan
    submitted = access.submit(plan, ("--nodes=2",), "srun hostname").words
    assert words_after_exec(submitted) == ("sbatch", "--nodes=2", "--wrap", "srun hostname")
    # A script comes by standard input, which kubectl passes on only when it is told to.
    assert words_after_exec(access.submit(plan, (), None).words, "--stdin") == ("sbatch",)
    assert words_after_exec(access.cancel(plan, "12").words) == ("scancel", "12")
    assert words_after_exec(access.log(plan, "12", lines=5, follow=False).words)[:2] == ("sh", "-c")


@pytest.mark.parametrize("kept", [True, False])
def test_ended_jobs_are_in_the_accounts_where_there_are_some(inside: Inside, kept: bool) -> None:
    accounting = ", accounting: {host: 10.20.0.3, secret: database}" if kept else ""
    plan = plan_of(inside, BOTH + accounting)
    assert access.keeps_accounts(plan) is kept
    assert words_after_exec(access.ended(plan, 60).words)[0] == ("sacct" if kept else "scontrol")


def test_without_slurm_no_plan_has_it(inside: Inside) -> None:
    plan = inside.plan(f"{NODES}workloads: {{kueue: {{}}}}\n")
    assert plan is not None
    assert access.plan_with([plan]) is None
    assert not access.names_job(plan, "12")
