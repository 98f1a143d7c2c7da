from clusterprint.blueprint.azure import AzureBlueprint
from clusterprint.derived import azure_names
from clusterprint.rules import _names
from clusterprint.rules.kit import UNSET, Context, Finding, Iterator, Severity, rule


@rule(
    "AZ001",
    severity=Severity.ERROR,
    source="Azure: naming rules and restrictions for Azure resources",
    firm=True,
)
def azure_name_not_allowed(blueprint: AzureBlueprint, context: Context) -> Iterator[Finding]:
    """A resource would have a name that Azure does not allow.

    Most names come from the name of the cluster, and that of the state object from the state prefix. A wrong
    one is refused only when that resource is created, with half of the cluster already there.

    Change the name of the cluster or of the resource group, or shorten the state prefix.
    """
    group = blueprint.resource_group
    if group is not UNSET and not azure_names.RESOURCE_GROUP.accepts(group):
        yield Finding(
            f"the resource group {group} has a name that ends with a dot",
            context.at(blueprint, "resource_group"),
            help="end it with a letter, a digit or one of -_()",
        )
    yield from _names.not_allowed(azure_names.AZURE[context.blueprint.kind], blueprint, context)
