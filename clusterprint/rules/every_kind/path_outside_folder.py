from clusterprint.blueprint.content import LocalFiles, TextFile
from clusterprint.rules import _paths
from clusterprint.rules.kit import Context, Finding, Iterator, Severity, rule


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
