"""The ranges that a blueprint on Google Cloud writes down, with the places that they stand at."""

from collections.abc import Iterator
from typing import Any, NamedTuple

from msgspec import UNSET

from clusterprint.blueprint.broken import BROKEN
from clusterprint.blueprint.google import GoogleBlueprint
from clusterprint.diagnostic import Label
from clusterprint.rules._known import known, values
from clusterprint.rules.context import Context

_FIELDS = ("cidr", "node_cidr", "pod_cidr", "service_cidr", "gpu_cidr")


class Written(NamedTuple):
    """A range, as it was written."""

    field: str
    text: str
    place: Label


def own_ranges(blueprint: GoogleBlueprint, context: Context) -> Iterator[Written]:
    """The ranges that a network has for itself, without those that were reported already."""
    network = _of_kind(blueprint).network
    for field in network.__struct_fields__:
        if field in _FIELDS:
            value = getattr(network, field)
            if value is not UNSET and value is not BROKEN:
                yield Written(field, value, context.at(network, field))


def allows_public(blueprint: GoogleBlueprint) -> bool:
    """Whether public addresses are used privately, on purpose."""
    allowed: bool = _of_kind(blueprint).network.allow_public_cidr
    return allowed


def ranges_let_in(blueprint: GoogleBlueprint, context: Context) -> Iterator[Written]:
    """The ranges that may reach something: nodes by SSH, or the control plane."""
    whole = _of_kind(blueprint)
    network = whole.network
    if "ssh_source_ranges" in network.__struct_fields__:
        for index, cidr in values(network, "ssh_source_ranges"):
            yield Written("ssh_source_ranges", cidr, context.at(network, "ssh_source_ranges", index))
    if "cluster" in whole.__struct_fields__:
        for each, cidr in known(whole.cluster.authorized_networks, lambda each: each.cidr):
            yield Written("authorized_networks", cidr, context.at(each, "cidr"))


def _of_kind(blueprint: GoogleBlueprint) -> Any:
    """The blueprint as what it is: every kind has a network, of a type of its own."""
    return blueprint
