from clusterprint.rules.kit import Severity, declared


@declared(
    "GCP143", source="Google Cloud: enabling and disabling services", severity=Severity.WARNING, firm=False
)
def service_repeated() -> None:
    """An API is listed twice.

    Once is enough; perhaps another one was meant.

    Remove one, or name the other API.
    """
