from clusterprint.blueprint.content import FileCopy
from clusterprint.blueprint.vm import VmBlueprint
from clusterprint.rules import _paths
from clusterprint.rules.kit import UNSET, Context, Finding, Iterator, Severity, rule


@rule("VM087", severity=Severity.ERROR, source="clusterprint: what is set up on nodes", firm=True)
def file_name_not_printable(part: FileCopy, context: Context[VmBlueprint]) -> Iterator[Finding]:
    """A file that is copied to the nodes has a character in its name that cannot be printed.

    The list of files that nodes read has one line for each, with tabs between its parts: a name with a line
    break or a tab in it would be taken for something else, and nobody sees what else is in it.

    Rename the file.
    """
    if part.destination is UNSET:
        return
    for landing, entry in _paths.copied(part, context):
        if not landing.isprintable():
            yield Finding(
                f"{_paths.shown(entry.name)} has a character in its name that cannot be printed",
                context.at(part, "source"),
                help="rename the file",
            )
            return
