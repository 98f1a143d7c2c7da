from clusterprint.blueprint.content import FileCopy
from clusterprint.rules import _paths
from clusterprint.rules.kit import Context, Finding, Iterator, Severity, rule

MOST_FILES = 200
MOST_BYTES = 1 << 30


@rule("BP214", severity=Severity.WARNING, source="clusterprint: how files reach the nodes")
def copy_too_large(part: FileCopy, context: Context) -> Iterator[Finding]:
    """A folder with too many or too large files is copied to each node.

    Each file becomes a resource in the plan and in the state, and every node downloads it at start.
    Hundreds of files, or gigabytes of data, make all of this slow.

    Pack the files into an archive, put large data into a bucket under `storage`, or put software into
    the image.
    """
    named = _paths.named(part, context)
    if named is None or named.sort not in (_paths.Sort.FILE, _paths.Sort.FOLDER):
        return
    sizes = [entry.size for _, entry in _paths.copied(part, context)]
    place = context.at(part, named.field)
    if len(sizes) > MOST_FILES:
        message = f"{named.shown} holds more than {MOST_FILES} files, and each becomes a resource in the plan"
        yield Finding(message, place, help="pack them into an archive, or use a bucket under storage")
    elif sum(sizes) > MOST_BYTES:
        message = f"{named.shown} holds {sum(sizes) / MOST_BYTES:.1f} GiB, copied to each node"
        yield Finding(message, place, help="put large data into a bucket under storage")
