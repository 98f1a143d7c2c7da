"""Prerequisites of clusters, derived from their stacks."""

import json
import tempfile
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from clusterprint.derived.machines import Machines
from clusterprint.document import Document
from clusterprint.resource_types import Service, resource_type
from clusterprint.review.delta import Resource
from clusterprint.review.machines import machines_of
from clusterprint.review.quota import QuotaNeed, quota_needs
from clusterprint.review.stack_file import read_stack
from clusterprint.rights import Need, needs
from clusterprint.synth import plan_all, synthesize
from clusterprint.validate import Validated


class FileSystem(NamedTuple):
    """A file system that stacks make: the service that makes it, and the zone or region that it is in."""

    service: Service
    location: str


class Wanted(NamedTuple):
    """The requirements of one cluster.

    `owner` is its project or subscription, `services` are what the stacks enable or register themselves.
    """

    file: str
    name: str
    kind: str
    owner: str
    bucket: str
    machines: tuple[Machines, ...]
    quota: tuple[QuotaNeed, ...]
    rights: tuple[Need, ...]
    services: tuple[str, ...]
    file_systems: tuple[FileSystem, ...]
    resources: tuple[Resource, ...]
    document: Document

    @property
    def is_azure(self) -> bool:
        """Whether its machines are Azure's; its state is Google's all the same."""
        return self.kind == "vmss"

    @property
    def place(self) -> str:
        """Its project or subscription, in words."""
        return f"{'subscription' if self.is_azure else 'project'} {self.owner}"

    @property
    def group(self) -> str:
        """The resource group of its machines, on Azure."""
        keys = {"azurerm_resource_group": "name"}
        names = (
            str(each.values.get(keys.get(each.type, "resource_group_name"), "")) for each in self.resources
        )
        return next((each for each in names if each and "${" not in each), "")


def wanted(results: Iterable[Validated]) -> list[Wanted]:
    """The requirements of each blueprint; they validated without errors."""
    with tempfile.TemporaryDirectory(prefix="clusterprint-") as folder:
        return [_of(result, Path(folder) / str(number)) for number, result in enumerate(results)]


def _of(result: Validated, folder: Path) -> Wanted:
    files = synthesize(plan_all([result]), folder)
    return of_stacks(result.document, files)


def of_stacks(document: Document, files: Iterable[Path]) -> Wanted:
    """The requirements of one blueprint's stacks."""
    paths, data = list(files), document.data
    stacks = [json.loads(each.read_text("utf-8")) for each in paths]
    read = [read_stack(each, each.parent.name) for each in paths]
    resources = [each for stack in read for each in stack.resources.values()]
    owner = str(data.get("project") or data.get("subscription") or "")
    return Wanted(
        document.file,
        str(data["name"]),
        str(data["kind"]),
        owner,
        str(data["backend"]["gcs"]["bucket"]),
        tuple(machines_of(resources)),
        tuple(quota_needs(resources, owner)),
        tuple(needs(stacks)),
        tuple(sorted({*_enabled(resources), *_registered(stacks)})),
        tuple(dict.fromkeys(_file_systems(resources))),
        tuple(resources),
        document,
    )


def _file_systems(resources: Iterable[Resource]) -> Iterable[FileSystem]:
    return (
        FileSystem(known.service, str(each.values.get(known.place or "", "")))
        for each in resources
        if (known := resource_type(each.type)).service
    )


def _enabled(resources: Iterable[Resource]) -> Iterable[str]:
    return (
        str(each.values.get("service", "")) for each in resources if each.type == "google_project_service"
    )


def _registered(stacks: Iterable[Mapping[str, Any]]) -> Iterable[str]:
    for stack in stacks:
        for provider in stack.get("provider", {}).get("azurerm", []):
            yield from provider.get("resource_providers_to_register", [])
