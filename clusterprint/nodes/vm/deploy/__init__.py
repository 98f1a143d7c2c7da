"""Scripts that Terraform runs where it applies.

Those that wait look at what was made, and change nothing; the one that builds images makes what no
provider can.
"""

from pathlib import Path

#: The script that waits until a group has its nodes.
WAIT_FOR_NODES = "wait-for-nodes"

#: The script that waits until nodes say that they are ready.
WAIT_UNTIL_READY = "wait-until-ready"

#: The script that builds an image for nodes.
BUILD_IMAGE = "build-image"

#: All of them.
SCRIPTS = (BUILD_IMAGE, WAIT_FOR_NODES, WAIT_UNTIL_READY)


def script(name: str) -> str:
    """The text of one of them."""
    return (Path(__file__).parent / name).read_text("utf-8")
