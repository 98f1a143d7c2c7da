from collections.abc import Iterator

from msgspec import UNSET

from clusterprint import catalog
from clusterprint.blueprint.gke.pools import NodePool
from clusterprint.diagnostic import Severity
from clusterprint.rules.context import Context
from clusterprint.rules.rule import Finding, rule
from clusterprint.words import listed


@rule(
    "GKE274",
    severity=Severity.ERROR,
    source="Google Cloud: encrypt workload data in use with Confidential GKE Nodes",
)
def confidential_on_other_machine(pool: NodePool, context: Context) -> Iterator[Finding]:
    """The memory of nodes is to be encrypted by what their processors do not have.

    Each technology is part of certain processors; GKE refuses pools of other machines.

    Take a machine type of a series that has it, or remove `confidential`.
    """
    if pool.confidential is UNSET:
        return
    series = catalog.confidential_machines(pool.confidential)
    if not pool.machine_type.startswith(series):
        named = listed([f"{each}*" for each in series], "or")
        yield Finding(
            f"{pool.machine_type} is not known to have {pool.confidential}",
            context.at(pool, "machine_type"),
            also=(context.at(pool, "confidential", text="asked for here"),),
            help=f"take {named}, or remove confidential",
        )
