"""Connections of machines."""

from collections.abc import Sequence
from typing import NamedTuple

from cdktf import TerraformResource


class Wiring(NamedTuple):
    """Ids that machines refer to (empty: none), and resources that must exist before the first one boots."""

    subnet_id: str
    interface_group: str
    proximity_group: str
    pool_id: str
    after: Sequence[TerraformResource]

    @property
    def pool_ids(self) -> list[str] | None:
        """The pools of the load balancer that nodes join."""
        return [self.pool_id] if self.pool_id else None
