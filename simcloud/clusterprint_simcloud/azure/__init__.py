"""Azure, simulated: one module per family of resources."""

from clusterprint_simcloud.azure import group, identity, lustre, machines, network, storage, traffic
from clusterprint_simcloud.azure.refusal import WORDS
from clusterprint_simcloud.cloud.behaviour import Provider

_RESOURCES = (
    *group.RESOURCES,
    *network.RESOURCES,
    *traffic.RESOURCES,
    *identity.RESOURCES,
    *storage.RESOURCES,
    *lustre.RESOURCES,
    *machines.RESOURCES,
)

PROVIDER = Provider(
    "azurerm",
    {kind.name: kind for kind in _RESOURCES},
    {},
    WORDS,
    admitted=[group.admit],
    value=group.value,
)
