from clusterprint.rules.declared import declared


@declared("GCP114", source="The blueprint language: storage.disk_pools")
def disk_pool_missing() -> None:
    """A disk names a disk pool that does not exist.

    Disks name pools of `storage.disk_pools`, of the same blueprint; one that exists is listed there with
    `create: false`.

    Name one of them, or add the pool.
    """
