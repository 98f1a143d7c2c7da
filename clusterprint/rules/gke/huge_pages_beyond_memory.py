from clusterprint.blueprint.gke.pools import NodePool
from clusterprint.derived import node_pools
from clusterprint.rules.gke._pools import machine_label
from clusterprint.rules.kit import Context, Finding, Iterator, Severity, rule

# GKE keeps the rest for everything else; small machines may use less.
_SHARE = 0.8
_SMALL_GB, _SHARE_OF_SMALL = 30, 0.6


@rule("GKE260", severity=Severity.ERROR, source="Google Cloud: node system configuration in GKE")
def huge_pages_beyond_memory(pool: NodePool, context: Context) -> Iterator[Finding]:
    """Huge pages take more memory than GKE allows on such a machine.

    GKE lets huge pages take 80 % of a node's memory, or 60 % on machines with less than 30 GB, and refuses
    the node pool otherwise.

    Ask for fewer pages, or choose a larger machine type.
    """
    machine, pages = node_pools.machine(pool), pool.system.huge_pages
    if machine is None:
        return
    asked = pages.size_2m / 512 + pages.size_1g
    share = _SHARE_OF_SMALL if machine.memory_gb < _SMALL_GB else _SHARE
    if asked > machine.memory_gb * share:
        yield Finding(
            f"huge pages take {round(asked, 1):g} GiB, but of the {machine.memory_gb:g} GB of "
            f"{machine.name} they may take {share:.0%}",
            context.at_key(pool.system, "huge_pages"),
            also=(machine_label(pool, context),),
            help=f"ask for at most {int(machine.memory_gb * share)} GiB",
        )
