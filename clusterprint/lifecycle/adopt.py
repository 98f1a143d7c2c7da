"""Adoption of existing resources into the state: the ids by which Terraform imports them.

What a plan would create may exist. For types with an `import_id` in `resource_types`, the id follows from
the plan, and planning shows whether the resource exists: Terraform looks up what it imports, and names what
it does not find. Of others the refusal of a create has the id. The next plan, with imports in it, is shown
and asked about like any other.
"""

import json
import re
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from clusterprint.lifecycle.failures import TerraformFailed, explain
from clusterprint.resource_types import resource_type

#: The file beside a stack that has them.
FILE = "adopt.tf.json"

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
    """The resources that a plan would create and that may exist: id by address. `provider` is its block."""
    found = {}
    for change in plan.get("resource_changes") or ():
        form = resource_type(change["type"]).import_id
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
