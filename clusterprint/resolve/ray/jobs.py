"""Jobs of Ray: the name of a run changes with the job's definition."""

import json
import shlex
from pathlib import Path

import msgspec
from msgspec import UNSET

from clusterprint.blueprint.ray.blueprint import RayBlueprint
from clusterprint.blueprint.ray.jobs import NCCL_TEST, NcclTest, RayJob, RuntimeEnvironment
from clusterprint.derived import durations, ray_workers
from clusterprint.derived.run_names import checksummed, run_name
from clusterprint.derived.texts import text_of
from clusterprint.nodes.ray import nccl_test_program
from clusterprint.plan.ray.ray import (
    ProgramsPlan,
    RayClusterSpecPlan,
    RayJobPlan,
    RayServicePlan,
    WorkerGroupPlan,
)
from clusterprint.resolve.ray.pods import groups_with, head_with

# Where the head finds programs of ours.
PROGRAMS = "/opt/clusterprint"

# Time for the test itself, after its workers have come.
_TEST_SECONDS = 1800


def resolve_jobs(blueprint: RayBlueprint, spec: RayClusterSpecPlan) -> tuple[RayJobPlan, ...]:
    """All jobs, the test of the network first."""
    ray = blueprint.ray
    test = () if ray.nccl_test is UNSET else (_nccl_job(ray.nccl_test, spec.groups, blueprint),)
    return (*test, *(_job(each, spec, blueprint) for each in ray.jobs))


def resolve_services(
    blueprint: RayBlueprint, spec: RayClusterSpecPlan, folder: Path
) -> tuple[RayServicePlan, ...]:
    """All services."""
    return tuple(
        RayServicePlan(
            name=each.name,
            config=text_of(each.config, folder),
            head=head_with(spec.head, each.mounts, blueprint),
            groups=groups_with(
                _bounded(spec.groups, ray_workers.of_service(each, blueprint.ray)), each.mounts, blueprint
            ),
        )
        for each in blueprint.ray.services
    )


def resolve_programs(blueprint: RayBlueprint) -> ProgramsPlan | None:
    """Programs of ours that jobs run."""
    if blueprint.ray.nccl_test is UNSET:
        return None
    files = {"nccl_test.py": nccl_test_program()}
    return ProgramsPlan(name=checksummed("programs", files), files=files)


def _bounded(
    groups: tuple[WorkerGroupPlan, ...], bounds: dict[str, ray_workers.Bounds]
) -> tuple[WorkerGroupPlan, ...]:
    return tuple(
        msgspec.structs.replace(each, min=bounds[each.name].min, max=bounds[each.name].max) for each in groups
    )


def _job(job: RayJob, spec: RayClusterSpecPlan, blueprint: RayBlueprint) -> RayJobPlan:
    own = job.cluster == "own"
    groups = _bounded(spec.groups, ray_workers.of_job(job, blueprint.ray)) if own else ()
    return RayJobPlan(
        name=job.name,
        run=run_name(job.name, job),
        entrypoint=job.entrypoint,
        runtime_env=_runtime_env(job.runtime_env),
        head=head_with(spec.head, job.mounts, blueprint) if own else None,
        groups=groups_with(groups, job.mounts, blueprint),
        shutdown=own and (job.shutdown_after_finish is UNSET or job.shutdown_after_finish),
        keep_seconds=durations.seconds(job.keep_for),
        limit_seconds=0 if job.time_limit is UNSET else durations.seconds(job.time_limit),
        retries=job.retries,
    )


def _nccl_job(test: NcclTest, groups: tuple[WorkerGroupPlan, ...], blueprint: RayBlueprint) -> RayJobPlan:
    group = tested_group(test, groups)
    wait = durations.seconds(test.wait)
    arguments = {
        "nodes": test.nodes,
        "gpus-per-node": group.pod.gpus,
        "size-gb": test.size_gb,
        "iterations": test.iterations,
        "min-bandwidth": 0 if test.min_bandwidth is UNSET else test.min_bandwidth,
        "wait": wait,
    }
    options = [f"--{key}={value}" for key, value in arguments.items()]
    entrypoint = shlex.join(["python", f"{PROGRAMS}/nccl_test.py", *options])
    return RayJobPlan(
        name=NCCL_TEST,
        run=checksummed(NCCL_TEST, [entrypoint, nccl_test_program(), blueprint.ray.version]),
        entrypoint=entrypoint,
        runtime_env="",
        # On the blueprint's own cluster: another one would want as many nodes once more.
        head=None,
        groups=(),
        shutdown=False,
        keep_seconds=0,
        limit_seconds=wait + _TEST_SECONDS,
        retries=0,
    )


def tested_group(test: NcclTest, groups: tuple[WorkerGroupPlan, ...]) -> WorkerGroupPlan:
    """The group whose network is measured: the named one, or the first with GPUs."""
    return next(
        each for each in groups if each.name == test.worker or (test.worker is UNSET and each.pod.gpus)
    )


def _runtime_env(environment: RuntimeEnvironment) -> str:
    """Ray's own words; JSON is YAML, and the same every time."""
    found = {
        "working_dir": "" if environment.working_dir is UNSET else environment.working_dir,
        "pip": list(environment.pip),
        "env_vars": environment.env_vars,
    }
    written = {key: value for key, value in found.items() if value}
    return json.dumps(written, sort_keys=True) if written else ""
