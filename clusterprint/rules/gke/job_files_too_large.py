import json

from clusterprint.blueprint.gke.pod_groups import RunOfPods
from clusterprint.rules import _paths
from clusterprint.rules.gke._jobs import Job
from clusterprint.rules.kit import Context, Finding, Iterator, Severity, rule

_MOST_BYTES = 1 << 20
# etcd takes no request of more than 1.5 MiB; the rest of it is for what else a job says, and for what the API
# server notes of each field.
_MOST_MOUNTS = 1 << 20


@rule(
    "GKE106",
    severity=Severity.ERROR,
    source="Kubernetes: ConfigMaps; etcd: System limits (request size limit)",
    firm=True,
)
def job_files_too_large(job: Job, context: Context) -> Iterator[Finding]:
    """The files of a job are larger than 1 MiB together, or there are thousands of them.

    They are carried in a ConfigMap, which holds at most 1 MiB. Each is a mount of its own in every kind
    of pod, and the job is one object: the cluster's store takes none of more than 1.5 MiB.

    Put larger files into the image, or into a bucket. Pack many small ones into an archive, and unpack it in
    the job's command.
    """
    files = [each for copy in job.files for each in _paths.copied(copy, context)]
    size = sum(entry.size for _, entry in files)
    # JobSets and TrainJobs have pods of one kind, the others of two.
    mounts = (1 if isinstance(job, RunOfPods) else 2) * sum(_mount(destination) for destination, _ in files)
    if size > _MOST_BYTES:
        yield Finding(
            f"the files of {job.noun} {job.name} are {size:,} bytes in all, but a ConfigMap holds "
            f"{_MOST_BYTES:,}",
            context.at_key(job, "files"),
            help="put large files into the image or into a bucket",
        )
    elif mounts > _MOST_MOUNTS:
        yield Finding(
            f"the mounts of the {len(files):,} files of {job.name} take {mounts:,} bytes of its object, "
            f"and there is room for {_MOST_MOUNTS:,}: etcd takes no object of more than 1.5 MiB",
            context.at_key(job, "files"),
            help="pack them into an archive that the job's command unpacks, or put them into the image",
        )


def _mount(destination: str) -> int:
    """How much the mount of a file takes, in bytes."""
    key = destination.rpartition("/")[2]
    mount = {"name": "files", "mountPath": destination, "subPath": key, "readOnly": True}
    return len(json.dumps(mount, separators=(",", ":"))) + 1
