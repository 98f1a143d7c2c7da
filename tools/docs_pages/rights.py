"""docs/reference: deployment permissions."""

import json
import re

from clusterprint import describe
from clusterprint.cli.rights import by_api
from clusterprint.rights import TASKS, Need, Scope, needs, roles_for, roles_for_pull_requests, together
from docs_pages.markup import ROOT, page, table

GOLDENS = ROOT / "tests" / "goldens"
#: How a place is called where it stands for those of all blueprints.
PLACES = {
    "project": "the project", "shared": "another project whose network is used, or with secrets",
    "state": "the bucket of the state", "bucket": "another bucket that is there",
    "key": "a key of Cloud KMS (`grant_kms_keys`)",
    "subscription": "the subscription", "group": "the resource group",
}  # fmt: skip


RIGHTS = """\
# Deployment permissions

What an account needs that runs Terraform on the stacks of a kind: for all that the blueprints of this
repository make, together. `clusterprint rights BLUEPRINT` says what one blueprint needs, which is less,
and `--custom-role` writes a role with exactly that. What people need who only log in to machines stands
in [blueprints.md](../blueprints.md).

- **plan** reads everything, and writes the lock of the state. Where charts are installed, it reads their
  releases, which are secrets of the cluster: no predefined role gives that without the right to change
  them, a custom role does. The same goes for the IAM policy of a bucket that is there (`--custom-role plan
  --scope gs://NAME`).
- **plans of pull requests**, as `clusterprint init gitops` sets them up, lock nothing and look into no
  cluster: they need less, which has a row of its own where it differs.
- **apply** may create, change, replace and delete. Whoever may set the IAM policy of a project can grant
  anything in it to anybody: let people review what this account applies, or limit it to some roles by a
  condition.
- **destroy** reads and deletes.

Azure's provider registers services with the subscription before its first plan, if the blueprint lets it and
they are not registered yet: that plan needs what apply needs there, or somebody registers them before.

Service agents of the clouds (for reservations, networks and accounts of other projects) are no part of
this. The permissions are from documentation; the tests hold them to what the simulated cloud is asked
for, not to a real one."""


def rights_page() -> str:
    """Permissions of the deploying account, by kind: for all blueprints of the tests together."""
    parts = [RIGHTS]
    for kind in describe.kinds():
        parts.append(f"## {kind.name}")
        for need in needs_of_kind(kind.name):
            parts += rights_of(need)
    return page(parts, "clusterprint/catalog/rights")


def needs_of_kind(kind: str) -> list[Need]:
    """The needs of all goldens of a kind, each sort of place once."""
    found = []
    for golden in sorted(GOLDENS.glob("*.tf.json")):
        name = golden.name.replace(".tf.json", ".yaml")
        blueprint = next(each for each in (ROOT / "blueprints" / name, GOLDENS / name) if each.exists())
        if re.search(rf"^kind: {kind}$", blueprint.read_text("utf-8"), re.MULTILINE):
            document = json.loads(golden.read_text("utf-8"))
            found += needs([document] if "terraform" in document else document.values())
    return together(each._replace(scope=Scope(each.scope.sort, PLACES[each.scope.sort])) for each in found)


def rights_of(need: Need) -> list[str]:
    """One place: roles by task, then permissions."""
    by_task: dict[str, list[str]] = {task: roles_for(need, task) for task in TASKS}
    if (fewer := roles_for_pull_requests(need)) != by_task["plan"]:
        by_task = {"plan": by_task["plan"], "plan, of a pull request": fewer, **by_task}
    rows = [
        (task, "<br>".join(f"`{role}`" if "/" in role else role for role in roles))
        for task, roles in by_task.items()
    ]
    parts = [
        f"### {need.scope.name[0].upper()}{need.scope.name[1:]}",
        table(("to", "predefined roles"), rows),
    ]
    for task in TASKS:
        listed = [(f"`{api}`", ", ".join(names)) for api, names in by_api(need.permissions[task])]
        if listed:
            details = table(("API", "permissions"), listed)
            parts.append(f"<details><summary>permissions to {task}</summary>\n\n{details}\n\n</details>")
    return parts
