from clusterprint.blueprint.google import GoogleBlueprint
from clusterprint.rules.kit import Context, Finding, Iterator, Severity, rule

LIMIT = 64

# `clusterprint`, and `goog-terraform-provisioned`, which the provider adds.
ADDED = 2


@rule("GCP051", severity=Severity.ERROR, source="Google Cloud: requirements for labels")
def too_many_labels(blueprint: GoogleBlueprint, context: Context) -> Iterator[Finding]:
    """There are more labels than a resource can have.

    A resource has at most 64 labels. Two are already taken: `clusterprint`, by which the resources of a
    cluster are found, and the one by which the Terraform provider marks what it made.

    Remove labels until 62 are left.
    """
    if len(blueprint.labels) > LIMIT - ADDED:
        yield Finding(
            f"there are {len(blueprint.labels)} labels, but only {LIMIT - ADDED} can be chosen",
            context.at_key(blueprint, "labels"),
            help=f"remove {len(blueprint.labels) - LIMIT + ADDED} of them",
        )
