from clusterprint.blueprint.google import GoogleBlueprint
from clusterprint.rules.kit import Context, Finding, Iterator, Severity, rule

LIMIT = 64

# `clusterprint`, and `goog-terraform-provisioned`, which the provider adds.
ADDED = 2


@rule("GCP051", severity=Severity.ERROR)
def too_many_labels(blueprint: GoogleBlueprint, context: Context) -> Iterator[Finding]:
    if len(blueprint.labels) > LIMIT - ADDED:
        yield Finding(
            f"there are {len(blueprint.labels)} labels, but only {LIMIT - ADDED} can be chosen",
            context.at_key(blueprint, "labels"),
            help=f"remove {len(blueprint.labels) - LIMIT + ADDED} of them",
        )
