from clusterprint.blueprint.content import LocalFiles, TextFile
from clusterprint.rules import _paths
from clusterprint.rules.kit import Context, Finding, Iterator, Severity, rule


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
