from clusterprint.rules.declared import declared


@declared("GKE340", source="Google Cloud: about custom compute classes in GKE")
def compute_class_of_job_missing() -> None:
    """A job names a compute class that does not exist.

    Its pods would wait for nodes of that class forever.

    Name one of `compute_classes`, or add it there.
    """
