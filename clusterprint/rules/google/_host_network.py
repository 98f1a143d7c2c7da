"""A network of a host project, shared with the project that the cluster is in."""

from msgspec import UNSET

from clusterprint.blueprint.gke.kubernetes import KubernetesBlueprint
from clusterprint.blueprint.gke.network import ExistingClusterNetwork
from clusterprint.blueprint.google import GoogleBlueprint
from clusterprint.blueprint.vm import VmBlueprint
from clusterprint.blueprint.vm_network import ExistingNetwork


def host_network(blueprint: GoogleBlueprint) -> ExistingNetwork | ExistingClusterNetwork | None:
    """The network of a cluster, if it is of another project than the cluster; None for any other."""
    if not isinstance(blueprint, KubernetesBlueprint | VmBlueprint):
        return None
    network = blueprint.network.existing
    if network is UNSET or network.project is UNSET or network.project == blueprint.project:
        return None
    return network
