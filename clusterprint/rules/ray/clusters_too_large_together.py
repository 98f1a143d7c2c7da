from clusterprint.blueprint.ray.blueprint import RayBlueprint
from clusterprint.blueprint.ray.jobs import RayService
from clusterprint.derived.ray_workers import Wanted
from clusterprint.rules.kit import Context, Finding, Iterator, Severity, counted, listed, rule
from clusterprint.rules.ray._shared_nodes import Share, shares


@rule("RAY070", severity=Severity.ERROR)
def clusters_too_large_together(
    _blueprint: RayBlueprint, context: Context[RayBlueprint]
) -> Iterator[Finding]:
    for share in shares(context):
        several = [(each, number) for each, number in share.wanted if number]
        if share.total <= share.nodes or _is_one_group(share, several):
            continue
        parts = [f"{_name(each)} {number}" for each, number in several]
        together = " at the same time" if len(several) > 1 else ""
        labels = [
            context.at(each.part, "name", text=f"needs {number} more")
            for each, number in several
            if each.part is not None
        ]
        # The blueprint's own numbers are where all begin; without them it is the jobs and services alone.
        own = any(each.part is None for each, _ in several)
        yield Finding(
            f"{listed(parts, 'and')} nodes of {share.place}{together}, which {share.has} at most "
            f"{counted(share.nodes, 'node')}",
            context.at(share.group, "min") if own else labels[0]._replace(text=""),
            also=tuple(labels if own else labels[1:]),
            help="lower min, write `workers` in services and jobs, or let the pool have more nodes",
        )


def _is_one_group(share: Share, several: list[tuple[Wanted, int]]) -> bool:
    """Whether all is wanted by one group of the blueprint's own Ray cluster, of which another rule speaks."""
    if len(several) != 1 or several[0][0].part is not None:
        return False
    workers = several[0][0].workers
    return sum(1 for name in share.groups if workers[name]) == 1


def _name(wanted: Wanted) -> str:
    if wanted.part is None:
        return "the Ray cluster needs"
    return f"{'service' if isinstance(wanted.part, RayService) else 'job'} {wanted.part.name} needs"
