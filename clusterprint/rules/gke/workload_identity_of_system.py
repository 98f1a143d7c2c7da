from clusterprint.blueprint.gke.identity import WorkloadIdentity
from clusterprint.rules.kit import Context, Finding, Iterator, Severity, rule

_SYSTEM = ("kube-system", "kube-public", "kube-node-lease")
_OF_GOOGLE = ("gke-", "gmp-")


@rule("GKE096", severity=Severity.WARNING, source="Google Cloud: best practices for GKE namespaces")
def workload_identity_of_system(identity: WorkloadIdentity, context: Context) -> Iterator[Finding]:
    """Rights are granted to a service account in a system namespace.

    What runs there belongs to Kubernetes and to Google, and comes and goes with upgrades. Workloads in it are
    neither isolated nor safe.

    Run workloads in a namespace of your own.
    """
    if identity.namespace in _SYSTEM or identity.namespace.startswith(_OF_GOOGLE):
        yield Finding(
            f"namespace {identity.namespace} is a system namespace",
            context.at(identity, "namespace"),
            help="use a namespace of your own",
        )
