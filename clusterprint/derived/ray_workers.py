"""Worker counts of the Ray clusters of a blueprint: its own, and those of jobs and services."""

from collections.abc import Iterator
from typing import NamedTuple

from msgspec import UNSET

from clusterprint.blueprint.ray.jobs import RayJob, RayService, WorkerBounds
from clusterprint.blueprint.ray.ray import Ray, Worker


class Bounds(NamedTuple):
    """The fewest and the most workers of a group."""

    min: int
    max: int


class Wanted(NamedTuple):
    """The fewest workers of a Ray cluster by group, of the blueprint itself if `part` is None."""

    part: RayJob | RayService | None
    workers: dict[str, int]


def of_service(service: RayService, ray: Ray) -> dict[str, Bounds]:
    """Worker counts of a Ray service per group, with the service's overrides applied."""
    return {each.name: _bounds(each, service.workers, each.min) for each in ray.workers}


def of_job(job: RayJob, ray: Ray) -> dict[str, Bounds]:
    """Worker counts of a Ray job's own cluster per group: only what the job sets."""
    return {each.name: _bounds(each, job.workers, 0) for each in ray.workers}


def wanted(ray: Ray, tested: str) -> Iterator[Wanted]:
    """The fewest workers of each Ray cluster; `tested` is the group whose network is measured, or empty.

    The test waits for workers of the blueprint's own cluster, as if they were its minimum.
    """
    least = {each.name: each.min for each in ray.workers}
    if tested and ray.nccl_test is not UNSET:
        least[tested] = max(least[tested], ray.nccl_test.nodes)
    yield Wanted(None, least)
    for job in ray.jobs:
        if job.cluster == "own":
            yield Wanted(job, {name: each.min for name, each in of_job(job, ray).items()})
    for service in ray.services:
        yield Wanted(service, {name: each.min for name, each in of_service(service, ray).items()})


def _bounds(group: Worker, said: tuple[WorkerBounds, ...], least: int) -> Bounds:
    for each in said:
        if each.name == group.name:
            return Bounds(
                min=least if each.min is UNSET else each.min, max=group.max if each.max is UNSET else each.max
            )
    return Bounds(least, group.max)
