from collections.abc import Iterator

from msgspec import UNSET

from clusterprint.blueprint.vm import VmBlueprint
from clusterprint.diagnostic import Severity
from clusterprint.rules import _metadata
from clusterprint.rules.context import Context
from clusterprint.rules.rule import Finding, rule


@rule("VM088", severity=Severity.ERROR, source=_metadata.SOURCE, firm=True)
def setup_too_large(blueprint: VmBlueprint, context: Context) -> Iterator[Finding]:
    """What sets up the nodes is larger than 256 KiB, because there are so many buckets to mount.

    The scripts that set up a node travel as one value of its metadata, and with them a line for each bucket.
    Compute Engine refuses machines with larger values.

    Mount fewer buckets, or one bucket with several folders in it.
    """
    size = max((_metadata.setup_size(blueprint, group) for group in _metadata.set_up(blueprint)), default=0)
    if size > _metadata.LARGEST_VALUE:
        mounts = sum(bucket.mount is not UNSET for bucket in blueprint.storage.buckets)
        yield Finding(
            f"the scripts that set up the nodes and their {mounts:,} mounts take more than the"
            f" {_metadata.LARGEST_VALUE:,} bytes that are allowed",
            context.at_key(blueprint.storage, "buckets"),
            help="mount fewer buckets, or one bucket with several folders in it",
        )
