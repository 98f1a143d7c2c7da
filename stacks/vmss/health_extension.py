"""The extension that asks each node how it is."""

from typing import TypedDict

from clusterprint.plan.vmss import HealthEndpointPlan
from stacks.literal_plan import as_json


class HealthExtension(TypedDict):
    """Arguments of an extension that uniform and flexible sets share."""

    name: str
    publisher: str
    type: str
    type_handler_version: str
    settings: str


def health_extension(plan: HealthEndpointPlan) -> HealthExtension:
    """Azure's application health extension, asking over HTTP on the node itself.

    Its settings are compact JSON, as the provider azurerm writes it into the state. The extensions of a
    flexible scale set are a set: with other spaces, each plan would replace one extension by another.
    """
    settings = {"port": plan.port, "protocol": "http", "requestPath": plan.path}
    return HealthExtension(
        name="health",
        publisher="Microsoft.ManagedServices",
        type="ApplicationHealthLinux",
        type_handler_version="1.0",
        settings=as_json(settings, sort_keys=True, separators=(",", ":")),
    )
