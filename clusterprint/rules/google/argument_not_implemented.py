from clusterprint import catalog
from clusterprint.blueprint.google import GoogleBlueprint
from clusterprint.blueprint.part import Part
from clusterprint.derived import google_provider
from clusterprint.rules.kit import Context, Finding, Iterator, Severity, given, rule


@rule("GCP162", severity=Severity.ERROR, firm=True)
def argument_not_implemented(part: Part, context: Context[GoogleBlueprint]) -> Iterator[Finding]:
    terraform = context.blueprint.terraform
    version = terraform.google_provider
    for name, row in catalog.unimplemented().items():
        kind, _, field = name.partition(".")
        if type(part).__name__ != kind or google_provider.facts_of(terraform) not in row.versions:
            continue
        value = getattr(part, field)
        count = len(value) if isinstance(value, tuple) else int(given(value))
        if count > row.implemented:
            ignored = f"all {field} but the first" if row.implemented else field
            yield Finding(
                f"the Terraform provider google {version} does not send {ignored}: "
                f"each later plan would replace {row.replaces}",
                context.at_key(part, field),
                help=row.instead,
            )
