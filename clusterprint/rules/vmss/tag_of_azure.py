from clusterprint.blueprint.azure import AzureBlueprint
from clusterprint.rules.kit import Context, Finding, Iterator, Severity, rule

_RESERVED = ("azure", "microsoft", "windows")


@rule("AZ082", severity=Severity.ERROR, source="Azure: naming rules for tags", firm=True)
def tag_of_azure(blueprint: AzureBlueprint, context: Context) -> Iterator[Finding]:
    """A tag has a name that Azure reserves.

    Names that begin with `azure`, `microsoft` or `windows` are Azure's own; it refuses them from others, when
    the first resource is created.

    Give the tag another name.
    """
    for tag in blueprint.tags:
        first = next((each for each in _RESERVED if tag.lower().startswith(each)), "")
        if first:
            yield Finding(
                f"the tag {tag} begins with {first}, which Azure reserves",
                context.at_key(blueprint, "tags", tag),
                help="give it another name",
            )
