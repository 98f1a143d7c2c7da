"""Settings and expected speed of NCCL and RCCL on Azure's sizes."""

from functools import cache

from clusterprint.catalog.fact import Fact, read_table


class Nccl(Fact, frozen=True, kw_only=True):
    """Settings of collective communication on one size.

    `environment` is for every process. The bandwidths are bus bandwidths of a large all-reduce, in GB/s,
    below which a node, or the network between nodes, has a problem; 0 where nothing is known.
    """

    environment: dict[str, str]
    single_node_gb_per_s: float
    multi_node_gb_per_s: float


@cache
def _table() -> dict[str, Nccl]:
    return read_table("azure/nccl", dict[str, Nccl])


def nccl(size: str) -> Nccl | None:
    """Find the settings for a size, such as `Standard_ND96isr_H200_v5`."""
    return _table().get(size)
