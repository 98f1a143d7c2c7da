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


_MOST = 50
# The name of the cluster, and on some resources the key of the head or the time to live.
_OURS = 2


@rule("AZ083", severity=Severity.ERROR, firm=True)
def too_many_tags(blueprint: AzureBlueprint, context: Context) -> Iterator[Finding]:
    count = len(blueprint.tags) + len(blueprint.labels)
    if count > _MOST - _OURS:
        yield Finding(
            f"there are {count} tags and labels, but only {_MOST - _OURS} can be chosen",
            context.at_key(blueprint, "tags" if blueprint.tags else "labels"),
            help=f"a resource has at most {_MOST} tags, {_OURS} of which are ours",
        )
