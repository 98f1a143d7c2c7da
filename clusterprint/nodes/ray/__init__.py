"""Programs for Ray pods, carried there unchanged."""

from importlib import resources


def nccl_test_program() -> str:
    """The test of the network between GPUs, as the text of a Python program."""
    return (resources.files(__name__) / "nccl_test.py").read_text("utf-8")
