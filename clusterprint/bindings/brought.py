"""The packages of bindings that a wheel includes, reduced when it was built (build_hooks/bindings.py).

Complete packages of four providers were 900 of 1,100 MB and most of the installation time; the modules in use
are 20 MB. They lie inside `clusterprint`, where they conflict with no other installation; a separate wheel
would be one more thing to publish and pin, for the same files. A test compares the bytes of every golden with
those from complete packages.
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
