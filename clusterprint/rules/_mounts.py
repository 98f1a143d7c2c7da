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
    # What is mounted on a folder, and the first one that is mounted anywhere below it.
    on: dict[PurePosixPath, Bucket | Share] = {}
    below: dict[PurePosixPath, Bucket | Share] = {}
    for item, mount in known(items, lambda each: each.mount):
        if mount is UNSET:
            continue
        path = PurePosixPath(mount)
        around = next((on[parent] for parent in path.parents if parent in on), below.get(path))
        if other := on.get(path, around):
            how = "the same folder as" if path in on else "inside, or around, the mount of"
            yield Finding(
                f"{kind} {item.name} is mounted on {path}, {how} another {kind}",
                context.at(item, "mount"),
                also=(context.at(other, "mount", text=f"{kind} {other.name}"),),
                help=f"mount the {kind}s side by side, for example on /mnt/a and /mnt/b",
            )
        on.setdefault(path, item)
        for parent in path.parents:
            below.setdefault(parent, item)
