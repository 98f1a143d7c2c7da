from clusterprint.blueprint.google import GoogleBlueprint
from clusterprint.rules.kit import Context, Finding, Iterator, Severity, rule


@rule("GCP142", severity=Severity.ERROR, source="Google Cloud: enabling and disabling services", firm=True)
def services_not_enabled(blueprint: GoogleBlueprint, context: Context) -> Iterator[Finding]:
    """More APIs are listed, but none are enabled.

    With `enable_services: false` somebody else enables the APIs of the project, these among them.

    Remove one of the two.
    """
    if blueprint.more_services and not blueprint.enable_services:
        yield Finding(
            "more_services does nothing: enable_services is false",
            context.at_key(blueprint, "more_services"),
            also=(context.at(blueprint, "enable_services", text="no API is enabled"),),
            help="remove one of the two",
        )
