"""Data that outlives the entries of its volumes.

Terraform forgets `prevent_destroy` with the block that says it. The provider google has a `deletion_policy`
since version 7, which the state keeps; azurerm has nothing of the kind.
"""

from collections.abc import Iterable

from clusterprint.blueprint.google import Terraform
from clusterprint.derived import google_provider
from clusterprint.nodes import deploy
from clusterprint.plan.azure import AccountPlan
from clusterprint.plan.azure import LustrePlan as AzureLustrePlan
from clusterprint.plan.kept_data import KeptDataPlan, KeptVolumePlan
from clusterprint.plan.volumes import FileSystemPlan, SharedDiskPlan, VolumesPlan


def on_azure(accounts: Iterable[AccountPlan], lustre: AzureLustrePlan | None) -> KeptDataPlan:
    """All that the cluster creates: what it only names is never destroyed."""
    shares = (_kept("share", each) for each in accounts if each.create)
    lustres = (_kept("lustre", each) for each in (lustre,) if each)
    return _plan(*shares, *lustres)


def on_google(stored: VolumesPlan | None, terraform: Terraform) -> KeptDataPlan | None:
    """Resources that old providers delete. Most Filestores and non-empty buckets refuse by themselves."""
    if not google_provider.is_old(terraform):
        return None
    if stored is None:
        return _plan()
    file_systems = {
        "filestore": tuple(each for each in stored.filestores if not each.deletion_protection),
        "lustre": stored.lustres,
        "netapp": stored.netapps,
        "parallelstore": stored.parallelstores,
    }
    created = (_kept(sort, each) for sort, plans in file_systems.items() for each in plans if each.create)
    return _plan(*created, *(_kept("disk", each) for each in stored.shared_disks))


def scripts(plan: KeptDataPlan | None) -> dict[str, str]:
    """The files beside the stack for that."""
    return {plan.script: deploy.script(plan.script)} if plan else {}


def _plan(*volumes: KeptVolumePlan) -> KeptDataPlan:
    return KeptDataPlan(volumes=volumes, script=deploy.KEEP_DATA)


def _kept(sort: str, plan: AccountPlan | AzureLustrePlan | FileSystemPlan | SharedDiskPlan) -> KeptVolumePlan:
    return KeptVolumePlan(key=f"{sort}_{plan.key}", volume=plan.key, may_be_lost=not plan.protected)
