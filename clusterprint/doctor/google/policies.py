"""Policies of the organization that refuse parts of the stacks, as far as this login may read them."""

from collections.abc import Sequence
from contextlib import suppress
from itertools import product

from clusterprint.cloud.answers import Refused
from clusterprint.cloud.google import Google, path
from clusterprint.doctor.finding import Finding, Findings
from clusterprint.doctor.policies import judged, rows
from clusterprint.doctor.wanted import Wanted


def policies(google: Google, project: str, several: Sequence[Wanted]) -> Findings:
    """Parts of a project's blueprints that its effective policies refuse, and custom constraints."""
    place, own = f"project {project}", f"projects/{project}/"
    found, known = list[Finding](), dict[str, list[dict[str, object]]]()
    try:
        for wanted, row in product(several, rows("google")):
            # a subnet of the project itself is not shared
            values = [each for each in row.values(wanted.resources) if not each.startswith(own)]
            for name in row.policies if values else ():
                if name not in known:
                    known[name] = _rules(google, project, name)
                found += judged(row, name, known[name], wanted, values)
    except Refused as error:
        off = "SERVICE_DISABLED" in str(error) or "has not been used" in str(error)
        tail = "" if off else "; roles/orgpolicy.policyViewer lets it"
        message = f"policies of the organization cannot be read: {error} ({error.status}){tail}"
        fix = f"gcloud services enable orgpolicy.googleapis.com --project={project}" if off else ""
        yield Finding(place, "policies", "unasked", message, fix)
        return
    show = f"gcloud org-policies describe {{}} --project={project} --effective"
    yield from (each._replace(fix=show.format(each.message.partition(" ")[0])) for each in found)
    if not found:
        yield Finding(place, "policies", "ok", f"none of {len(known)} policies refuses anything")
    with suppress(Refused):  # who may read the project's policies often may not list those above it
        if custom := _custom(google, project):
            message = f"custom constraints are not judged: {', '.join(custom)}"
            yield Finding(place, "policies", "unasked", message, show.format(custom[0]))


def _rules(google: Google, project: str, name: str) -> list[dict[str, object]]:
    """The rules of a constraint that are in force; none if the organization has no such constraint."""
    try:
        address = path("projects", project, "policies", name)
        found = google.get("orgpolicy", f"v2/{address}:getEffectivePolicy")
    except Refused as error:
        if not error.is_missing:
            raise
        return []
    rules: list[dict[str, object]] = found.get("spec", {}).get("rules", [])
    return rules


def _custom(google: Google, project: str) -> list[str]:
    """The custom constraints with policies in the project, its folders and its organization."""
    found = google.post("cloudresourcemanager", f"v1/{path('projects', project)}:getAncestry", {})
    places = [each["resourceId"] for each in found.get("ancestor", [])]
    listed = (
        str(each.get("name", "")).rpartition("/")[2]
        for place in places
        for each in google.pages(
            "orgpolicy", f"v2/{path(place['type'] + 's', place['id'], 'policies')}", "policies"
        )
    )
    return sorted({each for each in listed if each.startswith("custom.")})
