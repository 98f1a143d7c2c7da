"""The manifests of a blueprint that may have errors, as far as they are written as they should be."""

from collections.abc import Iterator
from typing import Any

import msgspec

from clusterprint.blueprint.gke.components import Manifest

#: Larger files fit into no release.
MOST_BYTES = 1 << 20


def manifests_in(data: Any) -> Iterator[Manifest]:
    """All of them, by the data of a blueprint."""
    workloads = data.get("workloads") if isinstance(data, dict) else None
    manifests = workloads.get("manifests") if isinstance(workloads, dict) else None
    for each in manifests if isinstance(manifests, list) else ():
        try:
            yield msgspec.convert(each, Manifest)
        except (msgspec.ValidationError, TypeError):
            continue
