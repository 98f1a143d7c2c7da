from clusterprint.blueprint.gke.taints import Taint
from clusterprint.rules.gke._keys import domain_of
from clusterprint.rules.kit import Context, Finding, Iterator, Severity, rule

_KEPT = ("node.kubernetes.io", "node.cloudprovider.kubernetes.io")


@rule("GKE045", severity=Severity.ERROR, source="Kubernetes: well-known labels, annotations and taints")
def taint_of_node_controller(taint: Taint, context: Context) -> Iterator[Finding]:
    """A taint has a key by which Kubernetes marks nodes that have a problem.

    The node controller puts these taints on nodes and takes them off. On a healthy node it would be taken
    off, and pods that tolerate it would be put on broken nodes.

    Use a key of your own.
    """
    if domain_of(taint.key) in _KEPT:
        yield Finding(
            f"the taint {taint.key} is added to nodes and removed again by Kubernetes",
            context.at(taint, "key"),
            help="use a key of your own, for example dedicated",
        )
