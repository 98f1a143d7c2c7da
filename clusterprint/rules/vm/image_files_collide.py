from clusterprint.blueprint.vm import VmBlueprint
from clusterprint.blueprint.vm_image import ImageFile, NodeImageBuild
from clusterprint.rules import _paths
from clusterprint.rules.kit import Context, Finding, Iterator, Severity, known, rule


@rule("VM195", severity=Severity.ERROR, source="The blueprint language: files", firm=True)
def image_files_collide(build: NodeImageBuild, context: Context[VmBlueprint]) -> Iterator[Finding]:
    """Files of an image have the same destination, or a name that cannot be used.

    One of two would silently win. The list of files has one line for each, with a tab in it: a name with a
    line break or a tab would be taken for something else.

    Change one destination, or rename the file.
    """
    landed: dict[str, ImageFile] = {}
    for part, _ in known(build.files, lambda part: (part.source, part.landing)):
        for landing, entry in _paths.copied(part, context):
            if not landing.isprintable():
                yield Finding(
                    f"{_paths.shown(entry.name)} has a character in its name that cannot be printed",
                    context.at(part, "source"),
                    help="rename the file",
                )
                break
            before = landed.setdefault(landing, part)
            if before is not part:
                yield Finding(
                    f"two entries put something at {_paths.shown(landing)}",
                    context.at(part, "destination"),
                    also=(context.at(before, "destination", text="the other one"),),
                    help="remove one of them, or give it another destination",
                )
                break
