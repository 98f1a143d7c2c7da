from clusterprint.blueprint.azure import AzureBlueprint
from clusterprint.rules.kit import UNSET, Context, Finding, Iterator, Severity, rule


@rule("AZ042", severity=Severity.ERROR, source="The blueprint language: create_resource_group", firm=True)
def existing_group_not_named(blueprint: AzureBlueprint, context: Context) -> Iterator[Finding]:
    """The resource group exists already, but its name is not given.

    Only a group that the cluster creates has a default name.

    Name the group, or remove `create_resource_group: false`.
    """
    if not blueprint.create_resource_group and blueprint.resource_group is UNSET:
        yield Finding(
            "the resource group exists already, but it is not named",
            context.at_key(blueprint, "create_resource_group"),
            help="add resource_group: NAME, or remove create_resource_group: false",
        )
