from pathlib import PurePosixPath

from clusterprint.blueprint.content import FileCopy
from clusterprint.blueprint.vm import VmBlueprint
from clusterprint.derived import vm_runs
from clusterprint.rules import _paths
from clusterprint.rules.kit import Context, Finding, Iterator, Severity, known, rule


@rule("VM050", severity=Severity.ERROR, source="The blueprint language: files", firm=True)
def files_collide(blueprint: VmBlueprint, context: Context) -> Iterator[Finding]:
    """Two entries of `files` put something at the same path on the nodes.

    One of the two would silently win; where one is a file and the other needs a folder of that name, the
    copy fails.

    Change one destination. (Several folders may share a destination while their files differ.)
    """
    landed: dict[PurePosixPath, FileCopy] = {}
    folders: dict[PurePosixPath, FileCopy] = {}
    for part, (_, there) in known(vm_runs.files(blueprint), lambda part: (part.source, part.landing)):
        paths = [PurePosixPath(landing) for landing, _ in _paths.copied(part, context)]
        around = {folder for path in paths for folder in path.parents}
        for path in paths:
            other = landed.get(path) or folders.get(path)
            if other is None:
                other = next((landed[folder] for folder in path.parents if folder in landed), None)
            if other is not None:
                yield Finding(
                    f"two entries put something at {_paths.shown(str(path))}",
                    context.at(part, "destination"),
                    also=(context.at(other, "destination", text="the other one"),),
                    help=f"remove one of them, or copy it elsewhere than to {there or 'the top'}",
                )
                break
        landed.update(dict.fromkeys(paths, part))
        folders.update(dict.fromkeys(around, part))
