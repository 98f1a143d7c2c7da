"""`clusterprint rights`: the permissions needed to deploy a cluster."""

import json
import tempfile
import textwrap
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from clusterprint.cli import cluster_arguments
from clusterprint.cli.output import FORMAT, say
from clusterprint.errors import UsageError
from clusterprint.examine import Examined

if TYPE_CHECKING:
    from clusterprint.rights import Need, Task

_WIDTH = 100
_TASK = click.Choice(["plan", "apply", "destroy"])

#: Where a custom role is made if it is asked for by name: made in a project, it is granted on parts of it.
_BUCKETS = frozenset({"bucket", "state"})
_PARTS = _BUCKETS | {"key"}

#: What only `doctor` needs, to name policies that refuse a part.
_POLICIES = {"project": "roles/orgpolicy.policyViewer", "subscription": "Reader", "group": "Reader"}

Found = list[tuple[str, list["Need"]]]


@click.command("rights")
@cluster_arguments.any_of
@FORMAT
@click.option("--task", type=_TASK, help="Show what one task needs only.")
@click.option(
    "--custom-role",
    "custom",
    type=_TASK,
    help="Print a custom role for a task instead, for `gcloud iam roles create --file` or "
    "`az role definition create --role-definition`.",
)
@click.option(
    "--scope",
    metavar="NAME",
    help="With --custom-role: the project, subscription, resource group, key or bucket (gs://NAME) that the "
    "role is for; needed if there are several, buckets and keys not counted.",
)
def rights(
    paths: tuple[Path, ...], form: str, task: "Task | None", custom: "Task | None", scope: str | None
) -> None:
    """Show the permissions that Terraform needs.

    CLUSTER is a name, a blueprint's file, or a folder of blueprints; the default is blueprints/. The stacks
    are synthesized, and the permissions that their resources need are looked up: for a plan, for applying any
    change, and for destroying everything, with predefined roles that have them. Exit code 1 for problems in a
    blueprint.
    """
    if scope and not custom:
        raise UsageError("--scope says what a custom role is for: add --custom-role")
    if custom and (task or form != "text"):
        idle = "--task" if task else "--format"
        raise UsageError(f"--custom-role names the task and prints JSON: leave out {idle}")
    found = _found(cluster_arguments.sound(paths, "no rights are shown: the blueprints have problems"))
    if custom:
        say(_json(_custom(found, custom, scope)))
    elif form == "json":
        say(_json([{"name": name, "scopes": _data(needs, task)} for name, needs in found]))
    else:
        say("\n\n".join(_text(name, needs, task) for name, needs in found))


def _found(examined: Examined) -> Found:
    """The name of each cluster, and what its stacks need."""
    from clusterprint.rights import needs
    from clusterprint.synth import plan_all, synthesize  # loads the engine, once it is needed

    found = []
    with tempfile.TemporaryDirectory(prefix="clusterprint-") as folder:
        for number, result in enumerate(examined.results):
            files = synthesize(plan_all([result]), Path(folder) / str(number))
            stacks = [json.loads(file.read_text("utf-8")) for file in files]
            found.append((str(result.document.data["name"]), needs(stacks)))
    return found


def _tasks(task: "Task | None") -> "tuple[Task, ...]":
    from clusterprint.rights import TASKS

    return (task,) if task else TASKS


def _data(needs: "Iterable[Need]", task: "Task | None") -> list[dict[str, Any]]:
    from clusterprint.rights import roles_for

    return [
        {
            "scope": need.scope.sort,
            "name": need.scope.name,
            "tasks": {
                each: {"roles": roles_for(need, each), "permissions": need.permissions[each]}
                for each in _tasks(task)
            },
        }
        for need in needs
    ]


def _json(value: Any) -> str:
    return json.dumps(value, indent=2, ensure_ascii=False)


# ---- text


def _text(name: str, needs: "Iterable[Need]", task: "Task | None") -> str:
    from clusterprint.rights import roles_for, roles_for_pull_requests

    lines = [name]
    for need in needs:
        lines.append(f"  {need.scope.title}")
        for each in _tasks(task):
            roles = roles_for(need, each)
            if roles:
                lines.append(f"    {each}")
                lines += [f"      {role}" for role in roles]
                fewer = roles_for_pull_requests(need) if each == "plan" else roles
                if fewer != roles:
                    cluster_arguments = ", ".join(fewer) or "none"
                    lines.append(
                        f"      plans of pull requests, without lock and refresh: {cluster_arguments}"
                    )
                if each == "plan" and "roles/storage.admin" in roles:
                    lines.append(f"      only to read: --custom-role plan --scope gs://{need.scope.name}")
                lines += (_wrapped(api, names) for api, names in by_api(need.permissions[each]))
        if need.scope.sort in _POLICIES and task is None:
            lines.append(f"    doctor, to read policies\n      {_POLICIES[need.scope.sort]}")
    return "\n".join(lines)


def _wrapped(api: str, names: Iterable[str]) -> str:
    first, rest = f"        {api}: ", " " * 10
    return textwrap.fill(
        ", ".join(names), _WIDTH, initial_indent=first, subsequent_indent=rest, break_on_hyphens=False
    )


def by_api(permissions: Iterable[str]) -> Iterator[tuple[str, list[str]]]:
    """Permissions by their API, without its name: `compute` and `networks.get`."""
    for api, group in groupby(sorted(permissions), key=lambda each: each.partition(_sign(each))[0]):
        yield api, [each.removeprefix(f"{api}{_sign(each)}") for each in group]


def _sign(permission: str) -> str:
    """The permission without the name of the API: `compute.networks.get`, `Microsoft.Network/...`."""
    return "/" if "/" in permission else "."


# ---- a role of one's own


def _named(needs: Sequence["Need"]) -> dict[str, "Need"]:
    """Needs by what --scope calls their places: the last part of a name, all of it where others end alike.

    Buckets, which may be called as a project is, are links.
    """
    short = {
        each.scope: f"gs://{each.scope.name}"
        if each.scope.sort in _BUCKETS
        else each.scope.name.rpartition("/")[2]
        for each in needs
    }
    seen = Counter(short.values())
    return {short[each.scope] if seen[short[each.scope]] == 1 else each.scope.name: each for each in needs}


def _custom(found: Found, task: "Task", scope: str | None) -> dict[str, Any]:
    from clusterprint.rights import custom_role, roles_for, together

    needs = together(need for _, each in found for need in each)
    cluster_arguments = _named([each for each in needs if each.permissions[task]])
    usual = [name for name, each in cluster_arguments.items() if each.scope.sort not in _PARTS]
    if scope is None and len(usual) == 1:
        (scope,) = usual
    if scope not in cluster_arguments:
        told = f"there is no {scope}" if scope else "there are several places for a role"
        raise UsageError(f"{told}: name one of {', '.join(cluster_arguments)} with --scope")
    need = cluster_arguments[scope]
    for role in need.roles[task]:
        say(f"besides it takes {role}: what charts create inside clusters is not in the list", err=True)
    for other in needs:
        if other is not need and other.permissions[task]:
            say(f"besides, in {other.scope.title}: {', '.join(roles_for(other, task))}", err=True)
    return custom_role(need, task)
