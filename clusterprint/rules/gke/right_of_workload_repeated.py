from collections.abc import Iterable, Iterator

from clusterprint.blueprint.gke.identity import WorkloadIdentity
from clusterprint.diagnostic import Label, Severity
from clusterprint.rules._known import known, values
from clusterprint.rules.context import Context
from clusterprint.rules.rule import Finding, rule


@rule("GKE093", severity=Severity.WARNING, source="The blueprint language: names in a list")
def right_of_workload_repeated(identity: WorkloadIdentity, context: Context) -> Iterator[Finding]:
    """A right of a workload is listed twice.

    The second one does nothing, or contradicts the first; perhaps another one was meant.

    Remove one of them.
    """
    for field in ("roles", "secrets"):
        yield from _twice(
            (name, context.at(identity, field, index)) for index, name in values(identity, field)
        )
    buckets = known(identity.buckets, lambda bucket: bucket.name)
    yield from _twice((f"bucket {name}", context.at(bucket, "name")) for bucket, name in buckets)


def _twice(rights: Iterable[tuple[str, Label]]) -> Iterator[Finding]:
    first: dict[str, Label] = {}
    for name, place in rights:
        before = first.setdefault(name, place)
        if before is not place:
            yield Finding(
                f"{name} is listed twice",
                place,
                also=(before._replace(text="first listed here"),),
                help="remove one of them, or name the one that was meant",
            )
