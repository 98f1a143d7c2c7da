"""Whether file systems are offered where they are wanted: which zones have a kind, only its own API says."""

from collections.abc import Iterable
from typing import NamedTuple

from clusterprint.cloud.google import Google, path
from clusterprint.doctor.finding import Finding, Findings


class FileService(NamedTuple):
    """What makes file systems: the name of its API, what people call it, its group of commands in gcloud."""

    api: str
    title: str
    group: str


#: By the type of resource that each makes.
FILE_SERVICES = {
    "google_lustre_instance": FileService("lustre", "Managed Lustre", "lustre"),
    "google_filestore_instance": FileService("file", "Filestore", "filestore"),
    "google_netapp_storage_pool": FileService("netapp", "NetApp Volumes", "netapp"),
    "google_parallelstore_instance": FileService("parallelstore", "Parallelstore", "parallelstore"),
}


def file_systems(google: Google, project: str, service: FileService, wanted: Iterable[str]) -> Findings:
    """Whether a service is offered in each zone or region that is wanted."""
    address = f"v1/{path('projects', project, 'locations')}"
    offered = {str(each.get("locationId")) for each in google.pages(service.api, address, "locations")}
    for location in sorted(set(wanted)):
        place = f"project {project}"
        if location in offered:
            yield Finding(place, "file_system", "ok", f"{service.title} is offered in {location}")
        else:
            message = f"{service.title} is not offered to this project in {location} now"
            mend = f"gcloud {service.group} locations list --project={project}"
            yield Finding(place, "file_system", "lacks", message, mend)
