from clusterprint.blueprint.storage_classes import FileClass
from clusterprint.rules.kit import Context, Finding, Iterator, Severity, given, rule

_SETTINGS = {
    **dict.fromkeys(("tier", "max_share_gb", "protocol", "connect"), "filestore"),
    "throughput_mbps_per_tib": "lustre",
}


@rule("GKE434", severity=Severity.ERROR, source="Google Cloud: Filestore and Managed Lustre CSI drivers")
def file_class_setting_not_of_kind(files: FileClass, context: Context) -> Iterator[Finding]:
    """A storage class of file systems has a setting of the other kind.

    Filestore has tiers, shares, protocols and ways to connect, Managed Lustre a throughput for each TiB. A
    driver refuses parameters that it does not know, so claims would wait forever.

    Remove the setting, or use the kind that has it.
    """
    for field, kind in _SETTINGS.items():
        if kind != files.kind and given(getattr(files, field)):
            yield Finding(
                f"storage class {files.name} is of kind {files.kind}, which has no {field}",
                context.at(files, field),
                also=(context.at(files, "kind", text="the kind"),),
                help=f"remove {field}, or write kind: {kind}",
            )
