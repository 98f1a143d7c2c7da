from collections.abc import Iterator

from msgspec import UNSET

from clusterprint.blueprint.storage import Bucket
from clusterprint.blueprint.vm import VmBlueprint
from clusterprint.diagnostic import Severity
from clusterprint.rules.context import Context
from clusterprint.rules.rule import Finding, rule


@rule("VM070", severity=Severity.ERROR, source="clusterprint: what is set up on nodes", firm=True)
def bucket_not_mounted(bucket: Bucket, context: Context) -> Iterator[Finding]:
    """A bucket has a `mount`, but nothing mounts buckets on the nodes of `kind: vm` yet.

    The nodes have the right to use the bucket, and nothing more is set up on them than the start-up script
    does. A key that does nothing would be found out by the first job that misses its data.

    Remove `mount`, and mount the bucket in the start-up script with Cloud Storage FUSE, which has to be in
    the image or installed first.
    """
    if isinstance(context.blueprint, VmBlueprint) and bucket.mount is not UNSET:
        read_only = " -o ro" if bucket.access == "read_only" else ""
        yield Finding(
            f"bucket {bucket.name} would not be mounted: nothing sets up mounts on nodes of kind vm yet",
            context.at(bucket, "mount"),
            help="remove mount, and mount it in startup_script:"
            f" gcsfuse --implicit-dirs{read_only} {bucket.name} {bucket.mount}",
        )
