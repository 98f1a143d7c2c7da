"""The ranges that a blueprint on Google Cloud writes down, with the places that they stand at."""

from typing import NamedTuple

from clusterprint.blueprint.broken import BROKEN
from clusterprint.blueprint.networks import GoogleNetwork
from clusterprint.diagnostic import Label
from clusterprint.rules.kit import UNSET, Context, Iterator

_FIELDS = ("cidr", "node_cidr", "pod_cidr", "service_cidr", "gpu_cidr")


class Written(NamedTuple):
    """A range, as it was written."""

    field: str
    text: str
    place: Label


def own_ranges(network: GoogleNetwork, context: Context) -> Iterator[Written]:
    """The ranges that a network has for itself, without those that were reported already."""
    for field in network.__struct_fields__:
        if field in _FIELDS:
            value = getattr(network, field)
            if value is not UNSET and value is not BROKEN:
                yield Written(field, value, context.at(network, field))
