from clusterprint.blueprint.azure import AzureBlueprint
from clusterprint.derived import azure_names
from clusterprint.rules import _names
from clusterprint.rules.kit import UNSET, Context, Finding, Iterator, Severity, rule


@rule("AZ001", severity=Severity.ERROR, firm=True)
def azure_name_not_allowed(blueprint: AzureBlueprint, context: Context) -> Iterator[Finding]:
    group = blueprint.resource_group
    if group is not UNSET and not azure_names.RESOURCE_GROUP.accepts(group):
        yield Finding(
            f"the resource group {group} has a name that ends with a dot",
            context.at(blueprint, "resource_group"),
            help="end it with a letter, a digit or one of -_()",
        )
    yield from _names.not_allowed(azure_names.AZURE[context.blueprint.kind], blueprint, context)
