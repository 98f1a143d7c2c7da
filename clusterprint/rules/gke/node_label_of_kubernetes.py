from clusterprint import catalog
from clusterprint.blueprint.gke.pools import NodePool
from clusterprint.rules.gke._keys import domain_of
from clusterprint.rules.kit import Context, Finding, Iterator, Severity, rule

_KEPT = tuple(f".{prefix}" for prefix in catalog.reserved_keys().prefixes)

# The part of kubernetes.io that is meant for users.
_ALLOWED = ("node-restriction.kubernetes.io",)


@rule("GKE040", severity=Severity.ERROR, source="Terraform provider google: google_container_node_pool")
def node_label_of_kubernetes(pool: NodePool, context: Context) -> Iterator[Finding]:
    """A node label has a key that belongs to Kubernetes.

    Nodes may not give themselves labels below kubernetes.io and k8s.io; GKE refuses the pool.

    Use a key of your own, with or without a domain.
    """
    for key in pool.node_labels:
        domain = domain_of(key)
        if domain in _ALLOWED or not f".{domain}/".endswith(_KEPT):
            continue
        yield Finding(
            f"the node label {key} belongs to Kubernetes",
            context.at_key(pool, "node_labels", key),
            help=f"use a key of your own, for example {key.rpartition('/')[2]}",
        )
