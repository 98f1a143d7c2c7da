"""The folder that an image is built from: its files, read once more and held against what they were."""

import hashlib
import os
import stat
from collections.abc import Iterator
from pathlib import Path

from clusterprint.blueprint.gke.image_build import BuildContext
from clusterprint.files import checked as checked_files
from clusterprint.files import dockerignore, tree
from clusterprint.plan.builds import ContextFilePlan

_ANYBODY = stat.S_IXUSR | stat.S_IXGRP | stat.S_IXOTH


def files_of(context: BuildContext, folder: Path) -> Iterator[tree.Entry]:
    """The files of a build context in the order of the names. `folder` is the blueprint's."""
    top = folder / context.source
    entries = dockerignore.kept(top, folder, context.ignores)
    return (each for each in entries if each.sort is tree.Sort.FILE)


def resolve_context(context: BuildContext, folder: Path) -> tuple[ContextFilePlan, ...]:
    """The files with their checksums. Raises EnvironmentFailure for one that cannot be read any more."""
    return tuple(
        ContextFilePlan(
            name=each.name,
            source=os.path.relpath(each.path, folder),
            sha256=hashlib.sha256(checked_files.content_of(each.path, folder)).hexdigest(),
            executable=bool(each.path.stat().st_mode & _ANYBODY),
        )
        for each in files_of(context, folder)
    )
