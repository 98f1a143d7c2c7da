"""File system and bucket throughput of a machine, for `clusterprint machines`."""

import math
from collections.abc import Iterator

_MB_OF_A_TB = 1_000_000


def storage_facts(machine_type: str) -> Iterator[tuple[str, str]]:
    """A line about it with its title, where it is known."""
    from clusterprint import catalog

    mbps = catalog.client_mbps(machine_type)
    if mbps:
        seconds = math.ceil(_MB_OF_A_TB / mbps)
        yield "storage", f"at most {mbps:,} MB/s from file systems and buckets: 1 TB in {seconds:,} seconds"
