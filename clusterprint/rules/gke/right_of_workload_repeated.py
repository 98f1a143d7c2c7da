from clusterprint.rules.kit import Severity, declared


@declared("GKE093", source="The blueprint language: names in a list", severity=Severity.WARNING, firm=False)
def right_of_workload_repeated() -> None:
    """A role or a secret of a workload is listed twice.

    The second one does nothing; perhaps another one was meant.

    Remove one of them.
    """
