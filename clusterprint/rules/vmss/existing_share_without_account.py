from clusterprint.blueprint.azure_storage import Share
from clusterprint.blueprint.azure_volumes import AzureVolume
from clusterprint.rules import _mounts
from clusterprint.rules.kit import UNSET, Context, Finding, Iterator, Severity, rule


@rule("AZ064", severity=Severity.ERROR, source="The blueprint language: storage.shares", firm=True)
def existing_share_without_account(share: Share | AzureVolume, context: Context) -> Iterator[Finding]:
    """A share exists already, but its storage account is not named; or a Lustre, but not its address.

    Shares are found by their account, and a file system of Lustre by the address of its management server.
    Only for what the cluster creates do they follow.

    Name the account or the address, or let the cluster create it.
    """
    if isinstance(share, AzureVolume) and share.kind == "managed_lustre":
        if not share.create and share.address is UNSET:
            yield Finding(
                f"volume {share.name} exists already, but the address of its server is not named",
                context.at_key(share, "create"),
                help="add address: IP, the management server's (MGS), or remove create: false",
            )
    elif not share.create and share.account is UNSET:
        yield Finding(
            f"{_mounts.noun(share)} {share.name} exists already, but its storage account is not named",
            context.at_key(share, "create"),
            help="add account: NAME, or remove create: false",
        )
