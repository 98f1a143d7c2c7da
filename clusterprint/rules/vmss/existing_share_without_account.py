from clusterprint.blueprint.azure_volumes import AzureVolume
from clusterprint.rules.kit import UNSET, Context, Finding, Iterator, Severity, rule


@rule("AZ064", severity=Severity.ERROR, source="The blueprint language: storage.volumes", firm=True)
def existing_share_without_account(volume: AzureVolume, context: Context) -> Iterator[Finding]:
    """A share exists already, but its storage account is not named; or a Lustre, but not its address.

    Shares are found by their account, and a file system of Lustre by the address of its management server.
    Only for what the cluster creates do they follow.

    Name the account or the address, or let the cluster create it.
    """
    if volume.create:
        return
    if volume.kind == "managed_lustre":
        named, what = volume.address, "the address of its server"
        help_text = "add address: IP, the management server's (MGS), or remove create: false"
    else:
        named, what = volume.account, "its storage account"
        help_text = "add account: NAME, or remove create: false"
    if named is UNSET:
        yield Finding(
            f"volume {volume.name} exists already, but {what} is not named",
            context.at_key(volume, "create"),
            help=help_text,
        )
