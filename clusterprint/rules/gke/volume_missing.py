from clusterprint.rules.declared import declared


@declared("GKE200", source="The blueprint language: storage.volumes")
def volume_missing() -> None:
    """A workload mounts a volume that does not exist.

    Workloads name volumes of `storage.volumes`, of the same blueprint.

    Name one of them, or add the volume.
    """
