from clusterprint.blueprint.azure import AzureBlueprint
from clusterprint.rules.kit import Context, Finding, Iterator, Severity, rule

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
