"""The packages of bindings that a wheel brings, cut when it was built (build_hooks/bindings.py).

They lie inside of `clusterprint`, so complete packages may be installed beside them, of whatever version.
"""

import os

from clusterprint import assets

# There is none in a checkout.
FOLDER = assets.folder("bindings")


def are_unwanted() -> bool:
    """Whether the user asks for complete bindings."""
    return os.environ.get("CLUSTERPRINT_BINDINGS") == "full"


def has(package: str) -> bool:
    """Whether this package of bindings is among them, and wanted."""
    return "." not in package and not are_unwanted() and (FOLDER / package).is_dir()
