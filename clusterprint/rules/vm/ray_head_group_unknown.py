from clusterprint.blueprint.vm import VmBlueprint
from clusterprint.blueprint.vm_ray import NodeRay
from clusterprint.derived import node_groups
from clusterprint.rules.kit import Context, Finding, Iterator, Severity, given, rule


@rule("VM146", severity=Severity.ERROR, firm=True)
def ray_head_group_unknown(ray: NodeRay, context: Context[VmBlueprint]) -> Iterator[Finding]:
    if not given(ray.head_group):
        return
    groups = {node_groups.group_name(each): each for each in node_groups.groups(context.blueprint)}
    found = groups.get(ray.head_group)
    if found is None or found.count > 0:
        return
    known = ", ".join(name for name, each in groups.items() if name and each.count)
    yield Finding(
        f"the group {ray.head_group} has no nodes",
        context.at(ray, "head_group"),
        help=f"name one of: {known}; or remove it" if known else "remove it",
    )
