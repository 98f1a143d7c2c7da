"""The options of Cloud Storage FUSE that a volume asks for, one by one."""

from typing import NamedTuple


class Given(NamedTuple):
    """An option as a blueprint writes it; without a value, that is empty."""

    name: str
    value: str


def read(text: str) -> Given:
    """The value of a mount option of a blueprint."""
    name, _, value = text.partition("=")
    return Given(name, value)
