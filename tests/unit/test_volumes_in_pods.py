"""Volumes in pods of a Kubernetes cluster, and their users."""

from pathlib import Path
from typing import Any

import msgspec
import pytest

from clusterprint.blueprint import blueprint_type
from clusterprint.plan.claims import PodVolumesPlan
from clusterprint.plan.gke.cluster import GkeClusterPlan
from clusterprint.plan.gke.mpi import MpiJobPlan
from clusterprint.plan.gke.workloads import GkeWorkloadsPlan
from clusterprint.plan.ray.ray import RayPlan
from clusterprint.plan.vm import VmPlan
from clusterprint.resolve import resolve

BASE = {
    "clusterprint": "v1",
    "name": "c",
    "project": "my-project",
    "region": "us-central1",
    "zone": "us-central1-a",
    "backend": {"gcs": {"bucket": "my-state"}},
}
SSDS = [{"name": "h200", "machine_type": "a3-ultragpu-8g", "count": 2}]
PLAIN = [{"name": "cpu", "machine_type": "c3-standard-8", "count": 2}]
DATA = {"name": "data", "kind": "bucket", "create": False, "bucket": "my-data", "access": "read_only"}
CKPT = {"name": "ckpt", "kind": "bucket", "mount": "/ckpt"}
HOME = {"name": "home", "kind": "filestore", "mount": "/shared"}
LOCAL = {"name": "local", "kind": "disk", "size_gb": 100, "mount": "/local"}
WEIGHTS = {"name": "weights", "kind": "disk", "access": "read_only", "snapshot": "s", "mount": "/weights"}


def gke(
    *volumes: dict[str, Any], pools: Any = PLAIN, mounts: Any = (), **more: Any
) -> tuple[GkeClusterPlan, GkeWorkloadsPlan]:
    """A cluster with one MPI job."""
    job = {"name": "j", "image": "a/b:c", "workers": 2, "command": ["x"], "mounts": list(mounts)}
    job |= more.pop("job", {})
    workloads = {"mpi": {"namespace": "training", "jobs": [job]}}
    data = {**BASE, "kind": "gke", "node_pools": pools, "storage": {"volumes": list(volumes)}}
    blueprint = msgspec.convert({**data, "workloads": workloads, **more}, blueprint_type("gke"))
    cluster, inside = resolve(blueprint, Path())
    assert isinstance(cluster, GkeClusterPlan)
    assert isinstance(inside, GkeWorkloadsPlan)
    return cluster, inside


def job(inside: GkeWorkloadsPlan) -> MpiJobPlan:
    """The only job."""
    assert inside.mpi
    return inside.mpi.jobs[0]


def paths(plan: PodVolumesPlan) -> dict[str, bool]:
    """Where a pod sees what, and whether it only reads."""
    return {each.path: each.read_only for each in plan.mounts}


def test_drivers_are_there_for_the_volumes_that_need_them() -> None:
    lustre = {"name": "scratch", "kind": "lustre"}
    without, _ = gke()
    found, _ = gke(HOME, lustre)
    assert without.control_plane is not None
    assert found.control_plane is not None
    assert not without.control_plane.addons.filestore
    assert not without.control_plane.addons.lustre
    assert found.control_plane.addons.filestore
    assert found.control_plane.addons.lustre
    assert {"file.googleapis.com", "lustre.googleapis.com"} <= {*found.services}


def test_each_volume_has_a_claim_in_each_namespace_of_the_blueprint() -> None:
    identity = [{"name": "trainer", "namespace": "research", "roles": ["roles/logging.logWriter"]}]
    _, inside = gke(CKPT, HOME, LOCAL, workload_identity=identity)
    assert [(each.namespace, each.claim, each.name) for each in inside.claims.claims] == [
        ("research", "ckpt", "ckpt.research"),
        ("training", "ckpt", "ckpt.training"),
        ("research", "home", "home.research"),
        ("training", "home", "home.training"),
    ]
    assert [each.name for each in inside.claims.classes] == ["c-local"], "each pod has a disk of its own"


def test_without_workloads_claims_are_in_the_default_namespace() -> None:
    data = {**BASE, "kind": "gke", "node_pools": PLAIN, "storage": {"volumes": [{**HOME}]}}
    _, inside = resolve(msgspec.convert(data, blueprint_type("gke")), Path())
    assert isinstance(inside, GkeWorkloadsPlan)
    assert [each.namespace for each in inside.claims.claims] == ["default"]


@pytest.mark.parametrize(
    ("volume", "mode", "zone"),
    [(DATA, "ReadOnlyMany", ""), (CKPT, "ReadWriteMany", ""), (WEIGHTS, "ReadOnlyMany", "us-central1-a")],
)
def test_claims_say_who_writes_and_where_pods_may_be(volume: Any, mode: str, zone: str) -> None:
    _, inside = gke(volume)
    [claim] = inside.claims.claims
    assert (claim.access_mode, claim.zone) == (mode, zone)


def test_an_option_takes_the_place_of_what_the_profile_says() -> None:
    options = ["metadata-cache-ttl-secs=60", "file-mode=640", "enable-buffered-read", "only-dir=a/b"]
    _, inside = gke({**DATA, "profile": "training", "mount_options": options})
    (claim,) = (each for each in inside.claims.claims if each.volume == "data")
    assert claim.mount_options == (
        "implicit-dirs",
        "dir-mode=777",
        "metadata-cache:negative-ttl-secs:0",
        "metadata-cache:stat-cache-max-size-mb:-1",
        "read_ahead_kb=1024",
        "metadata-cache:ttl-secs:60",
        "file-mode=640",
        "read:enable-buffered-read:true",
        "only-dir=a/b",
    )


def test_files_of_buckets_are_kept_on_local_ssds_and_never_on_boot_disks() -> None:
    profiles: list[dict[str, Any]] = [{**CKPT, "profile": "checkpoints"}, {**DATA, "profile": "training"}]
    for pools, kept in ((SSDS, {"my-data"}), (PLAIN, set())):
        _, inside = gke(*profiles, pools=pools)
        caching = {c.handle for c in inside.claims.claims if "file-cache:max-size-mb:-1" in c.mount_options}
        assert caching == kept


@pytest.mark.parametrize("kind", ["gke", "vm"])
def test_deleted_objects_can_be_restored_for_seven_days_unless_another_time_is_said(kind: str) -> None:
    nodes: dict[str, Any] = {"nodes": {"machine_type": "a3-highgpu-8g"}, "node_pools": PLAIN}
    for said, seconds in (({}, 604800), ({"soft_delete": "30d"}, 2592000)):
        data = {**BASE, "kind": kind, "storage": {"volumes": [{**CKPT, **said}]}}
        data |= {key: nodes[key] for key in ("nodes" if kind == "vm" else "node_pools",)}
        plan = resolve(msgspec.convert(data, blueprint_type(kind)), Path())[0]
        assert isinstance(plan, GkeClusterPlan | VmPlan)
        [bucket] = plan.buckets
        assert bucket.soft_delete_seconds == seconds


def test_launchers_see_no_disks_and_workers_all() -> None:
    names = ("ckpt", "home", "local", "weights")
    _, inside = gke(CKPT, HOME, LOCAL, WEIGHTS, mounts=[{"volume": name} for name in names])
    run = job(inside)
    assert paths(run.launcher.volumes) == {"/ckpt": False, "/shared": False}
    assert paths(run.workers.volumes) == {
        "/ckpt": False,
        "/shared": False,
        "/local": False,
        "/weights": True,
    }


def test_a_mount_may_have_another_path_and_less_rights_than_its_volume() -> None:
    _, inside = gke(CKPT, mounts=[{"volume": "ckpt", "path": "/out", "access": "read_only"}])
    assert paths(job(inside).workers.volumes) == {"/out": True}


def test_only_pods_with_buckets_get_the_container_that_mounts_them() -> None:
    for mounts, expected in (([{"volume": "home"}], {}), ([{"volume": "ckpt"}], {"gke-gcsfuse/volumes"})):
        annotations = job(gke(CKPT, HOME, mounts=mounts)[1]).workers.volumes.annotations
        assert {each for each in annotations if each.endswith("volumes")} == {*expected}


def test_pods_with_a_parallelstore_get_the_container_of_its_driver() -> None:
    fast = {"name": "fast", "kind": "parallelstore", "mount": "/fast"}
    found, inside = gke(CKPT, fast, mounts=[{"volume": "ckpt"}, {"volume": "fast"}])
    assert found.control_plane is not None
    assert found.control_plane.addons.parallelstore
    assert "parallelstore.googleapis.com" in found.services
    annotations = job(inside).workers.volumes.annotations
    assert {"gke-gcsfuse/volumes", "gke-parallelstore/volumes"} < {*annotations}
    theirs = {"create": False, "instance": "theirs", "access_points": ["10.9.0.2"]}
    found, _ = gke({**fast, **theirs})
    assert "parallelstore.googleapis.com" not in found.services, "it is somebody else's, and only mounted"


def test_users_of_an_image_may_write_to_file_systems_of_root() -> None:
    user = {"user_id": 1234}
    assert job(gke(HOME, mounts=[{"volume": "home"}], job=user)[1]).workers.volumes.group_id == 1234
    assert job(gke(CKPT, mounts=[{"volume": "ckpt"}], job=user)[1]).workers.volumes.group_id == 0
    assert job(gke(HOME, mounts=[{"volume": "home"}])[1]).workers.volumes.group_id == 0, "root needs no group"


def test_a_job_with_buckets_runs_as_an_account_that_may_use_them() -> None:
    cluster, inside = gke(CKPT, DATA, mounts=[{"volume": "ckpt"}])
    assert job(inside).pods.service_account == "volumes"
    [identity] = cluster.identities
    assert (identity.namespace, identity.name) == ("training", "volumes")
    assert {each.bucket: each.role for each in identity.buckets} == {
        "c-ckpt": "roles/storage.objectUser",
        "my-data": "roles/storage.objectViewer",
    }
    assert job(gke(HOME, mounts=[{"volume": "home"}])[1]).pods.service_account == ""


def test_an_account_of_the_users_gets_what_its_jobs_mount_and_keeps_what_it_has() -> None:
    trainer = {"name": "trainer", "namespace": "training", "buckets": [{"name": "other"}]}
    mounts = [{"volume": "ckpt", "access": "read_only"}]
    cluster, inside = gke(
        CKPT, DATA, mounts=mounts, job={"service_account": "trainer"}, workload_identity=[trainer]
    )
    assert job(inside).pods.service_account == "trainer"
    [found] = [each for each in cluster.identities if each.name == "trainer"]
    assert {each.bucket: each.role for each in found.buckets} == {
        "other": "roles/storage.objectUser",
        "c-ckpt": "roles/storage.objectViewer",
    }


def test_another_mount_is_another_run_and_a_volume_alone_is_none() -> None:
    plain = job(gke()[1]).name
    assert job(gke(CKPT)[1]).name == plain
    assert job(gke(CKPT, mounts=[{"volume": "ckpt"}])[1]).name != plain


def group(kind: str, *mounts: dict[str, Any], volumes: Any = (CKPT, HOME, LOCAL), **said: Any) -> Any:
    """A cluster with one JobSet, or one LeaderWorkerSet, and its plan."""
    workload = {"name": "g", "namespace": "research", "image": "a/b:c", "command": ["x"], **said}
    data = {**BASE, "kind": "gke", "node_pools": PLAIN, "storage": {"volumes": list(volumes)}}
    data["workloads"] = {kind: [{**workload, "mounts": list(mounts)}]}
    cluster, inside = resolve(msgspec.convert(data, blueprint_type("gke")), Path())
    assert isinstance(cluster, GkeClusterPlan)
    [plan] = getattr(inside, kind)
    return cluster, inside, plan


@pytest.mark.parametrize("kind", ["jobsets", "leader_worker_sets"])
def test_pods_of_groups_mount_what_they_name(kind: str) -> None:
    mounts = [
        {"volume": "ckpt", "access": "read_only"},
        {"volume": "home", "path": "/h"},
        {"volume": "local"},
    ]
    cluster, inside, plan = group(kind, *mounts, user_id=1234)
    assert paths(plan.pod.volumes) == {"/ckpt": True, "/h": False, "/local": False}
    assert plan.pod.volumes.group_id == 1234
    assert "gke-gcsfuse/volumes" in plan.pod.volumes.annotations
    assert plan.pod.service_account == "volumes"
    assert [(each.namespace, each.name) for each in cluster.identities] == [("research", "volumes")]
    assert {each.namespace for each in inside.claims.claims} == {"research"}


@pytest.mark.parametrize("kind", ["jobsets", "leader_worker_sets"])
def test_groups_without_buckets_need_no_account_and_keep_their_own(kind: str) -> None:
    assert group(kind, {"volume": "home"})[2].pod.service_account == ""
    assert group(kind, {"volume": "ckpt"}, service_account="me")[2].pod.service_account == "me"


def test_another_mount_of_a_jobset_or_another_volume_behind_it_is_another_run() -> None:
    plain = group("jobsets")[2].name
    assert group("jobsets", volumes=())[2].name == plain
    mounted = group("jobsets", {"volume": "ckpt"})[2].name
    moved = group("jobsets", {"volume": "ckpt"}, volumes=({**CKPT, "mount": "/elsewhere"},))[2].name
    assert len({plain, mounted, moved}) == 3


def ray(*volumes: dict[str, Any], **more: Any) -> RayPlan:
    """A Ray cluster with one group of workers."""
    data = {**BASE, "kind": "ray", "node_pools": PLAIN, "storage": {"volumes": list(volumes)}}
    mine = {"workers": [{"name": "cpu", "pool": "cpu", "max": 2, "mounts": more.pop("workers", [])}], **more}
    _, found = resolve(msgspec.convert({**data, "ray": mine}, blueprint_type("ray")), Path())
    assert isinstance(found, RayPlan)
    return found


def test_jobs_and_services_mount_on_top_of_head_and_workers() -> None:
    run = {"name": "j", "entrypoint": "x", "mounts": [{"volume": "ckpt"}, {"volume": "local"}]}
    found = ray(HOME, CKPT, LOCAL, workers=[{"volume": "home"}], jobs=[run])
    [job_plan] = found.jobs
    assert job_plan.head
    assert paths(found.spec.groups[0].pod.volumes) == {"/shared": False}
    assert paths(job_plan.head.volumes) == {"/ckpt": False}
    assert paths(job_plan.groups[0].pod.volumes) == {"/shared": False, "/ckpt": False, "/local": False}
    assert job_plan.groups[0].pod.volumes.group_id == 1000, "Ray's images have a user of their own"


def test_a_job_may_say_once_more_what_workers_mount() -> None:
    again = [{"volume": "home", "path": "/shared/"}]
    run = {"name": "j", "entrypoint": "x", "mounts": again}
    [job_plan] = ray(HOME, workers=[{"volume": "home"}], jobs=[run]).jobs
    assert [each.path for each in job_plan.groups[0].pod.volumes.mounts] == ["/shared"]
    assert job_plan.head
    assert [each.path for each in job_plan.head.volumes.mounts] == ["/shared"]


def test_pods_of_ray_use_buckets_as_their_own_account() -> None:
    data = {**BASE, "kind": "ray", "node_pools": PLAIN, "storage": {"volumes": [CKPT]}}
    workers = [{"name": "cpu", "pool": "cpu", "max": 2, "mounts": [{"volume": "ckpt"}]}]
    cluster, _ = resolve(
        msgspec.convert({**data, "ray": {"workers": workers}}, blueprint_type("ray")), Path()
    )
    assert isinstance(cluster, GkeClusterPlan)
    assert [(each.namespace, each.name) for each in cluster.identities] == [("ray", "ray")]
    assert [each.bucket for each in cluster.identities[0].buckets] == ["c-ckpt"]


@pytest.mark.parametrize("profile", ["training", "serving", "checkpoints"])
def test_reading_names_ahead_has_no_limits_where_it_is_asked_for(profile: str) -> None:
    _, inside = gke({**DATA, "mount": "/data", "profile": profile}, mounts=[{"volume": "data"}])
    [claim] = inside.claims.claims
    annotations = job(inside).workers.volumes.annotations
    limits = {key: value for key, value in annotations.items() if "metadata-prefetch" in key}
    assert bool(limits) == ("gcsfuseMetadataPrefetchOnMount" in claim.attributes)
    assert set(limits.values()) <= {"0"}
    assert len(limits) in {0, 2}
