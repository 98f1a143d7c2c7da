"""Files that are imported into a file system which is there already, and perhaps in use."""

from collections.abc import Iterator

from clusterprint.review import file_imports, ideas
from clusterprint.review.compared import ComparedCluster
from clusterprint.review.delta import Delta
from clusterprint.review.model import Risk
from clusterprint.review.risks._make import About

_HELP = (
    "all other files stay, also those of an earlier import; let no job use files of these names meanwhile, "
    "or import into a new volume"
)


def imports(scene: ComparedCluster) -> Iterator[Risk]:
    """Each import that an apply runs, unless nobody can have written to its file system."""
    if scene.machines_after and not scene.machines_before:
        return  # they wait for the import, also where an earlier apply came no further than the file system
    about = About(scene)
    new = {each.resource.address for each in scene.deltas if each.action in ("added", "replaced")}
    for delta in scene.deltas:
        source = file_imports.source(delta.resource)
        target = file_imports.target(delta.resource, scene.resources_after) if source else None
        if target is None or target.address in new or not _is_another(delta):
            continue
        message = (
            f"{source} is imported into {ideas.title(target)}, which exists: files in it that have the same "
            "name and differ are overwritten"
        )
        yield about.risk("files_overwritten", "medium", message, [delta], _HELP, hint="import_from")


def _is_another(delta: Delta) -> bool:
    """Whether an import begins that is not the one before, tried again."""
    if delta.action == "replaced" and delta.before and delta.after:
        return file_imports.triggers(delta.before) != file_imports.triggers(delta.after)
    return delta.action == "added"
