"""Policies of the organization that refuse parts of the stacks, as far as this login may read them."""

from clusterprint.cloud.answers import Refused
from clusterprint.cloud.google import Google, path
from clusterprint.doctor.finding import Finding, Findings
from clusterprint.doctor.policies import judged, rows
from clusterprint.doctor.wanted import Wanted


def policies(google: Google, wanted: Wanted) -> Findings:
    """Parts of one blueprint that effective policies of the project refuse, and custom constraints."""
    # a subnet of the project itself is not shared
    found, own = list[Finding](), f"projects/{wanted.owner}/"
    try:
        for row in rows("google"):
            values = [each for each in row.values(wanted.resources) if not each.startswith(own)]
            for name in row.policies if values else ():
                rules = _rules(google, wanted.owner, name)
                found += judged(row, name, rules, wanted, values)
    except Refused as error:
        off = "SERVICE_DISABLED" in str(error) or "has not been used" in str(error)
        tail = "" if off else "; roles/orgpolicy.policyViewer lets it"
        message = f"policies of the organization cannot be read: {error} ({error.status}){tail}"
        fix = f"gcloud services enable orgpolicy.googleapis.com --project={wanted.owner}" if off else ""
        yield Finding(wanted.place, "policies", "unasked", message, fix)
        return
    for each in found:
        name = each.message.partition(" ")[0]
        fix = f"gcloud org-policies describe {name} --project={wanted.owner} --effective"
        yield each._replace(fix=fix)
    if not found:
        message = f"no policy that is known here refuses a part of {wanted.name}"
        yield Finding(wanted.place, "policies", "ok", message)
    try:
        custom = _custom(google, wanted.owner)
    except Refused:
        return  # who may read the project's policies often may not list those of the organization
    if custom:
        message = f"custom constraints are not judged: {', '.join(custom)}"
        fix = f"gcloud org-policies describe {custom[0]} --project={wanted.owner} --effective"
        yield Finding(wanted.place, "policies", "unasked", message, fix)


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
