from collections.abc import Iterator

from msgspec import UNSET

from clusterprint.blueprint.azure_storage import Share
from clusterprint.blueprint.azure_volumes import AzureVolume
from clusterprint.diagnostic import Severity
from clusterprint.rules import _mounts
from clusterprint.rules.context import Context
from clusterprint.rules.rule import Finding, rule


@rule("AZ064", severity=Severity.ERROR, source="The blueprint language: storage.shares", firm=True)
def existing_share_without_account(share: Share | AzureVolume, context: Context) -> Iterator[Finding]:
    """A share exists already, but its storage account is not named.

    Shares are found by their account. Only for a share that the cluster creates can the account be made up.

    Name the account, or let the cluster create the share.
    """
    if isinstance(share, AzureVolume) and share.kind == "managed_lustre":
        return
    if not share.create and share.account is UNSET:
        yield Finding(
            f"{_mounts.noun(share)} {share.name} exists already, but its storage account is not named",
            context.at_key(share, "create"),
            help="add account: NAME, or remove create: false",
        )
