from clusterprint.blueprint.azure_volumes import AzureStorage, AzureVolume
from clusterprint.rules._repeated import repeated
from clusterprint.rules.kit import UNSET, Context, Finding, Iterator, Severity, known, rule


@rule("AZ063", severity=Severity.ERROR, source="The blueprint language: storage.volumes", firm=True)
def azure_volume_repeated(storage: AzureStorage, context: Context) -> Iterator[Finding]:
    """Two volumes have the same name, or two that are created have the same storage account.

    The name of a volume identifies it in the cluster. Each created share has an account of its own, because
    what an account can hold depends on the kind of the share.

    Give one of them another name, or another account.
    """
    yield from repeated(
        storage.volumes,
        context,
        lambda volume: f"two volumes are called {volume.name}",
        first="the other one",
        help="give one of them another name",
    )
    owners = [share for share, own in known(storage.volumes, _has_own_account) if own]
    yield from repeated(
        owners,
        context,
        lambda share: f"storage account {share.account} is created twice",
        key=lambda share: share.account,
        field="account",
        first="and here",
        help="name another account, or leave it out",
    )


def _has_own_account(share: AzureVolume) -> bool:
    return share.create and share.account is not UNSET
