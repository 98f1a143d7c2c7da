"""Releases of the system of images, by their names, and whether their Slurm suits."""

import re

Release = tuple[str, str]

# Releases by the name of an image, and the oldest whose Slurm lets nodes register themselves (22.05).
_RELEASE = re.compile(r"(ubuntu|debian)[-a-z]*?-?(\d{4}|\d{1,2})(?!\d)")
_OLDEST = {"ubuntu": "2404", "debian": "12"}


def release(name: str) -> Release | None:
    """The system and its release, as far as the name of an image tells."""
    match = _RELEASE.search(name)
    return (match[1], match[2]) if match else None


def is_too_old(found: Release) -> bool:
    """Whether nodes of a release cannot register themselves."""
    system, version = found
    return int(version) < int(_OLDEST[system])


def of_urn(name: str) -> Release | None:
    """The release of a marketplace image of Azure: `Canonical:ubuntu-24_04-lts:server:latest`."""
    return release(name.lower().replace("_", "").replace(":", "-"))
