from clusterprint.blueprint.google import GoogleBlueprint
from clusterprint.rules.kit import Context, Finding, Iterator, Severity, rule

PREFIX = "goog-"

# Partners of Google are asked to set this one themselves.
_ALLOWED = "goog-partner-solution"


@rule("GCP052", severity=Severity.ERROR, source="Google Cloud: requirements for labels")
def reserved_label_key(blueprint: GoogleBlueprint, context: Context) -> Iterator[Finding]:
    """A label has a key that is reserved for Google.

    Keys that begin with `goog-` belong to labels that Google's own services set, and change or remove.

    Choose another key.
    """
    for key in blueprint.labels:
        if key.startswith(PREFIX) and key != _ALLOWED:
            yield Finding(
                f"the label key {key} begins with {PREFIX}, which is reserved for Google",
                context.at_key(blueprint, "labels", key),
                help=f"choose another key, for example {key.removeprefix(PREFIX) or 'team'}",
            )
