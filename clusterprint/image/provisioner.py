"""Inputs of the image of the slice provisioner: its sources, which come with clusterprint."""

import hashlib
import json
from functools import cache

from clusterprint import assets
from clusterprint.blueprint.google import GoogleBlueprint
from clusterprint.derived.provisioner import IMAGE
from clusterprint.image import inputs

# The folder of its sources.
_SOURCES = "provisioner"
_BESIDE = ("Dockerfile", "requirements.txt", "manager")
_PACKAGE = "clusterprint_provisioner"
# What a package is made of; an installation lays compiled files beside them.
_OF_PACKAGE = ("*.py", "*.json", "py.typed")


def image_name(blueprint: GoogleBlueprint) -> str:
    """The name of the image in the cluster's own registry, without a tag."""
    return inputs.image_name(blueprint, IMAGE)


@cache
def sources() -> dict[str, str]:
    """The files of the build by their paths, the same wherever clusterprint is installed."""
    folder = assets.folder(_SOURCES)
    found = [folder / name for name in _BESIDE]
    found += [file for pattern in _OF_PACKAGE for file in (folder / _PACKAGE).glob(pattern)]
    return {file.relative_to(folder).as_posix(): file.read_text("utf-8") for file in sorted(found)}


@cache
def checksum() -> str:
    """A checksum of the sources."""
    return hashlib.sha256(json.dumps(sources(), sort_keys=True).encode()).hexdigest()
