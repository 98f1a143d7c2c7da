from clusterprint.blueprint.gke.pools import NodePool
from clusterprint.derived import node_pools
from clusterprint.rules.gke._pools import machine_label
from clusterprint.rules.kit import Context, Finding, Iterator, Severity, given, rule


@rule(
    "GKE326",
    severity=Severity.ERROR,
    source="Google Cloud: create an AI-optimized GKE cluster that uses A4X Max",
)
def bare_metal_setting_refused(pool: NodePool, context: Context) -> Iterator[Finding]:
    """A pool of bare metal machines has a setting that needs virtual ones.

    GKE does not autoscale bare metal nodes, and they are not Shielded VMs, so secure boot does not exist
    there. The program that sets up their interfaces needs huge pages; with fewer it never starts, and there
    is no RDMA.

    Write `count`, and leave `secure_boot` and `system.huge_pages.size_2m` out.
    """
    machine = node_pools.machine(pool)
    if machine is None or not machine.bare_metal:
        return
    also = (machine_label(pool, context),)
    if given(pool.autoscaling):
        yield Finding(
            f"pool {pool.name} has bare metal nodes, which GKE does not autoscale",
            context.at_key(pool, "autoscaling"),
            also=also,
            help="write count",
        )
    if context.wrote(pool, "secure_boot") and pool.secure_boot:
        yield Finding(
            f"{machine.name} is bare metal, not a Shielded VM",
            context.at(pool, "secure_boot"),
            also=also,
            help="remove secure_boot",
        )
    if 0 < pool.system.huge_pages.size_2m < machine.huge_pages_2m:
        yield Finding(
            f"nodes of {machine.name} need {machine.huge_pages_2m} huge pages for their interfaces, not "
            f"{pool.system.huge_pages.size_2m}",
            context.at(pool.system.huge_pages, "size_2m"),
            also=also,
            help=f"write at least {machine.huge_pages_2m}, or remove size_2m",
        )
