from collections.abc import Iterator

from clusterprint.blueprint.google import GoogleBlueprint
from clusterprint.blueprint.part import Part
from clusterprint.derived import google_provider
from clusterprint.diagnostic import Severity
from clusterprint.rules.context import Context
from clusterprint.rules.rule import Finding, rule


@rule(
    "GCP160",
    severity=Severity.ERROR,
    source="hashicorp/terraform-provider-google 6.30 to 7.45, schemas compared",
    firm=True,
)
def field_beyond_provider(part: Part, context: Context[GoogleBlueprint]) -> Iterator[Finding]:
    """A field needs a newer Terraform provider than the one that the blueprint is pinned to.

    What the provider has no argument for cannot be built, and nothing is silently left out.

    Remove `terraform.google_provider`, or the field.
    """
    terraform = context.blueprint.terraform
    if not google_provider.is_old(terraform):
        return
    for field in google_provider.newer_fields(part):
        yield Finding(
            f"{field} needs a newer Terraform provider than google {terraform.google_provider}",
            context.at_key(part, field),
            also=(context.at(terraform, "google_provider", text="the pinned provider"),),
            help=f"remove terraform.google_provider, or {field}",
        )
