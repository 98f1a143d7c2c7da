from clusterprint import catalog
from clusterprint.blueprint.storage_classes import FileClass
from clusterprint.rules.kit import Context, Finding, Iterator, Severity, given, listed, rule


@rule("GKE438", severity=Severity.ERROR, source="Google Cloud: Filestore multishares for GKE", firm=True)
def share_not_made(files: FileClass, context: Context) -> Iterator[Finding]:
    """Claims of a storage class are shares of Filestore instances, but with settings that these do not have.

    How many shares an instance has follows from the size of the largest: 128, 256, 512 or 1024 GiB. It is
    always of tier Enterprise, and its shares use NFS 3 only. The driver refuses other parameters, so claims
    would wait forever.

    Write one of the sizes, and leave out `tier` and `protocol`.
    """
    if files.kind != "filestore" or not given(files.max_share_gb):
        return
    sizes = [*catalog.filestore_shares()]
    if files.max_share_gb not in sizes:
        yield Finding(
            f"there are no filestores with shares of up to {files.max_share_gb:,} GiB",
            context.at(files, "max_share_gb"),
            help=f"write one of {listed([str(each) for each in sizes], 'or')}",
        )
    excluded = {"tier": given(files.tier), "protocol": files.protocol == "nfs_v4_1"}
    for field, is_said in excluded.items():
        if is_said:
            yield Finding(
                f"filestores with shares have no {field}: {getattr(files, field)}",
                context.at(files, field),
                also=(context.at(files, "max_share_gb", text="its claims are shares"),),
                help=f"remove {field} or max_share_gb",
            )
