"""Findings of a check: good, lacking, or not checkable."""

from collections.abc import Callable, Iterator
from typing import Literal, NamedTuple, TypeAlias

from clusterprint.cloud.answers import NoLogin, Refused, Unanswered
from clusterprint.errors import EnvironmentFailure
from clusterprint.rights.needs import Scope

Status: TypeAlias = Literal["ok", "lacks", "unasked"]


#: The checks that are about who is logged in.
LOGINS = frozenset({"credentials", "az_login"})
#: Checks that may stay open: few accounts may read policies, and the first apply names what they refuse.
OPTIONAL = frozenset({"policies"})


class Finding(NamedTuple):
    """One thing that was looked at.

    `place` is where: `this machine`, a project, a subscription, a bucket. `check` is a word that stays.
    `fix` is the one command that helps, where there is one.
    """

    place: str
    check: str
    status: Status
    message: str
    fix: str = ""


Findings: TypeAlias = Iterator[Finding]


def place_of(scope: Scope) -> str:
    """The place where rights are granted, in the words of all findings about it."""
    sort = {"shared": "project", "state": "bucket", "group": "resource group"}.get(scope.sort, scope.sort)
    return f"{sort} {scope.name.rpartition('/')[2]}"


def asked(place: str, check: str, ask: Callable[[], Findings]) -> Findings:
    """The findings of a question; one that says why nobody answered, where that is so."""
    try:
        yield from ask()
    except NoLogin as error:
        # said once where it is about the login; the rest is only not known
        lacks = check in LOGINS
        yield Finding(place, check, "lacks" if lacks else "unasked", str(error), error.fix if lacks else "")
    except Unanswered as error:
        yield Finding(place, check, "unasked", str(error))
    except EnvironmentFailure as error:
        message, _, fix = str(error).partition(": ")
        yield Finding(place, check, "unasked", message, fix)
    except Refused as error:
        yield Finding(place, check, "unasked", f"no access with this login: {error} ({error.status})")
