from clusterprint.blueprint.azure_storage import Share
from clusterprint.rules.kit import Context, Finding, Iterator, Severity, rule


@rule("AZ065", severity=Severity.ERROR, source="The blueprint language: storage.shares")
def share_setting_unused(share: Share, context: Context) -> Iterator[Finding]:
    """A share has a setting that it cannot have.

    The size is that of a file share that is created: an existing one has its own, and a container grows as
    it is filled. Only a created share is protected: clusterprint never destroys an existing one. The
    resource group is that of an existing account: a created one is in the cluster's.

    Remove the setting.
    """
    unused: dict[str, str] = {}
    if not share.create:
        unused |= dict.fromkeys(("size_gb", "deletion_protection"), "it exists already")
    elif share.kind == "blob_nfs":
        unused["size_gb"] = "a container grows as it is filled"
    if share.create:
        unused["resource_group"] = "it is created in the cluster's resource group"
    for field, why in unused.items():
        if context.wrote(share, field):
            yield Finding(
                f"{field} of share {share.name} would do nothing: {why}",
                context.at_key(share, field),
                help=f"remove {field}",
            )
