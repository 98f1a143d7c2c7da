from clusterprint.blueprint.gke.workloads import Workloads
from clusterprint.rules.kit import Context, Finding, Iterator, Severity, given, rule


@rule("GKE398", severity=Severity.ERROR, source="Google Cloud: configure GKE for ML Diagnostics", firm=True)
def ml_diagnostics_without_certificates(workloads: Workloads, context: Context) -> Iterator[Finding]:
    """ML Diagnostics is installed without cert-manager.

    Its chart creates objects of cert-manager, which a cluster without cert-manager refuses.

    Add `cert_manager: {}` to the workloads.
    """
    if given(workloads.ml_diagnostics) and not given(workloads.cert_manager):
        yield Finding(
            "ml_diagnostics needs cert-manager for the certificate of its webhook",
            context.at_key(workloads, "ml_diagnostics"),
            help="add `cert_manager: {}` to the workloads",
        )
