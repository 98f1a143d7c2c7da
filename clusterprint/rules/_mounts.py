"""What rules about folders that are mounted on machines share."""

from collections.abc import Iterable, Iterator
from pathlib import PurePosixPath

from msgspec import UNSET

from clusterprint.blueprint.azure_storage import Share
from clusterprint.blueprint.storage import Bucket
from clusterprint.rules._known import known
from clusterprint.rules.context import Context
from clusterprint.rules.rule import Finding


def overlapping(kind: str, items: Iterable[Bucket | Share], context: Context) -> Iterator[Finding]:
    """Each of the `kind` (bucket, share) that hides another one, or is hidden by it."""
    mounted: list[tuple[Bucket | Share, PurePosixPath]] = []
    for item, mount in known(items, lambda each: each.mount):
        if mount is UNSET:
            continue
        path = PurePosixPath(mount)
        for other, taken in mounted:
            if path == taken or path in taken.parents or taken in path.parents:
                how = "the same folder as" if path == taken else "inside, or around, the mount of"
                yield Finding(
                    f"{kind} {item.name} is mounted on {path}, {how} another {kind}",
                    context.at(item, "mount"),
                    also=(context.at(other, "mount", text=f"{kind} {other.name}"),),
                    help=f"mount the {kind}s side by side, for example on /mnt/a and /mnt/b",
                )
                break
        mounted.append((item, path))
