"""Location, resource group and tags that all Azure resources share."""

from typing import NamedTuple, TypedDict

from cdktf_cdktf_provider_azurerm.resource_group import ResourceGroup
from constructs import Construct

from clusterprint.plan.azure import ResourceGroupPlan


class Common(TypedDict):
    """Arguments that almost every resource takes."""

    resource_group_name: str
    location: str
    tags: dict[str, str]


class Place(NamedTuple):
    """A resource group by name, a region, tags, and the id of the resource group."""

    group: str
    group_id: str
    location: str
    tags: dict[str, str]

    @property
    def common(self) -> Common:
        """The arguments of a resource that is made here."""
        return Common(resource_group_name=self.group, location=self.location, tags=self.tags)


def make_place(
    scope: Construct, plan: ResourceGroupPlan, *, subscription: str, location: str, tags: dict[str, str]
) -> Place:
    """The cluster's place; its resource group is created or exists."""
    if not plan.create:
        group_id = f"/subscriptions/{subscription}/resourceGroups/{plan.name}"
        return Place(plan.name, group_id, location, tags)
    group = ResourceGroup(scope, "resource_group", name=plan.name, location=location, tags=tags)
    return Place(group.name, group.id, location, tags)
