"""A network of a host project, shared with the project that the cluster is in."""

from msgspec import UNSET

from clusterprint.blueprint.google import NetworkedBlueprint
from clusterprint.blueprint.networks import ExistingGoogleNetwork


def host_network(blueprint: NetworkedBlueprint) -> ExistingGoogleNetwork | None:
    """The network of a cluster, if it is of another project than the cluster; None for any other."""
    network = blueprint.network.existing
    if network is UNSET or network.project is UNSET or network.project == blueprint.project:
        return None
    return network
