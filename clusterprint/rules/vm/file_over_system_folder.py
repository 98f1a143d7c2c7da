from clusterprint.blueprint.content import FileCopy
from clusterprint.rules import _folders
from clusterprint.rules.kit import UNSET, Context, Finding, Iterator, Severity, rule


@rule("VM052", severity=Severity.ERROR, source=_folders.SOURCE)
def file_over_system_folder(part: FileCopy, context: Context) -> Iterator[Finding]:
    """A file or folder is copied over a folder of the operating system, or to where no files can be kept.

    A folder's content would be mixed with the system's own files, and may replace some of them; below
    /proc, /sys, /dev and /run nothing is kept.

    Choose a folder of your own, such as /opt/my-files or /usr/local/etc.
    """
    if part.destination is UNSET:
        return
    place = context.at(part, "destination")
    if _folders.is_system_folder(part.destination):
        yield Finding(
            f"{part.destination} is a folder of the operating system",
            place,
            help=f"choose a folder in it, for example {part.destination.rstrip('/')}/cluster",
        )
    elif _folders.is_virtual(part.destination):
        yield Finding(f"nothing can be kept in {part.destination}", place, help="for example /opt/my-files")
