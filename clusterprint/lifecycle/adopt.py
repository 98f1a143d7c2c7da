"""Taking what is there already into the state: what a killed run has made, but could not write down.

What it is called in its cloud stands in the refusal of the create; Terraform imports it by that id, with the
next plan, which is shown and asked about like any other.
"""

import json
import re
from collections.abc import Sequence
from pathlib import Path

from clusterprint.lifecycle.failures import TerraformFailed, explain

_FILE = "adopt.tf.json"

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


def adoptable(failed: TerraformFailed) -> dict[str, str]:
    """What could be imported, of what a failed apply found to be there already: id by address.

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
    """Let the next plan in a folder import these: address and id of each."""
    blocks = [{"to": address, "id": identity} for address, identity in imports]
    (folder / _FILE).write_text(json.dumps({"import": blocks}, indent=2), "utf-8")
