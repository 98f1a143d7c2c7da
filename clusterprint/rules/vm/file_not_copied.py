from collections.abc import Iterator

from msgspec import UNSET

from clusterprint.blueprint.content import FileCopy
from clusterprint.blueprint.vm import VmBlueprint
from clusterprint.derived import names
from clusterprint.diagnostic import Severity
from clusterprint.rules import _paths
from clusterprint.rules.context import Context
from clusterprint.rules.rule import Finding, rule


@rule("VM071", severity=Severity.ERROR, source="clusterprint: what is set up on nodes", firm=True)
def file_not_copied(part: FileCopy, context: Context) -> Iterator[Finding]:
    """A file has a `destination`, but nothing copies files to the nodes of `kind: vm` yet.

    Files are uploaded to the cluster's folder of the state bucket, which the nodes may read. Nothing more
    is set up on them than the start-up script does, so nothing would be at the destination.

    Remove `destination`, and copy the files in the start-up script.
    """
    if not isinstance(context.blueprint, VmBlueprint) or part.destination is UNSET:
        return
    named = _paths.named(part, context)
    kept = FileCopy(source=part.source).landing.strip("/")
    backend = context.blueprint.backend.gcs
    prefix = names.default_state_prefix(context.blueprint.name) if backend.prefix is UNSET else backend.prefix
    uploaded = f"gs://{backend.bucket}/{names.file_object(prefix, kept)}"
    is_folder = named is not None and named.sort is _paths.Sort.FOLDER
    copy = "gcloud storage rsync --recursive" if is_folder else "gcloud storage cp"
    yield Finding(
        f"nothing would be at {part.destination}: nothing copies files to nodes of kind vm yet",
        context.at(part, "destination"),
        help="remove destination: the nodes can read what is uploaded; copy it in startup_script:"
        f" {copy} {uploaded.rstrip('/')} {part.destination}",
    )
