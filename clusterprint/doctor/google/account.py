"""The account, and whether the project can be used at all."""

from collections.abc import Iterable, Iterator

from clusterprint.cloud.answers import Refused
from clusterprint.cloud.google import LOGIN, Google, path
from clusterprint.doctor.finding import Finding, Findings

#: What Terraform asks before it can enable anything else.
_FIRST = ("cloudresourcemanager.googleapis.com", "serviceusage.googleapis.com")
_AT_ONCE = 20


def login(google: Google) -> Findings:
    """Whose credentials Terraform takes."""
    identity = google.identity
    if identity:
        yield Finding("this machine", "credentials", "ok", f"application default credentials of {identity}")
    else:
        message = "application default credentials work, but do not name their account"
        yield Finding("this machine", "credentials", "ok", message, LOGIN)


def project(google: Google, name: str) -> Findings:
    """Whether there is such a project, and it is active."""
    place = f"project {name}"
    try:
        found = google.get("cloudresourcemanager", f"v3/{path('projects', name)}")
    except Refused as error:
        message = f"this login can see no project {name} ({error.status})"
        yield Finding(place, "project", "lacks", message, f"gcloud projects create {name}")
        return
    state = str(found.get("state", ""))
    if state == "ACTIVE":
        yield Finding(place, "project", "ok", f"project {name} is active")
    else:
        message = f"project {name} is not active: {state}"
        yield Finding(place, "project", "lacks", message, f"gcloud projects undelete {name}")


def billing(google: Google, name: str) -> Findings:
    """Whether somebody pays for the project."""
    place = f"project {name}"
    found = google.get("cloudbilling", f"v1/{path('projects', name)}/billingInfo")
    if found.get("billingEnabled"):
        yield Finding(place, "billing", "ok", f"billing is enabled: {found.get('billingAccountName', '')}")
    else:
        fix = f"gcloud billing projects link {name} --billing-account=ACCOUNT_ID"
        yield Finding(place, "billing", "lacks", "no billing account pays for the project", fix)


def services(google: Google, name: str, own: Iterable[str]) -> Findings:
    """Which APIs are off that have to be on; those that the stacks enable come with the first apply."""
    place, own = f"project {name}", set(own)
    states = dict(_states(google, name, sorted({*own, *_FIRST})))
    off = [each for each in _FIRST if states.get(each) != "ENABLED"]
    if off:
        fix = f"gcloud services enable {' '.join(off)} --project={name}"
        yield Finding(place, "apis", "lacks", f"Terraform needs APIs that are off: {', '.join(off)}", fix)
    later = sorted(each for each in own - set(off) if states.get(each) != "ENABLED")
    if later:
        yield Finding(place, "apis", "ok", f"the first apply enables {', '.join(later)}")
    elif not off:
        yield Finding(place, "apis", "ok", f"{len(states)} APIs are enabled")


def _states(google: Google, name: str, wanted: list[str]) -> Iterator[tuple[str, str]]:
    for start in range(0, len(wanted), _AT_ONCE):
        names = [f"projects/{name}/services/{each}" for each in wanted[start : start + _AT_ONCE]]
        found = google.get("serviceusage", f"v1/{path('projects', name)}/services:batchGet", names=names)
        for each in found.get("services", []):
            yield str(each.get("name", "")).rpartition("/")[2], str(each.get("state", ""))
