from collections.abc import Iterator

from msgspec import UNSET

from clusterprint.blueprint.azure_storage import AzureStorage, Share
from clusterprint.diagnostic import Severity
from clusterprint.rules._known import known
from clusterprint.rules.context import Context
from clusterprint.rules.rule import Finding, rule


@rule("AZ063", severity=Severity.ERROR, source="The blueprint language: storage.shares", firm=True)
def share_repeated(storage: AzureStorage, context: Context) -> Iterator[Finding]:
    """Two shares have one name, or two that are created have one storage account.

    The name of a share tells it from the others of the cluster. Each created share has an account of its
    own, because what an account can hold depends on the kind of the share.

    Give one of them another name, or another account.
    """
    names: dict[str, Share] = {}
    accounts: dict[str, Share] = {}
    for share, (name, account, create) in known(
        storage.shares, lambda share: (share.name, share.account, share.create)
    ):
        other = names.setdefault(name, share)
        if other is not share:
            yield Finding(
                f"two shares are called {name}",
                context.at(share, "name"),
                also=(context.at(other, "name", text="the other one"),),
                help="give one of them another name",
            )
        owner = accounts.setdefault(account, share) if create and account is not UNSET else share
        if owner is not share:
            yield Finding(
                f"storage account {account} is created twice",
                context.at(share, "account"),
                also=(context.at(owner, "account", text="and here"),),
                help="name another account, or leave it out",
            )
