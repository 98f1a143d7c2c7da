from collections.abc import Iterator

from clusterprint.blueprint.gke.mpi import MpiJob
from clusterprint.diagnostic import Severity
from clusterprint.rules import _paths
from clusterprint.rules.context import Context
from clusterprint.rules.rule import Finding, rule

_MOST_BYTES = 1 << 20


@rule("GKE106", severity=Severity.ERROR, source="Kubernetes: ConfigMaps", firm=True)
def mpi_files_too_large(job: MpiJob, context: Context) -> Iterator[Finding]:
    """The files of an MPI job are larger than 1 MiB together.

    They are carried in a ConfigMap, which holds at most 1 MiB.

    Put larger files into the image, or into a bucket.
    """
    size = sum(entry.size for copy in job.files for _, entry in _paths.copied(copy, context))
    if size > _MOST_BYTES:
        yield Finding(
            f"the files of MPI job {job.name} have {size:,} bytes together, and a ConfigMap holds "
            f"{_MOST_BYTES:,}",
            context.at_key(job, "files"),
            help="put large files into the image, or into a bucket",
        )
