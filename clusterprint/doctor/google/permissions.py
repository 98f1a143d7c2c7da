"""Whether the account has the permissions that the stacks need, according to the APIs."""

from collections.abc import Callable, Sequence
from shlex import join
from typing import NamedTuple

from clusterprint.cloud.answers import Refused
from clusterprint.cloud.google import Google, path
from clusterprint.doctor.finding import Finding, Findings, place_of
from clusterprint.rights import TASKS, Need, Task, roles_for

_AT_ONCE = 100
_BAD_REQUEST = 400


class _Held(NamedTuple):
    """Permissions that one has; `untested` are those that cannot be asked for in this place."""

    held: set[str]
    untested: set[str]


def permissions(google: Google, need: Need) -> Findings:
    """The permissions missing in a project or a bucket, for plan, apply and destroy together."""
    place = place_of(need.scope)
    wanted = sorted({each for task in TASKS for each in need.permissions[task]})
    found = _test(wanted, _question(google, need))
    missing = sorted(set(wanted) - found.held - found.untested)
    if missing:
        shown = ", ".join(missing[:5]) + (f" and {len(missing) - 5} more" if len(missing) > 5 else "")  # noqa: PLR2004
        message = f"{len(missing)} of {len(wanted)} permissions are missing: {shown}"
        yield Finding(place, "permissions", "lacks", message, _grant(need, missing, google.identity))
    else:
        tested = len(wanted) - len(found.untested)
        yield Finding(
            place, "permissions", "ok", f"all {tested} permissions that the stacks need are granted"
        )
    if found.untested:
        named = ", ".join(sorted(found.untested))
        yield Finding(place, "permissions", "unasked", f"cannot be checked here: {named}")


def _question(google: Google, need: Need) -> Callable[[Sequence[str]], set[str]]:
    name = need.scope.name
    if need.scope.sort in {"bucket", "state"}:
        return lambda asked: set(
            google.get(
                "storage", f"storage/v1/{path('b', name)}/iam/testPermissions", permissions=list(asked)
            ).get("permissions", [])
        )
    return lambda asked: set(
        google.post(
            "cloudresourcemanager",
            f"v3/{path('projects', name)}:testIamPermissions",
            {"permissions": list(asked)},
        ).get("permissions", [])
    )


def _test(wanted: Sequence[str], ask: Callable[[Sequence[str]], set[str]]) -> _Held:
    """Ask in portions; one that holds a permission that the API refuses to hear of is asked in halves."""
    held, untested = set[str](), set[str]()
    waiting = [wanted[start : start + _AT_ONCE] for start in range(0, len(wanted), _AT_ONCE)]
    while waiting:
        portion = waiting.pop()
        try:
            held |= ask(portion)
        except Refused as error:
            if error.status != _BAD_REQUEST:
                raise
            if len(portion) == 1:
                untested |= set(portion)
            else:
                middle = len(portion) // 2
                waiting += [portion[:middle], portion[middle:]]
    return _Held(held, untested)


def _grant(need: Need, missing: Sequence[str], identity: str) -> str:
    """The command that grants narrow roles with what is missing."""
    nothing: dict[Task, tuple[str, ...]] = dict.fromkeys(TASKS, ())
    only = Need(need.scope, {**nothing, "apply": tuple(missing)}, nothing)
    member = identity or "user:NAME@EXAMPLE.COM"
    bucket = need.scope.sort in {"bucket", "state"}
    target = ["storage", "buckets"] if bucket else ["projects"]
    name = f"gs://{need.scope.name}" if bucket else need.scope.name
    quiet = [] if bucket else ["--condition=None"]
    return " && ".join(
        join(
            [
                *("gcloud", *target, "add-iam-policy-binding", name),
                *(f"--member={member}", f"--role={role}", *quiet),
            ]
        )
        for role in roles_for(only, "apply")
    )
