"""Protection of data by clusterprint instead of the provider: which volumes, and where."""

from support import plans_of

from clusterprint.nodes import deploy
from clusterprint.plan.gke.cluster import GkeClusterPlan
from clusterprint.plan.kept_data import KeptDataPlan

GKE = """\
clusterprint: v1
kind: gke
name: life
project: my-gpu-project
region: us-central1
zone: us-central1-b
backend: {gcs: {bucket: my-terraform-state}}
node_pools: [{name: cpus, machine_type: n2-standard-8, count: 1}]
"""
OLD = "terraform: {google_provider: 6.50.0}\n"
STORED = """\
storage:
  may_lose: [tmp]
  volumes:
    - {name: home, kind: filestore}
    - {name: data, kind: bucket}
    - {name: scratch, kind: lustre}
    - {name: theirs, kind: lustre, create: false, instance: their-lustre}
    - {name: fast, kind: parallelstore}
    - {name: tmp, kind: netapp, deletion_protection: false}
    - {name: weights, kind: disk, access: read_only, snapshot: llama-weights, size_gb: 500}
"""


def cluster(text: str) -> GkeClusterPlan:
    plan = plans_of(text)[0]
    assert isinstance(plan, GkeClusterPlan)
    return plan


def test_it_has_what_is_created_and_does_not_keep_itself() -> None:
    plan = cluster(GKE + OLD + STORED)
    assert plan.kept_data is not None
    assert {each.key: each.may_be_lost for each in plan.kept_data.volumes} == {
        "lustre_scratch": False,
        "parallelstore_fast": False,
        "netapp_tmp": True,
        "disk_weights": False,
    }
    assert plan.scripts == {deploy.KEEP_DATA: deploy.script(deploy.KEEP_DATA)}


def test_a_cluster_without_volumes_may_have_had_some() -> None:
    plan = cluster(GKE + OLD)
    assert plan.kept_data == KeptDataPlan(volumes=(), script=deploy.KEEP_DATA)


def test_a_provider_that_keeps_data_needs_none() -> None:
    plan = cluster(GKE + STORED)
    assert plan.kept_data is None
    assert plan.scripts == {}
