from clusterprint import catalog
from clusterprint.blueprint.gke.pools import NodePool
from clusterprint.rules.gke._pools import machine_label
from clusterprint.rules.kit import Context, Finding, Iterator, Severity, given, rule


@rule("GKE021", severity=Severity.ERROR, source="Google Cloud: about TPUs in GKE")
def topology_of_machine_without_tpus(pool: NodePool, context: Context) -> Iterator[Finding]:
    """A TPU topology is given for machines without TPUs.

    Only TPU machines are joined to slices.

    Use a TPU machine type, or remove `tpu`.
    """
    if given(pool.tpu) and catalog.machine(pool.machine_type):
        yield Finding(
            f"{pool.machine_type} has no TPUs, so pool {pool.name} cannot be a {pool.tpu.topology} slice",
            context.at_key(pool, "tpu"),
            also=(machine_label(pool, context),),
            help="use a TPU machine type, such as ct6e-standard-4t, or remove tpu",
        )
