"""The inputs of a node image of kind vm: its name and its build follow from them.

No provider can build an image, so a script beside the stack (`nodes/deploy/build-image`) does, on a temporary
machine without permissions that runs the nodes' own steps. The image is no resource: it outlives its
successor and the cluster. Our scripts are no part of its name, because nodes run their own version and skip
the steps that are done.
"""

import base64
import hashlib
import json
import os
from collections.abc import Iterator
from pathlib import Path

from msgspec import UNSET

from clusterprint.blueprint.vm import VmBlueprint
from clusterprint.blueprint.vm_image import NodeImageBuild
from clusterprint.blueprint.vm_nodes import VmNodes
from clusterprint.derived import image_builds
from clusterprint.derived.texts import text_of
from clusterprint.files import checked as checked_files
from clusterprint.files.tree import landing
from clusterprint.nodes.vm.image import repositories
from clusterprint.plan.vm_image import ImageFilePlan, ImageSettings

# How much of the checksum is part of the name.
_DIGITS = 12
# Another number is another image for everybody: when what is installed unsaid has changed in kind.
_RECIPE = 1


def image_settings(
    blueprint: VmBlueprint, group: VmNodes, build: NodeImageBuild, folder: Path
) -> ImageSettings:
    """The settings of the machine that becomes the image; files are read from the blueprint's folder."""
    script = "" if build.script is UNSET else text_of(build.script, folder)
    return ImageSettings(
        settings=image_builds.settings(blueprint, group, build, script),
        packages=image_builds.packages(blueprint, group, build),
        files=tuple(sorted(_files(build, folder), key=lambda each: each.path)),
    )


def _files(build: NodeImageBuild, folder: Path) -> Iterator[ImageFilePlan]:
    for copy in build.files:
        for place, file in landing(folder / copy.source, copy.landing, folder):
            content = checked_files.content_of(file, folder)
            yield ImageFilePlan(
                path=place,
                mode="0755" if os.access(file, os.X_OK) else "0644",
                content=base64.b64encode(content).decode("ascii"),
            )


def checksum(group: VmNodes, build: NodeImageBuild, wanted: ImageSettings, kms_key: str) -> str:
    """Of all that somebody has decided about an image: the same for the same, on every machine.

    Our own scripts are no part of it: a node runs those of its time anyway, and finds done what is done. So
    another version of clusterprint alone is no other image, unless it pins other packages.
    """
    settings = wanted.settings
    installed = {
        "docker": settings.docker and (settings.gpus > 0 or "without GPUs"),
        "mpi": settings.mpi,
        "notebook": settings.notebook_port > 0,
        "driver": settings.driver,
        "dcgm": settings.dcgm,
        "nccl-tests": settings.nccl_tests,
    }
    made_from = {
        "recipe": _RECIPE,
        "edition": "" if build.edition is UNSET else build.edition,
        "base": image_builds.base(group),
        "disk": image_builds.disk_size_gb(group, build),
        "installed": {name: what for name, what in installed.items() if what},
        "packages": [each.text for each in repositories(wanted)],
        "script": settings.startup_script,
        "files": [[each.path, each.mode, each.content] for each in wanted.files],
    } | ({"kms_key": kms_key} if kms_key else {})
    return hashlib.sha256(json.dumps(made_from, sort_keys=True).encode()).hexdigest()[:_DIGITS]
