from clusterprint import catalog, did_you_mean
from clusterprint.blueprint.gke.pools import SystemPool
from clusterprint.rules.kit import Context, Finding, Iterator, Severity, rule


@rule("GKE056", severity=Severity.WARNING)
def unknown_system_machine(pool: SystemPool, context: Context) -> Iterator[Finding]:
    name = pool.machine_type
    if catalog.machine(name) or catalog.is_accelerator_prefix(name):
        return
    yield Finding(
        f"machine type {name} of the system pool is not in the catalog",
        context.at(pool, "machine_type"),
        help=did_you_mean.machine_type(name) or "`clusterprint machines` lists the known machine types",
        instead=did_you_mean.only("machine_type", name),
    )
