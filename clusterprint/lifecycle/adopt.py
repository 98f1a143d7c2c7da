"""Adoption of existing resources into the state: the ids by which Terraform imports them.

What a plan would create may be there. Of the types in `_IDS` the id follows from the plan, and whether it is
there is found out by planning: Terraform looks at what it imports, and names what it does not find. Of
others the refusal of a create has the id. The next plan, with imports in it, is shown and asked about like
any other.
"""

import json
import re
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from clusterprint.lifecycle.failures import TerraformFailed, explain

#: The file beside a stack that has them.
FILE = "adopt.tf.json"

_GROUP = "/subscriptions/{subscription}/resourceGroups/{resource_group_name}/providers"
# What people have before they have clusterprint, and what of it is found by name: the id that the providers
# import by, of planned attributes and of the project, region or subscription of the provider.
_IDS = {
    "google_compute_network": "projects/{project}/global/networks/{name}",
    "google_compute_subnetwork": "projects/{project}/regions/{region}/subnetworks/{name}",
    "google_compute_router": "projects/{project}/regions/{region}/routers/{name}",
    "google_compute_router_nat": "{project}/{region}/{router}/{name}",
    "google_compute_firewall": "projects/{project}/global/firewalls/{name}",
    "google_compute_instance_group_manager": "projects/{project}/zones/{zone}/instanceGroupManagers/{name}",
    "google_compute_region_instance_group_manager": (
        "projects/{project}/regions/{region}/instanceGroupManagers/{name}"
    ),
    "google_compute_per_instance_config": "{project}/{zone}/{instance_group_manager}/{name}",
    "google_container_cluster": "projects/{project}/locations/{location}/clusters/{name}",
    "google_container_node_pool": (
        "projects/{project}/locations/{location}/clusters/{cluster}/nodePools/{name}"
    ),
    "google_filestore_instance": "projects/{project}/locations/{location}/instances/{name}",
    "google_lustre_instance": "projects/{project}/locations/{location}/instances/{instance_id}",
    "google_parallelstore_instance": "projects/{project}/locations/{location}/instances/{instance_id}",
    "google_project_iam_custom_role": "projects/{project}/roles/{role_id}",
    "google_service_account": (
        "projects/{project}/serviceAccounts/{account_id}@{project}.iam.gserviceaccount.com"
    ),
    "google_storage_bucket": "{name}",
    "helm_release": "{namespace}/{name}",
    "azurerm_resource_group": "/subscriptions/{subscription}/resourceGroups/{name}",
    "azurerm_virtual_network": _GROUP + "/Microsoft.Network/virtualNetworks/{name}",
    "azurerm_subnet": _GROUP + "/Microsoft.Network/virtualNetworks/{virtual_network_name}/subnets/{name}",
    "azurerm_linux_virtual_machine_scale_set": _GROUP + "/Microsoft.Compute/virtualMachineScaleSets/{name}",
    "azurerm_orchestrated_virtual_machine_scale_set": (
        _GROUP + "/Microsoft.Compute/virtualMachineScaleSets/{name}"
    ),
}
# Terraform's message about an import of a missing resource.
_NOT_THERE = re.compile(r'existing object to "(.+?)", the provider detected')

# In the words of the clouds; the groups together make the id that the provider imports by.
_NAMED = (
    (r"'(projects/[^'\s]+)' already exists", "{0}"),
    (r"[Aa]lready exists: (projects/[^\s,']+[^\s,'.])", "{0}"),
    (r"[Ss]ervice account ([-a-z0-9]+) already exists within project projects/([-a-z0-9.:]*[a-z0-9])",
     "projects/{1}/serviceAccounts/{0}@{1}.iam.gserviceaccount.com"),
    (r"role named ([\w.]+) in (projects/[-a-z0-9.:]+) already exists", "{1}/roles/{0}"),
    (r'resource with the ID "([^"]+)" already exists', "{0}"),
    (r'namespaces "([-a-z0-9.]+)" already exists', "{0}"),
    (r"bucket named '?([-_.a-z0-9]+)'? already exists", "{0}"),
)  # fmt: skip


def named_by(plan: Mapping[str, Any], provider: Mapping[str, str]) -> dict[str, str]:
    """What a plan would create that may be there: id by address. `provider` is what its block says."""
    found = {}
    for change in plan.get("resource_changes") or ():
        form = _IDS.get(change["type"])
        if form is None or tuple(change["change"]["actions"]) != ("create",):
            continue
        said = {key: value for key, value in (change["change"].get("after") or {}).items() if value}
        try:
            found[str(change["address"])] = form.format_map({**provider, **said})
        except KeyError:
            continue  # its name is not known before something else is made
    return found


def provider_of(stack: Mapping[str, Any]) -> dict[str, str]:
    """The project, region and subscription that the providers of a stack name."""
    blocks = [each for listed in (stack.get("provider") or {}).values() for each in listed]
    words = {"project": "project", "region": "region", "subscription_id": "subscription"}
    return {
        ours: each[theirs]
        for each in blocks
        for theirs, ours in words.items()
        if isinstance(each.get(theirs), str)
    }


def only_there(folder: Path, wanted: Mapping[str, str], plan: Callable[[], object]) -> dict[str, str]:
    """Those of the wanted imports that Terraform finds; the plan that was made last has them in it."""
    left = dict(wanted)
    while True:
        write_imports(folder, sorted(left.items()))
        try:
            plan()
        except TerraformFailed as failed:
            said = [_NOT_THERE.search(" ".join(error.split())) for error in failed.errors]
            gone = {match[1].replace('\\"', '"') for match in said if match}  # quoted as Go does
            if not gone & left.keys():
                raise
            left = {address: identity for address, identity in left.items() if address not in gone}
        else:
            return left


def adoptable(failed: TerraformFailed) -> dict[str, str]:
    """Importable resources among those that a failed apply found to exist: id by address.

    Empty unless that is all that went wrong.
    """
    found: dict[str, str] = {}
    for error, address in zip(failed.errors, failed.addresses, strict=True):
        identity = _identity(error)
        if explain(error).name != "name taken" or not address or not identity:
            return {}
        found[address] = identity
    return found


def _identity(error: str) -> str:
    for pattern, form in _NAMED:
        if match := re.search(pattern, error):
            return form.format(*match.groups())
    return ""


def write_imports(folder: Path, imports: Sequence[tuple[str, str]]) -> None:
    """Let the next plan in a folder import these, and nothing else: address and id of each."""
    if not imports:
        (folder / FILE).unlink(missing_ok=True)
        return
    (folder / FILE).write_text(blocks(imports), "utf-8")


def blocks(imports: Sequence[tuple[str, str]]) -> str:
    """Import blocks as Terraform JSON."""
    document = {"import": [{"to": address, "id": identity} for address, identity in imports]}
    return f"{json.dumps(document, indent=2)}\n"
