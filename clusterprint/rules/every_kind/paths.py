from msgspec import UNSET

from clusterprint.blueprint.content import FileCopy, LocalFiles, TextFile
from clusterprint.rules import _paths
from clusterprint.rules.kit import Context, Finding, Iterator, Severity, did_you_mean, given, rule


@rule("BP210", severity=Severity.ERROR, firm=True)
def path_outside_folder(part: LocalFiles | TextFile, context: Context) -> Iterator[Finding]:
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


@rule("BP211", severity=Severity.ERROR, firm=True)
def path_missing(part: LocalFiles | TextFile, context: Context) -> Iterator[Finding]:
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


@rule("BP212", severity=Severity.ERROR, firm=True)
def path_of_wrong_sort(part: LocalFiles | TextFile, context: Context) -> Iterator[Finding]:
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


@rule("BP213", severity=Severity.WARNING)
def folder_empty(part: LocalFiles, context: Context) -> Iterator[Finding]:
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


@rule("BP214", severity=Severity.WARNING)
def copy_too_large(part: FileCopy, context: Context) -> Iterator[Finding]:
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
