from clusterprint.blueprint.content import LocalFiles
from clusterprint.rules import _paths
from clusterprint.rules.kit import Context, Finding, Iterator, Severity, rule


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
