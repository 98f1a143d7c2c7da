from clusterprint.blueprint.vm_nodes import ShieldedVm
from clusterprint.rules.kit import Context, Finding, Iterator, Severity, rule


@rule("VM007", severity=Severity.ERROR, source="Google Cloud: what is Shielded VM")
def integrity_monitoring_without_vtpm(shielded: ShieldedVm, context: Context) -> Iterator[Finding]:
    """Integrity monitoring is on, but the virtual TPM is off.

    Integrity monitoring compares measurements that the virtual TPM takes; without it there are none.

    Turn both off, or leave both on.
    """
    if shielded.vtpm or not shielded.integrity_monitoring:
        return
    yield Finding(
        "vtpm is off, but integrity_monitoring needs it",
        context.at(shielded, "vtpm"),
        also=(context.at(shielded, "integrity_monitoring", text="needs vtpm"),)
        if context.wrote(shielded, "integrity_monitoring")
        else (),
        help="remove vtpm, or write integrity_monitoring: false too",
    )
