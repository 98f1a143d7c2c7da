from clusterprint.blueprint.azure_storage import Share
from clusterprint.blueprint.azure_volumes import AzureStorage, AzureVolume
from clusterprint.rules._repeated import repeated
from clusterprint.rules.kit import UNSET, Context, Finding, Iterator, Severity, known, rule


@rule("AZ063", severity=Severity.ERROR, source="The blueprint language: storage.shares", firm=True)
def share_repeated(storage: AzureStorage, context: Context) -> Iterator[Finding]:
    """Two shares or volumes have the same name, or two that are created have the same storage account.

    The name of a share identifies it in the cluster. Each created share has an account of its own, because
    what an account can hold depends on the kind of the share.

    Give one of them another name, or another account.
    """
    every: tuple[Share | AzureVolume, ...] = (*storage.shares, *storage.volumes)
    yield from repeated(
        every,
        context,
        lambda share: f"two shares are called {share.name}",
        first="the other one",
        help="give one of them another name",
    )
    owners = [share for share, own in known(every, _has_own_account) if own]
    yield from repeated(
        owners,
        context,
        lambda share: f"storage account {share.account} is created twice",
        key=lambda share: share.account,
        field="account",
        first="and here",
        help="name another account, or leave it out",
    )


def _has_own_account(share: Share | AzureVolume) -> bool:
    return share.create and share.account is not UNSET
