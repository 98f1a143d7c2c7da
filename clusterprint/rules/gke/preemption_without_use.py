from clusterprint.blueprint.gke.queues import Kueue
from clusterprint.rules.kit import Context, Finding, Iterator, Severity, rule


@rule("GKE239", severity=Severity.WARNING, source="Kueue: preemption")
def preemption_without_use(kueue: Kueue, context: Context) -> Iterator[Finding]:
    """Preemption is configured, but no job can ever be preempted.

    Within a queue, jobs are preempted by their priorities; between queues, because nodes were lent.

    Add `priorities`, or give queues `quotas`; or leave `preemption` out.
    """
    own = any(queue.quotas for queue in kueue.local_queues)
    missing = {
        "reclaim": "" if own else "no queue has quotas of its own",
        "within_queue": "" if own or kueue.priorities else "there are neither priorities nor quotas",
    }
    for field, why in missing.items():
        if why and context.wrote(kueue.preemption, field):
            yield Finding(
                f"preemption.{field} does nothing: {why}",
                context.at_key(kueue.preemption, field),
                help=f"remove {field}",
            )
