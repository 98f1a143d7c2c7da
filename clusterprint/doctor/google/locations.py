"""Whether file systems are offered where they are wanted: which zones have a kind, only its own API says."""

from collections.abc import Iterable

from clusterprint.cloud.google import Google, path
from clusterprint.doctor.finding import Finding, Findings
from clusterprint.resource_types import Service


def file_systems(google: Google, project: str, service: Service, wanted: Iterable[str]) -> Findings:
    """Whether a service is offered in each zone or region that is wanted."""
    address = f"v1/{path('projects', project, 'locations')}"
    offered = {str(each.get("locationId")) for each in google.pages(service.api, address, "locations")}
    for location in sorted(set(wanted)):
        place = f"project {project}"
        if location in offered:
            yield Finding(place, "file_system", "ok", f"{service.title} is offered in {location}")
        else:
            message = f"{service.title} is not offered to this project in {location} now"
            fix = f"gcloud {service.gcloud} locations list --project={project}"
            yield Finding(place, "file_system", "lacks", message, fix)
