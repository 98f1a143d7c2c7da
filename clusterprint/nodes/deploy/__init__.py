"""Scripts that Terraform runs where it applies.

Those that wait look at what was made, and change nothing; the others do what no provider can: build an
image, fill a Managed Lustre, of any kind of cluster on Google Cloud, and keep the data of volumes.
"""

from pathlib import Path

#: The script that waits until a group has its nodes.
WAIT_FOR_NODES = "wait-for-nodes"

#: The script that waits until nodes say that they are ready.
WAIT_UNTIL_READY = "wait-until-ready"

#: The script that builds an image for nodes.
BUILD_IMAGE = "build-image"

#: The script that has objects of a bucket imported into a Managed Lustre.
FILL_LUSTRE = "fill-lustre"

#: The script that keeps a volume whose entry has left the blueprint.
KEEP_DATA = "keep-data"

#: All of them.
SCRIPTS = (BUILD_IMAGE, FILL_LUSTRE, KEEP_DATA, WAIT_FOR_NODES, WAIT_UNTIL_READY)


def script(name: str) -> str:
    """The text of one of them."""
    return (Path(__file__).parent / name).read_text("utf-8")
