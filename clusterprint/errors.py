"""Failures that are not the blueprint's fault.

    ClusterprintError      exit code 3
    ├── UsageError         exit code 2: the command was called in a way that cannot work
    ├── EnvironmentFailure exit code 3: something on this machine is missing or broken
    └── InternalError      exit code 3: a mistake in clusterprint

Mistakes in a blueprint are never exceptions: they are diagnostics, and exit code 1. What a signal ends has
128 and its number.
"""

#: What the simulated cloud is installed by.
SIMULATION = ("./simcloud", "'.[simulate]'")


def from_checkout(*what: str) -> str:
    """How parts of clusterprint are installed: from a checkout, as no package index has them yet."""
    return f"in a checkout of clusterprint: pip install {' '.join(what)}"


class ClusterprintError(Exception):
    """Base of all; the message is written for the user and says what to do."""

    exit_code = 3


class UsageError(ClusterprintError):
    """The command was called in a way that cannot work."""

    exit_code = 2


class EnvironmentFailure(ClusterprintError):  # noqa: N818 - EnvironmentError is taken, by Python
    """Something on this machine is missing or broken: a tool, a permission, a disk."""


class InternalError(ClusterprintError):
    """A mistake in clusterprint itself."""
