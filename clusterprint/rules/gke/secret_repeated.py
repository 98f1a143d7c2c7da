from clusterprint.rules.declared import declared


@declared("GKE370", source="The blueprint language: names in a list")
def secret_repeated() -> None:
    """A secret is listed twice.

    Workloads name secrets, so a name stands for one of them: two entries would contradict each other, and two
    that create it would fail on the second.

    Remove one of them. Give a regional secret and a global one different names.
    """
