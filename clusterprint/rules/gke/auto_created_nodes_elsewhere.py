from clusterprint.blueprint.gke.compute_classes import AutoCreation
from clusterprint.blueprint.gke.kubernetes import KubernetesBlueprint
from clusterprint.rules.google._places import elsewhere
from clusterprint.rules.kit import Context, Finding, Iterator, Severity, rule


@rule("GKE414", severity=Severity.ERROR, source="Google Cloud: regions and zones", firm=True)
def auto_created_nodes_elsewhere(
    nodes: AutoCreation, context: Context[KubernetesBlueprint]
) -> Iterator[Finding]:
    """A zone of auto-created nodes is in another region, or is listed twice.

    The nodes of a cluster are in its region.

    Name zones of the region, each once.
    """
    region = context.blueprint.region
    for index, zone in enumerate(nodes.zones):
        wrong = elsewhere(zone, region)
        if wrong:
            yield Finding(
                wrong.message,
                context.at(nodes, "zones", index),
                also=(context.at(context.blueprint, "region", text="the region"),),
                help=wrong.help or f"name a zone of {region}",
            )
        elif zone in nodes.zones[:index]:
            yield Finding(
                f"zone {zone} is listed twice", context.at(nodes, "zones", index), help="remove one of them"
            )
