from clusterprint.blueprint.azure_volumes import AzureVolume
from clusterprint.blueprint.vmss import VmssBlueprint
from clusterprint.derived import azure_names, azure_volumes
from clusterprint.rules.kit import UNSET, Context, Finding, Iterator, Severity, rule


@rule("AZ120", severity=Severity.ERROR, source="Azure: Azure Managed Lustre prerequisites", firm=True)
def azure_lustre_blob(volume: AzureVolume, context: Context[VmssBlueprint]) -> Iterator[Finding]:
    """A Lustre file system cannot be filled from the container that it names.

    Files come from one container, and what Azure logs about imports and exports goes to another one of that
    account. Both are there before the file system is made, with the files: so they cannot be in an account
    that the cluster creates.

    Name two containers of an account that exists.
    """
    blob = volume.blob
    if blob is UNSET or volume.kind != "managed_lustre" or not volume.create:
        return
    if blob.container == blob.logging_container:
        yield Finding(
            f"volume {volume.name} keeps its files and its logs in one container",
            context.at(blob, "logging_container"),
            also=(context.at(blob, "container", text="the files"),),
            help="name another container of that account for the logs",
        )
    if blob.account in _made(context.blueprint):
        yield Finding(
            f"storage account {blob.account} is created by the cluster, so there is nothing in it yet",
            context.at(blob, "account"),
            help="name an account that exists",
        )


def _made(blueprint: VmssBlueprint) -> set[str]:
    """The accounts that the cluster makes."""
    return {
        azure_names.storage_account(blueprint.name, share.name, blueprint.subscription)
        if share.account is UNSET
        else share.account
        for share in azure_volumes.shares(blueprint.storage)
        if share.create
    }
