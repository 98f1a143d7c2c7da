from clusterprint.blueprint.ray.blueprint import RayBlueprint
from clusterprint.rules.kit import Context, Finding, Iterator, Severity, counted, rule
from clusterprint.rules.ray._shared_nodes import shares


@rule("RAY071", severity=Severity.WARNING)
def no_room_for_update_of_service(
    _blueprint: RayBlueprint, context: Context[RayBlueprint]
) -> Iterator[Finding]:
    for share in shares(context):
        update = share.largest_update
        if update is None or share.total > share.nodes:
            continue
        service, more = update
        if share.total + more > share.nodes:
            missing = share.total + more - share.nodes
            yield Finding(
                f"an update of service {service.name} temporarily needs {counted(more, 'more node')}, and "
                f"{share.place} {share.has} {missing} too few",
                context.at(service, "name"),
                also=(context.at(share.group, "min", text="what the Ray cluster has"),),
                help="lower min in workers of the service, or let the pool have more nodes",
            )
