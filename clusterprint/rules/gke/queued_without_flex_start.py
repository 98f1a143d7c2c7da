from clusterprint.blueprint.gke.pools import PoolCapacity
from clusterprint.rules.kit import Context, Finding, Iterator, Severity, rule


@rule("GKE008", severity=Severity.ERROR, source="Google Cloud: about flex-start in GKE")
def queued_without_flex_start(capacity: PoolCapacity, context: Context) -> Iterator[Finding]:
    """`queued` is set, but the capacity model is not flex-start.

    A queued request waits until all machines that a job needs are available together. Only flex-start
    capacity is granted that way.

    Write `model: flex_start`, or remove `queued`.
    """
    if not capacity.queued or capacity.model == "flex_start":
        return
    written = context.wrote(capacity, "model")
    default = "" if written else " (the default)"
    yield Finding(
        f"queued needs model flex_start, not {capacity.model}{default}",
        context.at(capacity, "queued"),
        also=(context.at(capacity, "model", text="the capacity model"),) if written else (),
        help="write model: flex_start, or remove queued",
    )
