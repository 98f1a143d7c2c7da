from msgspec import UNSET

from clusterprint.blueprint.content import FileCopy, LocalFiles, TextFile
from clusterprint.rules import _paths
from clusterprint.rules.kit import Context, Finding, Iterator, Severity, did_you_mean, given, rule


@rule("BP210", severity=Severity.ERROR, source="The blueprint language: paths", firm=True)
def path_outside_folder(part: LocalFiles | TextFile, context: Context) -> Iterator[Finding]:
    """A path leads out of the blueprint's folder, through `..` or a link.

    The blueprint's folder contains everything that the cluster is built from, so that a review sees all of
    it and every machine builds the same. Nothing else is ever read.

    Move or copy the file into the folder of the blueprint.
    """
    named = _paths.named(part, context)
    if named is None:
        return
    place = context.at(part, named.field)
    if named.sort is _paths.Sort.OUTSIDE:
        help_text = "put the file beside the blueprint"
        how = "" if ".." in named.text.split("/") else " (through a link)"
        yield Finding(f"{named.shown} leads out of the blueprint's folder{how}", place, help=help_text)
    elif named.sort is _paths.Sort.FOLDER:
        links = _paths.of_sort(named, context, _paths.Sort.OUTSIDE)
        if links:
            message = f"in {named.shown}, a link leads out of the blueprint's folder: {_paths.listed(links)}"
            yield Finding(message, place, help="put a copy of the file in place of the link")


@rule("BP211", severity=Severity.ERROR, source="The blueprint language: paths", firm=True)
def path_missing(part: LocalFiles | TextFile, context: Context) -> Iterator[Finding]:
    """A file or folder does not exist, or cannot be read.

    Paths are relative to the folder of the blueprint, not to the current folder of the command. Nothing can
    be built without the file.

    Correct the path, add the file, or make it readable.
    """
    named = _paths.named(part, context)
    if named is None:
        return
    place = context.at(part, named.field)
    if named.sort is _paths.Sort.MISSING:
        meant = _paths.meant(named.text, context)
        fetched = given(getattr(part, "url", UNSET))
        relative = "paths are relative to the blueprint's own folder"
        help_text = "fetch it: clusterprint vendor" if fetched else did_you_mean(meant) or relative
        yield Finding(f"{named.shown} does not exist", place, help=help_text)
    elif named.sort is _paths.Sort.UNREADABLE:
        yield Finding(f"{named.shown} cannot be read", place, help="check its permissions")
    elif named.sort is _paths.Sort.FOLDER:
        broken = _paths.of_sort(named, context, _paths.Sort.MISSING, _paths.Sort.UNREADABLE)
        if broken:
            message = f"in {named.shown}, this cannot be read: {_paths.listed(broken)}"
            yield Finding(message, place, help="check permissions and the targets of links")


@rule("BP212", severity=Severity.ERROR, source="The blueprint language: paths", firm=True)
def path_of_wrong_sort(part: LocalFiles | TextFile, context: Context) -> Iterator[Finding]:
    """A path names something that cannot be copied: a folder as a script, a pipe, a link to a folder.

    A script, or another text, is one file. A copied folder may hold files and folders; pipes, sockets and
    devices have no content of their own, and a link to a folder would copy it twice or forever.

    Name a file, or put the files themselves into the folder.
    """
    named = _paths.named(part, context)
    if named is None:
        return
    place = context.at(part, named.field)
    if named.sort is _paths.Sort.SPECIAL:
        yield Finding(f"{named.shown} is neither a file nor a folder", place, help="name a regular file")
    elif named.sort is not _paths.Sort.FOLDER:
        return
    elif isinstance(part, TextFile):
        yield Finding(f"{named.shown} is a folder, not a {part.noun}", place, help="name a file in it")
    else:
        odd = _paths.of_sort(named, context, _paths.Sort.SPECIAL, _paths.Sort.FOLDER_LINK)
        if odd:
            message = f"in {named.shown}, this {odd[0].sort.value}: {_paths.listed(odd)}"
            yield Finding(message, place, help="put the files themselves there, or remove it")


@rule("BP213", severity=Severity.WARNING, source="clusterprint: how files reach the nodes")
def folder_empty(part: LocalFiles, context: Context) -> Iterator[Finding]:
    """A folder that is copied to the nodes holds no files.

    Folders are copied file by file, so an empty folder does not appear on the nodes at all. Often the files
    exist but are not checked in.

    Add the files, or remove the entry.
    """
    named = _paths.named(part, context)
    if named is None or named.sort is not _paths.Sort.FOLDER:
        return
    entries = list(_paths.below(named, context))
    if all(entry.path.name in _paths.PLACEHOLDERS for entry in entries):
        what = f"nothing but {entries[0].name}" if entries else "no files"
        yield Finding(
            f"{named.shown} holds {what}",
            context.at(part, named.field),
            help="add the files, or remove this entry",
        )


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
