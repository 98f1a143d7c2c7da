from clusterprint import catalog
from clusterprint.blueprint.gke.pools import NodePool
from clusterprint.derived.node_pools import SLICES_LABEL
from clusterprint.rules.kit import Context, Finding, Iterator, Severity, rule


@rule("GKE041", severity=Severity.ERROR, source="Google Cloud: labels of GKE nodes")
def node_label_put_by_gke(pool: NodePool, context: Context) -> Iterator[Finding]:
    """A node label has a key that GKE or clusterprint puts on nodes itself.

    Selectors of workloads rely on these labels to tell what a node is. GKE sets them from the settings of the
    pool, and refuses or overwrites others. clusterprint labels the slices of a pool with its name.

    Remove the label, and use the setting of the pool that it stands for.
    """
    for key in pool.node_labels:
        own = key == SLICES_LABEL
        if own or key in catalog.reserved_keys().labels:
            yield Finding(
                f"the node label {key} is set by {'clusterprint' if own else 'GKE'} itself",
                context.at_key(pool, "node_labels", key),
                help="remove it",
            )
