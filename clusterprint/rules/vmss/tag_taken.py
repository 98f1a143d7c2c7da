from clusterprint.blueprint.azure import AzureBlueprint
from clusterprint.derived import names
from clusterprint.diagnostic import Label
from clusterprint.plan.vmss_nodes import HEAD_KEY_TAG, TIME_TO_LIVE_TAG
from clusterprint.rules.kit import Context, Finding, Iterator, Severity, rule

_OURS = (names.CLUSTER_LABEL, HEAD_KEY_TAG, TIME_TO_LIVE_TAG)


@rule("AZ081", severity=Severity.ERROR, firm=True)
def tag_taken(blueprint: AzureBlueprint, context: Context) -> Iterator[Finding]:
    taken = {each.lower(): each for each in blueprint.labels}
    seen: dict[str, Label] = {
        key: context.at_key(blueprint, "labels", label, text="a label, which is a tag")
        for key, label in taken.items()
    }
    for tag in blueprint.tags:
        key = tag.lower()
        here = context.at_key(blueprint, "tags", tag)
        if key in _OURS:
            yield Finding(f"the tag {tag} is set by clusterprint itself", here, help="give it another name")
        elif key in seen:
            yield Finding(
                f"the tag {tag} is listed twice",
                here,
                also=(seen[key],),
                help="remove one: on Azure labels are tags, and capital letters do not matter",
            )
        else:
            seen[key] = context.at_key(blueprint, "tags", tag, text="the first one")
