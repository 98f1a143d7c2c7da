"""Resources that need an API of the project wait until it is enabled, or the first apply fails."""

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from support import GOLDENS

#: The API that makes each type of resource. None: it changes only what exists already, where the API of
#: whoever owns it is on.
APIS = {
    "google_artifact_registry_repository": "artifactregistry",
    "google_artifact_registry_repository_iam_member": "artifactregistry",
    "google_binary_authorization_policy": "binaryauthorization",
    "google_binary_authorization_attestor": "binaryauthorization",
    "google_cloud_scheduler_job": "cloudscheduler",
    "google_cloudbuild_worker_pool": "cloudbuild",
    "google_compute_disk": "compute",
    "google_compute_storage_pool": "compute",
    "google_compute_firewall": "compute",
    "google_compute_global_address": "compute",
    "google_compute_health_check": "compute",
    "google_compute_instance_group_manager": "compute",
    "google_compute_image_iam_member": "compute",
    "google_compute_instance_template": "compute",
    "google_compute_network": "compute",
    "google_compute_per_instance_config": "compute",
    "google_compute_resize_request": "compute",
    "google_compute_resource_policy": "compute",
    "google_compute_router": "compute",
    "google_compute_router_nat": "compute",
    "google_compute_subnetwork": "compute",
    "google_container_cluster": "container",
    "google_container_node_pool": "container",
    "google_filestore_instance": "file",
    "google_filestore_snapshot": "file",
    # The key is there already, and so is the API that serves it, in whichever project it is.
    "google_kms_crypto_key_iam_member": None,
    "google_lustre_instance": "lustre",
    "google_monitoring_alert_policy": "monitoring",
    "google_monitoring_dashboard": "monitoring",
    "google_netapp_storage_pool": "netapp",
    "google_netapp_volume": "netapp",
    "google_parallelstore_instance": "parallelstore",
    "google_project_iam_custom_role": "iam",
    "google_project_iam_member": "cloudresourcemanager",
    "google_secret_manager_regional_secret": "secretmanager",
    "google_secret_manager_regional_secret_iam_member": "secretmanager",
    "google_secret_manager_secret": "secretmanager",
    "google_secret_manager_secret_iam_member": "secretmanager",
    "google_service_account": "iam",
    "google_service_account_iam_member": "iam",
    "google_service_networking_connection": "servicenetworking",
    "google_storage_anywhere_cache": None,
    "google_storage_bucket": "storage",
    "google_storage_bucket_iam_member": None,
    "google_storage_bucket_object": None,
}
ENABLING = "google_project_service"
ADDRESS = re.compile(r"\b(?:data\.)?[a-z][a-z0-9_]*\.[A-Za-z_][\w-]*")


def texts(value: Any) -> Iterator[str]:
    """All texts in a value."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict | list):
        for each in value.values() if isinstance(value, dict) else value:
            yield from texts(each)


def resources(stack: dict[str, Any]) -> dict[str, Any]:
    """The resources and data sources of a stack, by address."""
    found = {
        f"{prefix}{kind}.{name}": body
        for section, prefix in (("resource", ""), ("data", "data."))
        for kind, named in stack.get(section, {}).items()
        for name, body in named.items()
    }
    assert found
    return found


def refers_to(body: Any, known: dict[str, Any]) -> set[str]:
    """The resources that one waits for: those it refers to, and those it depends on."""
    inserted = [piece for text in texts(body) for piece in re.findall(r"\$\{(.*?)\}", text)]
    named = [*inserted, *(body.get("depends_on") or [])]
    return {address for text in named for address in ADDRESS.findall(text) if address in known}


def waits_for(address: str, graph: dict[str, set[str]]) -> set[str]:
    """Everything that one waits for, directly or not."""
    found: set[str] = set()
    todo = [address]
    while todo:
        new = graph[todo.pop()] - found
        found |= new
        todo += new
    return found


def enabled_in(stack: dict[str, Any]) -> set[str]:
    """The APIs that a stack enables."""
    services = stack["resource"].get(ENABLING, {}).values()
    return {
        name for each in services for text in texts(each) for name in re.findall(r"(\w+)\.googleapis", text)
    }


def stacks_of(golden: Path) -> list[dict[str, Any]]:
    """The stacks of a golden, in the order of their use."""
    made = json.loads(golden.read_text("utf-8"))
    return [made] if "resource" in made else list(made.values())


def too_early(stacks: list[dict[str, Any]]) -> list[str]:
    """The resources that may be made before their API is on."""
    before: set[str] = set()
    early = []
    for stack in stacks:
        known, here = resources(stack), enabled_in(stack)
        graph = {address: refers_to(body, known) for address, body in known.items()}
        for address in known:
            kind = address.removeprefix("data.").partition(".")[0]
            if not kind.startswith("google_") or kind == ENABLING or address.startswith("data."):
                continue
            api = APIS[kind]  # a type that is not there: say which API it needs
            waits = any(each.startswith(f"{ENABLING}.") for each in waits_for(address, graph))
            if api and api not in before and not (api in here and waits):
                early.append(address)
        before |= here
    return early


GOOGLE = [
    golden
    for golden in sorted(GOLDENS.glob("*.tf.json"))
    if any(ENABLING in stack["resource"] for stack in stacks_of(golden))
]


@pytest.mark.parametrize("golden", GOOGLE, ids=lambda path: path.name.removesuffix(".tf.json"))
def test_everything_waits_for_its_api(golden: Path) -> None:
    assert too_early(stacks_of(golden)) == []


def test_what_does_not_wait_is_found() -> None:
    stacks = stacks_of(GOLDENS / "vm-smallest.tf.json")
    (network,) = (
        body for body in stacks[0]["resource"]["google_compute_network"].values() if body.get("depends_on")
    )
    del network["depends_on"]
    assert any(each.startswith("google_compute_subnetwork.") for each in too_early(stacks))
