"""The examples of `clusterprint explain` and of the reference hold where they belong.

Each is put into a small blueprint of its kind, and nothing may be said against what it adds.
"""

from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from ruamel.yaml import YAML
from support import BLUEPRINTS

from clusterprint import describe
from clusterprint.blueprint import KINDS
from clusterprint.describe import Field
from clusterprint.document import Place
from clusterprint.load import load
from clusterprint.validate import validate

GOOGLE = """\
clusterprint: v1
kind: {kind}
name: a
project: my-project
region: us-central1
zone: us-central1-f
backend: {{gcs: {{bucket: my-state}}}}
"""
POOL = "node_pools: [{name: workers, machine_type: n2-standard-8, count: 12}]\n"
KEY = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIPdkNp7j9nk6VpuTqpCtCwVLBgmUq5Xh9bMnsWxAFsfY me"
# What examples fit into better than into the smallest blueprint of the kind that we bring.
SMALL = {
    "vm": GOOGLE.format(kind="vm") + "nodes: {machine_type: a2-highgpu-2g}\n",
    "gke": GOOGLE.format(kind="gke") + POOL,
    "ray": GOOGLE.format(kind="ray") + POOL + "ray: {workers: [{name: gpu, pool: workers, max: 3}]}\n",
    "vmss": f"""\
clusterprint: v1
kind: vmss
name: a
subscription: 00000000-0000-0000-0000-000000000000
location: southcentralus
backend: {{gcs: {{bucket: my-state}}}}
nodes: {{size: Standard_NC24ads_A100_v4}}
admin: {{ssh_public_key: {{inline: {KEY}}}}}
head_node: {{ssh_source_ranges: [203.0.113.0/24]}}
""",
}
# What examples name beside the blueprint.
FILES = {
    "startup.sh": "#!/bin/bash\nnvidia-smi\n",
    "cloud-init.yaml": "#cloud-config\npackages: [htop]\n",
    "scripts/run.sh": "#!/bin/bash\n",
    "HPL.dat": "data\n",
    "jobset.yaml": "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\n",
    "cluster.pub": KEY,
    "values.yaml": "replicaCount: 2\n",
    "train.py": "print()\n",
    "Dockerfile": "FROM scratch\n",
    "image/Dockerfile": "FROM scratch\n",
    "requirements.txt": "torch\n",
    "serve.yaml": "applications:\n  - name: chat\n    import_path: chat.app:deployment\n",
}

# Examples that need something else in the blueprint: fields (and what is below them), the codes of what is
# said, and what is missing.
CONTEXT = {
    "cluster.version": ("GKE456", "a release channel that offers it"),
    "cluster.existing.project": ("GKE292", "the blueprint in that project"),
    "cluster.existing.nodes.name": ("GKE295", "no pool of that name"),
    "node_pools.host_maintenance": ("GCP162", "a version of the provider that implements it"),
    "secrets": ("GKE371 GKE373", "create: true, or a service account that reads it"),
    "storage.volumes": (
        "AZ064 AZ090 AZ091 AZ092 GCP101 GCP105 GCP106 GCP109 GCP113 GCP114 GKE207 GKE211 VM094 VM170",
        "a kind of cluster that builds them, and a kind of volume that has the setting",
    ),
    "cluster.maintenance.exclusions": ("GKE270", "an end, or until_end_of_support: true"),
    "storage.disk_pools": ("GCP109 GCP115 GCP116", "what is bought, or create: false"),
    "storage.disk_classes.pool": ("GCP114", "the pool"),
    "storage.file_classes": ("GKE434", "a kind of file system that has the setting"),
    "nodes.image": ("VM242", "health.enabled"),
    "node_groups.image": ("VM242", "health.enabled"),
    "nodes.boot_disk.pool": ("GCP114", "the pool"),
    "node_groups.boot_disk.pool": ("GCP114", "the pool"),
    "node_pools.boot_disk.pool": ("GCP114", "the pool"),
    "storage.may_lose": ("GCP109 AZ092", "the volume"),
    "storage.volumes.zone": ("GCP108", "storage_class: rapid, of a bucket"),
    "storage.volumes.anywhere_cache.zones": ("GCP144", "nodes in one of these zones"),
    "storage.volumes.mount": ("GKE207 AZ090", "a workload that mounts it"),
    "workloads.mpi.jobs.mounts": ("GKE200", "the volume"),
    "workloads.jobsets.mounts": ("GKE200", "the volume"),
    "workloads.train_jobs.mounts": ("GKE200", "the volume"),
    "workloads.leader_worker_sets.mounts": ("GKE200", "the volume"),
    "ray.head.mounts": ("GKE200", "the volume"),
    "ray.workers.mounts": ("GKE200", "the volume"),
    "ray.jobs.mounts": ("GKE200", "the volume"),
    "ray.services.mounts": ("GKE200", "the volume"),
    "notebook.group": ("VM185", "the group"),
    "monitoring.alerts.gpu_idle": ("VM180", "ops_agent: true"),
    "monitoring.alerts.disk_used_percent": ("VM180", "ops_agent: true"),
    "cluster.monitoring.alerts.pods_unschedulable": ("GKE450", "extra_metrics: [pod]"),
    "cluster.monitoring.alerts.gpu_idle": ("GKE450", "a pool with GPUs"),
    "cluster.monitoring.alerts.queue_stuck": ("GKE450", "Kueue"),
    "ray.gateway": ("RAY122 RAY123", "a route, to a service of that name"),
    "workloads.inference": ("GKE453", "a model"),
    "storage.private_services": ("GCP110", "a volume that uses it"),
    "nodes.capacity.reservation": ("GCP013 AZ014", "capacity.model: reservation"),
    "nodes.capacity.termination_action": ("GCP016", "max_run_duration"),
    "nodes.capacity.calendar": ("VM211", "model: reservation"),
    "nodes.capacity.eviction_policy": ("AZ015", "capacity.model: spot"),
    "nodes.capacity.max_price": ("AZ015", "capacity.model: spot"),
    "nodes.capacity.spot_restore": ("AZ015", "capacity.model: spot"),
    "nodes.capacity.fallbacks": (
        "AZ014 AZ015 BP271 BP273 GCP011 GCP013 GCP016 VM211 VM250",
        "another capacity before it, which the fallback completes",
    ),
    "node_groups.capacity.fallbacks": (
        "BP271 GCP011 GCP013 GCP016 VM211 VM250",
        "another capacity before it, and a group beside it",
    ),
    "node_pools.capacity.machine_types": ("BP278", "a pool of that class"),
    "node_pools.capacity.fallbacks": (
        "BP271 BP278 GCP011 GCP013 GKE008 GKE083",
        "another capacity before it",
    ),
    **dict.fromkeys(
        ("nodes.capacity.patience", "node_groups.capacity.patience", "node_pools.capacity.patience"),
        ("BP270", "fallbacks"),
    ),
    "grant_kms_key": ("GCP172", "kms_key"),
    "nodes.guest_accelerator": ("GCP004", "an N1 machine type"),
    "nodes.placement.max_topology_distance": ("GCP042", "placement.policy: workload"),
    "nodes.placement.existing": ("VM166", "placement.policy: workload or compact"),
    "notebook": ("VM185", "that group"),
    "monitoring.alerts": ("VM180", "monitoring.ops_agent"),
    "bootstrap": ("VM107 VM108", "that group, and a bucket for the results"),
    "updates.window": ("BP251", "mode: security"),
    "benchmark": ("VM107 VM108", "that group, and a bucket for the results"),
    "nodes.scratch": ("VM089", "local SSDs"),
    "nodes.driver": ("VM090", "a plain Ubuntu image"),
    "node_groups.scratch": ("VM089", "local SSDs"),
    "node_groups.driver": ("VM090", "a plain Ubuntu image"),
    "node_groups.capacity.reservation": ("GCP013", "capacity.model: reservation"),
    "node_groups.capacity.termination_action": ("GCP016", "max_run_duration"),
    "node_groups.capacity.calendar": ("VM211", "model: reservation"),
    "node_groups.guest_accelerator": ("GCP004 GCP005", "an N1 machine type"),
    "node_groups.placement.max_topology_distance": ("GCP042", "placement.policy: workload"),
    "node_pools.placement.existing": ("GKE175", "placement.policy: workload or compact"),
    "workloads.kueue.node_requests": ("GKE116", "a pool with queued capacity"),
    "node_groups.placement.existing": ("VM166", "placement.policy: workload or compact"),
    "node_pools.capacity.reservation": ("GCP013", "capacity.model: reservation"),
    "node_pools.capacity.queued": ("GKE008", "capacity.model: flex_start"),
    "node_pools.guest_accelerator": ("GCP005", "an N1 machine type"),
    "node_pools.placement.max_topology_distance": ("GCP042", "placement.policy: workload"),
    "node_pools.accelerator_network_profile": ("GKE320", "a machine type whose interfaces GKE hands out"),
    "node_pools.gpudirect_strategy": ("GKE323", "a machine type with RDMA"),
    "node_pools.system.topology_manager": ("GKE328", "cpu_manager: static"),
    "node_pools.gpu": ("GKE030", "a machine type with GPUs"),
    "node_pools.tpu": ("GKE021", "a machine type with TPUs"),
    "node_pools.upgrades": ("GKE085", "upgrades.strategy: blue_green"),
    "compute_classes": ("GKE051 GKE417", "the pools that the class prefers, and a limit"),
    "compute_classes.auto_create.capacity.reservation": ("GCP013 GKE417", "model: reservation, and a limit"),
    "workload_identity.name": ("GKE091", "roles, buckets or secrets"),
    "workloads.mpi.jobs.name": ("GKE100 GKE380", "a command, and an image"),
    "workloads.mpi.jobs.queue": ("GKE110", "Kueue"),
    "workloads.mpi.jobs.compute_class": ("GKE340", "that compute class"),
    "workloads.mpi.jobs.priority": ("GKE235", "Kueue, with that priority"),
    "workloads.mpi.jobs.keep_within": ("GKE237", "Kueue, with that pool among topology_pools"),
    "workloads.jobsets": (
        "GKE110 GKE235 GKE237 GKE240 GKE340 GKE380 GKE393",
        "an image, JobSet, Kueue with that queue and priority, that class, nodes that keep checkpoints",
    ),
    "workloads.train_jobs": (
        "GKE110 GKE235 GKE237 GKE240 GKE340 GKE380",
        "an image, Trainer, and Kueue with that queue and priority, that class",
    ),
    "workloads.trainer": ("GKE142 GKE473", "JobSet, and a version of its chart"),
    "workloads.ml_diagnostics": ("GKE398", "cert-manager"),
    "workloads.slurm": ("GKE142 GKE200 GKE545", "cert-manager, versions of its charts, and the volume"),
    "workloads.checkpoints": ("GKE390 GKE392", "that volume, and those pools"),
    "workloads.leader_worker_sets": (
        "GKE110 GKE235 GKE237 GKE240 GKE340 GKE380",
        "an image, LeaderWorkerSet, and Kueue with that queue and priority",
    ),
    # Its chart counts versions in another way than the one of the example, which all charts share.
    "workloads.nvidia_dra": ("GKE142 GKE250", "a pool of A4X machines, and a version of its chart"),
    "workloads.manifests.kustomization": ("BP220 GKE454", "a file"),
    "workloads.manifests.url": ("BP220 GKE360", "the checksum, and a file"),
    "workloads.manifests.sha256": ("BP220 GKE360", "the URL, and a file"),
    "workloads.inference.models.name": ("GKE352", "what serves the model"),
    "workloads.inference.models.leader_worker_set": ("GKE354", "a LeaderWorkerSet of that name"),
    "workloads.kueue.topology_pools": ("GKE233", "a pool with a network between GPUs"),
    "workloads.kueue.preemption": ("GKE239", "priorities, and queues with quotas"),
    "workloads.tpu_provisioner": ("GKE120 GKE121", "JobSet, and no release channel"),
    "workloads.tpu_provisioner.webhook": ("GKE315", "cert-manager, with an image of ai-on-gke"),
    "workloads.nccl": ("GKE141", "pools with networks for their GPUs"),
    "ray": ("RAY002", "the pool or compute class of the workers"),
    "ray.workers": ("RAY001 RAY003", "a pool, and one with large enough machines"),
    "ray.nccl_test": ("RAY044", "workers with GPUs"),
    "ray.operator_chart": ("RAY032", "operator: chart"),
    "ray.dashboard": ("RAY012", "ingress: internal"),
    "image_build": ("RAY022 RAY108", "registry.docker, and registry.scan"),
    "image_builds": ("GKE383 RAY108", "what it is built from, and registry.scan"),
    "workloads.mpi.jobs.build": ("GKE380 GKE381", "that build, and no image"),
    "workloads.jobsets.build": ("GKE380 GKE381", "that build, and no image"),
    "workloads.train_jobs.build": ("GKE380 GKE381", "that build, and no image"),
    "workloads.leader_worker_sets.build": ("GKE380 GKE381", "that build, and no image"),
    "binary_authorization": ("RAY050", "image_build"),
    "bootstrap.slurm": ("VM230", "a group of that name"),
    "bootstrap.slurm.controller": ("VM230", "a group of that name"),
    "bootstrap.slurm.partitions": ("VM230", "groups of those names"),
    "bootstrap.slurm.partitions.groups": ("VM230", "groups of those names"),
    "bootstrap.slurm.power_saving.groups": ("VM230", "groups of those names"),
    "bootstrap.slurm.partitions.qos": ("BP294", "a QOS of that name"),
    "bootstrap.slurm.qos": ("BP294", "accounting, and another QOS"),
    "bootstrap.slurm.qos.grace": ("BP294", "accounting, and another QOS"),
    "bootstrap.slurm.qos.yields_to": ("BP295", "another QOS"),
    "nodes.update": ("AZ121", "a uniform scale set"),
    "nodes.update.batch": ("BP276", "strategy: roll"),
    "node_groups.update.batch": ("BP276", "strategy: roll"),
    "nodes.update.wait": ("BP276 VM251", "strategy: roll, and kind vmss"),
    "node_groups.update.wait": ("BP276 VM251", "strategy: roll, and kind vmss"),
    "compute_classes.auto_create.tpu": ("GKE021", "a machine with TPUs"),
    "compute_classes.auto_create.boot_disk.type": ("GKE419", "a machine that takes such disks"),
    "bootstrap.slurm.power_saving": ("VM237", "a group of more nodes"),
    "bootstrap.slurm.power_saving.static": ("VM237", "a group of more nodes"),
    "bootstrap.ray.head_group": ("VM146", "a group of that name"),
    "time_to_live_action": ("VM143", "time_to_live"),
    "node_groups": ("VM080", "no `nodes` beside them"),
    "cluster.existing.name": ("GKE290", "its location"),
    "admin.ssh_public_key": ("BP220", "only one of file and inline; the small blueprint has the other"),
    "network.existing": ("AZ043", "the resource group of the network, or none that is created"),
}


def fields() -> Iterator[Field]:
    """The fields of all kinds; those that ray has from gke, once."""
    of_gke = {field.name: field for field in describe.all_fields(describe.field("gke"))}
    for kind in describe.kinds():
        for field in describe.all_fields(kind):
            same = of_gke.get(field.name.replace("ray.", "gke.", 1)) if kind.name == "ray" else None
            if field.parent and not (same and same.schema == field.schema):
                yield field


def place_of(field: Field) -> Place:
    """Where the example of a field stands in the blueprint: in the first item of each list above it."""
    if field.parent is None:
        return ()
    above = place_of(field.parent)
    return (*above, 0, field.key) if "items" in field.parent.schema else (*above, field.key)


def put(blueprint: Any, example: Any, place: Place) -> Any:
    """A blueprint with the value of an example at a place, and what else stands there if it has none."""
    if not place:
        both = isinstance(blueprint, dict) and isinstance(example, dict)
        return {**blueprint, **example} if both else example
    key = place[0]
    if isinstance(key, int):
        first = put(blueprint[0], example[0], place[1:]) if blueprint else example[0]
        return [first, *(blueprint or [])[1:]]
    inner = put(blueprint[key], example[key], place[1:]) if key in blueprint else example[key]
    return {**example, **blueprint, key: inner}


def places_below(value: Any, place: Place) -> Iterator[Place]:
    yield place
    inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, each in inner:
        yield from places_below(each, (*place, key))


def at(value: Any, place: Place) -> Any:
    for key in place:
        value = value[key]
    return value


def read(text: str) -> Any:
    return YAML(typ="safe", pure=True).load(text)


@cache
def small(kind: str) -> Any:
    """The small blueprint of a kind, as data."""
    if kind in SMALL:
        return read(SMALL[kind])
    ours = [read(file.read_text("utf-8")) for file in BLUEPRINTS.glob("*.yaml")]
    return min((each for each in ours if each["kind"] == kind), key=lambda each: len(str(each)))


def complaints(field: Field, folder: Path) -> list[str]:
    """The diagnostics about the lines of an example, in a small blueprint: codes and messages."""
    place = place_of(field)
    blueprint = put(small(field.kind.name), read(describe.example_in_place(field)), place)
    file = folder / "blueprint.yaml"
    file.write_text(describe.yaml_block(blueprint))
    loaded = load(file, file.name)
    document = loaded.document
    assert document is not None, loaded.diagnostics
    below = list(places_below(at(blueprint, place), place))
    lines = {span.line for each in below if (span := document.label(each).span)}
    lines |= {span.line for each in below if (span := document.key_label(each).span)}
    found = [*loaded.diagnostics, *validate(document).diagnostics]
    about = [each for each in found if each.place.span and each.place.span.line in lines]
    return [f"{each.code} {each.message}" for each in about]


def excepted(field: Field, complaint: str) -> set[str]:
    """The entries of CONTEXT that explain a complaint about the example of a field."""
    name = field.name.partition(".")[2]
    return {
        start
        for start, (codes, _) in CONTEXT.items()
        if (name == start or name.startswith(f"{start}.")) and complaint.split(maxsplit=1)[0] in codes.split()
    }


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("examples")
    for name, text in FILES.items():
        (made / name).parent.mkdir(exist_ok=True)
        (made / name).write_text(text)
    return made


@pytest.fixture(scope="module")
def said(folder: Path) -> list[tuple[Field, str]]:
    """All complaints about all examples."""
    return [(field, each) for field in fields() for each in complaints(field, folder)]


@pytest.mark.long
@pytest.mark.slow
def test_examples_hold_where_they_belong(said: list[tuple[Field, str]]) -> None:
    assert not [f"{field.name}: {each}" for field, each in said if not excepted(field, each)]


@pytest.mark.long
@pytest.mark.slow
def test_no_exception_is_left_over(said: list[tuple[Field, str]]) -> None:
    used = {start for field, each in said for start in excepted(field, each)}
    assert used == set(CONTEXT)


def test_an_example_that_is_wrong_in_itself_is_found(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    field = describe.field("vmss.health_checks.repair.grace_period")
    assert not complaints(field, folder)
    monkeypatch.setitem(field.schema, "examples", ["90s"])
    assert [each.split()[0] for each in complaints(field, folder)] == ["AZ050"]


def test_every_kind_has_examples_and_a_small_blueprint_without_problems(folder: Path) -> None:
    assert {field.kind.name for field in fields()} == set(KINDS)
    for kind in KINDS:
        file = folder / f"{kind}.yaml"
        file.write_text(describe.yaml_block(small(kind)))
        document = load(file, file.name).document
        assert document is not None
        assert not validate(document).diagnostics
