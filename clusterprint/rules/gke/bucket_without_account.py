from clusterprint.blueprint.gke.blueprint import GkeBlueprint
from clusterprint.blueprint.gke.mpi_job import MpiJob
from clusterprint.blueprint.gke.pod_groups import PodGroup
from clusterprint.derived import volume_mounts
from clusterprint.derived.volume_mounts import Workload
from clusterprint.rules._groups import also, and_more, by_cause
from clusterprint.rules.kit import UNSET, Context, Finding, Iterator, Severity, given, known, rule

_EVERYBODY = "default"


@rule("GKE206", severity=Severity.ERROR, firm=True)
def bucket_without_account(blueprint: GkeBlueprint, context: Context[GkeBlueprint]) -> Iterator[Finding]:
    accounts = [
        names for _, names in known(blueprint.workload_identity, lambda each: (each.namespace, each.name))
    ]
    if len(accounts) < len(blueprint.workload_identity):
        return  # one of them cannot be read
    jobs = known(volume_mounts.workloads(blueprint), lambda each: (each.namespace, _account(each)))
    unlisted = [job for job, account in jobs if account[1] != _EVERYBODY and account not in accounts]
    mounts = known(unlisted, lambda each: next(volume_mounts.mounted(each.mounts, blueprint, "bucket"), None))
    mounting = [(job, mount) for job, mount in mounts if mount is not None]
    for (job, (mount, volume)), *rest in by_cause(
        mounting, lambda each: (each[0].namespace, _account(each[0]))
    ):
        yield Finding(
            f"{and_more(job.noun, len(rest))} {'mount' if rest else 'mounts'} bucket {volume.name} as "
            f"{_account(job)}, which is not listed",
            context.at(job.part, "service_account"),
            also=(
                context.at(mount, "volume", text="this volume is a bucket"),
                *also([context.at(each.part, "service_account", text="and here") for each, _ in rest]),
            ),
            help=f"add {{name: {_account(job)}, namespace: {job.namespace}}} to workload_identity, or "
            "remove service_account",
        )


def _account(job: Workload) -> str:
    """The account that a job names; one of this name is in every namespace."""
    named = job.part.service_account if isinstance(job.part, MpiJob | PodGroup) else UNSET
    return named if given(named) else _EVERYBODY
