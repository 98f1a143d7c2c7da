from msgspec import UNSET

from clusterprint.blueprint.content import LocalFiles, TextFile
from clusterprint.rules import _paths
from clusterprint.rules.kit import Context, Finding, Iterator, Severity, did_you_mean, given, rule


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
