"""Where the files that come with clusterprint are: in a checkout, or inside an installed wheel.

`schema/`, `stacks/`, `blueprints/` and `provisioner/` are folders at the top of the repository. They are too
general as names for a user's site-packages, so the wheel carries them inside the package, in `_assets`.
"""

from pathlib import Path

_PACKAGE = Path(__file__).resolve().parent


def folder(name: str) -> Path:
    """The folder `name`: `schema`, `stacks`, `blueprints` or `provisioner`."""
    installed = _PACKAGE / "_assets" / name
    return installed if installed.is_dir() else _PACKAGE.parent / name
