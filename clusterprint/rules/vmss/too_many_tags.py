from clusterprint.blueprint.azure import AzureBlueprint
from clusterprint.rules.kit import Context, Finding, Iterator, Severity, rule

_MOST = 50
# The name of the cluster, and on some resources the key of the head or the time to live.
_OURS = 2


@rule("AZ083", severity=Severity.ERROR, source="Azure: use tags to organize resources", firm=True)
def too_many_tags(blueprint: AzureBlueprint, context: Context) -> Iterator[Finding]:
    """There are more tags and labels than a resource of Azure may have.

    A resource has at most 50 tags. Labels are tags there, and clusterprint adds two of its own.

    Remove some.
    """
    count = len(blueprint.tags) + len(blueprint.labels)
    if count > _MOST - _OURS:
        yield Finding(
            f"there are {count} tags and labels, but only {_MOST - _OURS} can be chosen",
            context.at_key(blueprint, "tags" if blueprint.tags else "labels"),
            help=f"a resource has at most {_MOST} tags, {_OURS} of which are ours",
        )
