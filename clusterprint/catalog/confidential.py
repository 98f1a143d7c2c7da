"""Which machines encrypt their memory, and how."""

from functools import cache

from clusterprint.catalog.fact import Fact, read_table


class Confidential(Fact, frozen=True, kw_only=True):
    """A technology that encrypts memory; `machines` is how the names of types that have it begin."""

    machines: tuple[str, ...]


@cache
def _technologies() -> dict[str, Confidential]:
    return read_table("google/confidential", dict[str, Confidential])


def confidential_machines(technology: str) -> tuple[str, ...]:
    """How the names of machine types begin that have a technology."""
    return _technologies()[technology].machines
