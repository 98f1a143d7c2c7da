"""The data of a cluster on Azure that outlives the entries of its volumes.

Terraform forgets `prevent_destroy` with the block that says it, and azurerm has nothing that a state keeps,
as Google's provider has its `deletion_policy`.
"""

from collections.abc import Iterable

from clusterprint.nodes import deploy
from clusterprint.plan.azure import AccountPlan, KeptDataPlan, KeptVolumePlan, LustrePlan


def resolve_kept_data(accounts: Iterable[AccountPlan], lustre: LustrePlan | None) -> KeptDataPlan:
    """All that the cluster creates: what it only names is never destroyed."""
    shares = (_kept("share", each) for each in accounts if each.create)
    lustres = (_kept("lustre", each) for each in (lustre,) if each)
    return KeptDataPlan(volumes=(*shares, *lustres), script=deploy.KEEP_DATA)


def _kept(sort: str, plan: AccountPlan | LustrePlan) -> KeptVolumePlan:
    return KeptVolumePlan(key=f"{sort}_{plan.key}", volume=plan.key, may_be_lost=not plan.protected)
