"""Scripts that Terraform runs where it applies: they look at what was made, and change nothing."""

from pathlib import Path

#: The script that waits until a group has its nodes.
WAIT_FOR_NODES = "wait-for-nodes"


def wait_for_nodes() -> str:
    """The text of that script."""
    return (Path(__file__).parent / WAIT_FOR_NODES).read_text("utf-8")
