"""Scripts that Terraform runs where it applies: they look at what was made, and change nothing."""

from pathlib import Path

#: The script that waits until a group has its nodes.
WAIT_FOR_NODES = "wait-for-nodes"

#: The script that waits until nodes say that they are ready.
WAIT_UNTIL_READY = "wait-until-ready"

#: All of them.
SCRIPTS = (WAIT_FOR_NODES, WAIT_UNTIL_READY)


def script(name: str) -> str:
    """The text of one of them."""
    return (Path(__file__).parent / name).read_text("utf-8")
