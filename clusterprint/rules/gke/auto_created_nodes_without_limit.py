from clusterprint import catalog
from clusterprint.blueprint.gke.compute_classes import AutoCreation
from clusterprint.blueprint.gke.kubernetes import KubernetesBlueprint
from clusterprint.rules.kit import Context, Finding, Iterator, Severity, counted, rule


@rule("GKE417", severity=Severity.NOTE, source="Google Cloud: configure granular resource limits")
def auto_created_nodes_without_limit(
    nodes: AutoCreation, context: Context[KubernetesBlueprint]
) -> Iterator[Finding]:
    """GKE may create as many nodes as pods wait for, and no plan shows them in advance.

    `max_nodes` is the planned number: Kueue respects it for jobs in its queues, and with `limited: true` GKE
    does for all pods.

    Write `limited: true`, or look at what the quotas of the project allow.
    """
    if nodes.limited:
        return
    prices = [
        price.usd
        for each in nodes.capacity
        if (price := catalog.hourly_price(nodes.machine_type, each.model, context.blueprint.region))
    ]
    cost = f", which cost up to ${max(prices) * nodes.max_nodes:.2f} an hour" if prices else ""
    made = counted(nodes.max_nodes, "node")
    yield Finding(
        f"GKE may create {made} of {nodes.machine_type}{cost}, and more if more pods wait",
        context.at(nodes, "max_nodes"),
        help="write limited: true to make GKE respect max_nodes",
    )
