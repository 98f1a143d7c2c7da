from clusterprint.blueprint.gke.pools import NodePool
from clusterprint.derived import node_pools
from clusterprint.rules.kit import Context, Finding, Iterator, Severity, rule


@rule("GKE035", severity=Severity.WARNING, source="Cluster Toolkit: gke-node-pool module, enable_secure_boot")
def own_driver_with_secure_boot(pool: NodePool, context: Context) -> Iterator[Finding]:
    """GKE does not install the GPU driver, but secure boot blocks unsigned drivers.

    With secure boot the kernel loads signed modules only. GKE's own drivers are signed; one that is built on
    the node is not, so the GPUs would not be found.

    Write `secure_boot: false`, or let GKE install the driver.
    """
    if not pool.secure_boot or pool.gpu.driver != "none" or not node_pools.has_gpus(pool):
        return
    yield Finding(
        f"secure boot blocks a GPU driver of your own on pool {pool.name}, if it is not signed",
        context.at(pool.gpu, "driver"),
        also=(context.at(pool, "secure_boot", text="secure boot"),)
        if context.wrote(pool, "secure_boot")
        else (),
        help="write secure_boot: false, or remove driver",
    )
