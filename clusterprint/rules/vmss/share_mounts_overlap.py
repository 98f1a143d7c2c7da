from collections.abc import Iterator

from clusterprint.blueprint.azure_storage import AzureStorage
from clusterprint.diagnostic import Severity
from clusterprint.rules._known import known
from clusterprint.rules._mounts import overlaps
from clusterprint.rules.context import Context
from clusterprint.rules.rule import Finding, rule


@rule("AZ061", severity=Severity.ERROR, source="Linux: mount(8)")
def share_mounts_overlap(storage: AzureStorage, context: Context) -> Iterator[Finding]:
    """Two shares are mounted on the same folder, or one inside the other.

    Of two mounts on one folder only the later is seen. A mount inside a share needs a folder in that share,
    and disappears when the outer one is mounted after it.

    Mount the shares side by side, for example on /mnt/a and /mnt/b.
    """
    for share, path, other, how in overlaps(known(storage.shares, lambda share: share.mount)):
        yield Finding(
            f"share {share.name} is mounted on {path}, {how} another share",
            context.at(share, "mount"),
            also=(context.at(other, "mount", text=f"share {other.name}"),),
            help="mount the shares side by side, for example on /mnt/a and /mnt/b",
        )
