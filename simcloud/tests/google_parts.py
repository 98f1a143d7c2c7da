"""Parts of a cluster on Google Cloud, for tests that put them together rightly and wrongly."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from conftest import Api

    from clusterprint_simcloud import Record


IMAGE = "projects/debian-cloud/global/images/family/debian-12"
ROCE = "projects/my-project/global/networkProfiles/us-central1-a-vpc-roce"


def network(api: Api, name: str = "net", **more: Any) -> Record:
    return api.create("google_compute_network", name=name, auto_create_subnetworks=False, **more)


def subnetwork(api: Api, net: Record, name: str = "sub", cidr: str = "10.0.0.0/24", **more: Any) -> Record:
    return api.create("google_compute_subnetwork", name=name, network=net.id, ip_cidr_range=cidr, **more)


def interface(sub: Record, kind: str | None = None) -> dict[str, Any]:
    return {"subnetwork": sub.state["self_link"], "nic_type": kind}


def template(api: Api, *interfaces: dict[str, Any], machine_type: str = "e2-small", **more: Any) -> Record:
    gpus = {"scheduling": [{"on_host_maintenance": "TERMINATE"}]} if machine_type.startswith("a") else {}
    return api.create(
        "google_compute_instance_template",
        name=more.pop("name", "template"),
        machine_type=machine_type,
        disk=[
            {"source_image": IMAGE, "boot": True, "disk_type": more.pop("disk_type", "hyperdisk-balanced")}
        ],
        network_interface=list(interfaces),
        **{**gpus, **more},
    )


def group(api: Api, made_from: Record, **more: Any) -> Record:
    version = [{"instance_template": made_from.state["self_link"]}]
    name = "google_compute_instance_group_manager"
    return api.create(name, name="group", base_instance_name="node", version=version, **more)


def names(api: Api, kind: str) -> list[str]:
    return sorted(one.state["name"] for one in api.cloud.read().of(kind) if not one.builtin)
