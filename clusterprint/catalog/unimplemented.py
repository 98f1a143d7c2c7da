"""Arguments that the Terraform provider google has in its schema only."""

from functools import cache

from clusterprint.catalog.fact import Fact, read_table


class Unimplemented(Fact, frozen=True, kw_only=True):
    """An argument that `versions` of the provider accept, but neither send nor read.

    `implemented` is how many of its elements they send; 0 for none. As the others are not in the state, each
    later plan would set them again, which replaces what `replaces` names. `instead` is what to do.
    """

    argument: str
    versions: tuple[str, ...]
    implemented: int
    replaces: str
    instead: str


@cache
def unimplemented() -> dict[str, Unimplemented]:
    """By the type of a part and its field: `NodePool.host_maintenance`."""
    return read_table("google/unimplemented", dict[str, Unimplemented])
