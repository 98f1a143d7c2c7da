from clusterprint.rules.declared import declared


@declared("RAY074", source="KubeRay: worker group names")
def bounds_repeated() -> None:
    """A job or a service sets the number of workers of a group twice.

    Its Ray cluster has each group once, so one of the two would do nothing.

    Keep one of them, with `min` and `max`.
    """
