"""A release that adds a field or changes a default runs nobody's job again."""

from typing import Any

import msgspec
import pytest
from msgspec import UNSET, UnsetType

from clusterprint.blueprint.gke.mounts import VolumeMount
from clusterprint.blueprint.gke.mpi_job import MpiJob
from clusterprint.blueprint.gke.pod_groups import JobSet
from clusterprint.blueprint.part import Part
from clusterprint.blueprint.ray.jobs import RayJob
from clusterprint.blueprint.vm_bootstrap import MpiRun, NcclBenchmark
from clusterprint.derived.run_names import run_name
from clusterprint.plan.claims import PodMountPlan, PodVolumePlan, PodVolumesPlan
from clusterprint.resolve.gke.pod_volumes import seen

MPI = {"name": "hpl", "image": "hpl:1", "workers": 3, "files": [{"source": "./a", "destination": "/a"}]}
JOBSET = {"name": "train", "image": "train:1", "command": ["python"], "mounts": [{"volume": "data"}]}
RAY = {"name": "train", "entrypoint": "python train.py", "runtime_env": {"pip": ["torch"]}}


def with_fields(kind: type[Part]) -> type[Part]:
    """The type as a later release might have it: with fields of each sort that may be left out."""
    made = msgspec.defstruct(
        kind.__name__,
        [("added", int, 3), ("added_unset", str | UnsetType, UNSET), ("added_list", list[str], [])],
        bases=(kind,),
        frozen=True,
        kw_only=True,
        forbid_unknown_fields=True,
    )
    assert issubclass(made, kind)
    return made


@pytest.mark.parametrize(
    ("kind", "job"),
    [
        (MpiJob, MPI),
        (MpiJob, MPI | {"mounts": [{"volume": "data"}]}),
        (JobSet, JOBSET),
        (RayJob, RAY),
        (MpiRun, {"name": "hpl", "command": ["./hpl"]}),
        (NcclBenchmark, {}),
        (VolumeMount, {"volume": "data"}),
    ],
)
def test_a_further_field_is_no_other_run(kind: type[Part], job: dict[str, Any]) -> None:
    now, later = (msgspec.convert(job, each) for each in (kind, with_fields(kind)))
    assert run_name("job", now) == run_name("job", later)
    said = msgspec.convert({**job, "added": 4}, with_fields(kind))
    assert run_name("job", said) != run_name("job", now)


def test_a_further_field_of_a_part_is_no_other_run() -> None:
    job = msgspec.convert(RAY, RayJob)
    environment = msgspec.convert(RAY["runtime_env"], with_fields(type(job.runtime_env)))
    later = msgspec.structs.replace(job, runtime_env=environment)
    assert run_name("job", later) == run_name("job", job)


def test_a_default_that_is_written_out_is_no_other_run() -> None:
    written = msgspec.convert({**RAY, "retries": 0}, RayJob)
    assert run_name("job", written) == run_name("job", msgspec.convert(RAY, RayJob))


@pytest.mark.parametrize("more", [{"entrypoint": "python other.py"}, {"runtime_env": {"pip": ["jax"]}}])
def test_whatever_is_said_otherwise_is_another_run(more: dict[str, Any]) -> None:
    other = msgspec.convert({**RAY, **more}, RayJob)
    assert run_name("job", other) != run_name("job", msgspec.convert(RAY, RayJob))


def mounted(**more: Any) -> PodVolumesPlan:
    volume = PodVolumePlan(key="data", claim="data", read_only=False, storage_class="", size="")
    return PodVolumesPlan(
        volumes=(volume,), mounts=(PodMountPlan(key="data", path="/data", read_only=False),), **more
    )


def test_how_drivers_are_told_of_a_mount_is_no_other_run() -> None:
    assert seen(mounted()) == seen(mounted(annotations={"driver/memory": "1Gi"}, group_id=1))


def test_another_volume_behind_a_mount_is_another_run() -> None:
    other = PodVolumePlan(key="data", claim="other", read_only=False, storage_class="", size="")
    assert seen(mounted()) != seen(msgspec.structs.replace(mounted(), volumes=(other,)))
