from clusterprint.blueprint.content import FileCopy
from clusterprint.blueprint.gke.mpi_job import MpiJob
from clusterprint.rules import _paths
from clusterprint.rules.gke._jobs import Job
from clusterprint.rules.kit import Context, Finding, Iterator, Severity, rule


@rule("GKE107", severity=Severity.ERROR, source="Kubernetes: volumes, subPath", firm=True)
def job_files_collide(job: Job, context: Context) -> Iterator[Finding]:
    """Two files of a job land in the same place, or one lands among the SSH keys of an MPI job.

    Only one file can be mounted at a path. The folder `.ssh` of an MPI job's user is mounted by the
    operator, with the keys that launcher and workers connect with.

    Give each file a place of its own.
    """
    home = _home(job) if isinstance(job, MpiJob) else ""
    landed: dict[str, FileCopy] = {}
    for copy in job.files:
        for path, entry in _paths.copied(copy, context):
            before = landed.setdefault(path, copy)
            if before is not copy:
                yield Finding(
                    f"{_paths.shown(entry.name)} is copied to {_paths.shown(path)}, and so is another file",
                    context.at(copy, "destination"),
                    also=(context.at(before, "destination", text="the other one"),),
                    help="give it another destination",
                )
            elif home and (path == f"{home}/.ssh" or path.startswith(f"{home}/.ssh/")):
                yield Finding(
                    f"{_paths.shown(entry.name)} is copied into {home}/.ssh, where the job's own keys are",
                    context.at(copy, "destination"),
                    help="give it another destination",
                )


def _home(job: MpiJob) -> str:
    return "/root" if job.ssh_user == "root" else f"/home/{job.ssh_user}"
