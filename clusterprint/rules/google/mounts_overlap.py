from collections.abc import Iterator

from clusterprint.blueprint.storage import Storage
from clusterprint.diagnostic import Severity
from clusterprint.rules import _mounts
from clusterprint.rules.context import Context
from clusterprint.rules.rule import Finding, rule


@rule("GCP065", severity=Severity.ERROR, source="Linux: mount(8)")
def mounts_overlap(storage: Storage, context: Context) -> Iterator[Finding]:
    """Two buckets are mounted on the same folder, or one inside the other.

    Of two mounts on one folder only the later is seen. A mount inside a bucket needs a folder in that
    bucket, and disappears when the outer one is mounted after it.

    Mount the buckets side by side, for example on /mnt/a and /mnt/b.
    """
    yield from _mounts.overlapping("bucket", storage.buckets, context)
