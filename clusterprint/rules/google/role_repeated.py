from clusterprint.rules.kit import Severity, declared


@declared("GCP073", source="The blueprint language: names in a list", severity=Severity.WARNING, firm=False)
def role_repeated() -> None:
    """A role is listed twice.

    The second one does nothing; perhaps another role was meant.

    Remove one of them.
    """
