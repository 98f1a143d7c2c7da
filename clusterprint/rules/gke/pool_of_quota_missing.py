from collections.abc import Iterator

from clusterprint.blueprint.gke.kubernetes import KubernetesBlueprint
from clusterprint.blueprint.gke.queues import Quota
from clusterprint.derived import existing
from clusterprint.diagnostic import Severity
from clusterprint.rules._known import known
from clusterprint.rules.context import Context
from clusterprint.rules.rule import Finding, rule
from clusterprint.words import did_you_mean, listed
from clusterprint.words.guesses import nearest


@rule("GKE230", severity=Severity.ERROR, source="Kueue: cluster queues", firm=True)
def pool_of_quota_missing(quota: Quota, context: Context[KubernetesBlueprint]) -> Iterator[Finding]:
    """A queue has a quota of a node pool that does not exist.

    Quotas are counted in nodes of a pool of this blueprint.

    Name one of its pools.
    """
    pools = [name for _, name in known(existing.pools(context.blueprint), lambda each: each.name)]
    if quota.pool in pools or len(pools) < len(existing.pools(context.blueprint)):
        return
    meant = nearest(quota.pool, pools)
    yield Finding(
        f"there is no node pool {quota.pool}",
        context.at(quota, "pool"),
        help=did_you_mean(meant)
        or (f"the pools are {listed(pools, 'and')}" if pools else "add it to node_pools"),
    )
