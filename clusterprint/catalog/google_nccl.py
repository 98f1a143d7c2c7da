"""Expected speed of NCCL between GPUs of Google Cloud's machine types."""

from functools import cache

from clusterprint.catalog.fact import Fact, read_table


class GoogleNccl(Fact, frozen=True, kw_only=True):
    """Bus bandwidths of a large all-reduce, in GB/s: below them a node, or the network, is broken.

    0 where nothing is known.
    """

    single_node_gb_per_s: int
    multi_node_gb_per_s: int


@cache
def _table() -> dict[str, GoogleNccl]:
    return read_table("google/nccl", dict[str, GoogleNccl])


def google_nccl(machine_type: str) -> GoogleNccl | None:
    """Find what is known of a machine type, such as `a4-highgpu-8g`."""
    return _table().get(machine_type)
