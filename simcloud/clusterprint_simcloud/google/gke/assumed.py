"""Clusters that a configuration looks up, or that a kubectl context leads to: somebody else has made them."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from typing import Any

from clusterprint_simcloud.cloud.contents import Record
from clusterprint_simcloud.google.gke.endpoints import AUTHORITY
from clusterprint_simcloud.google.gke.places import CLUSTER, region_of
from clusterprint_simcloud.google.gke.versions import NEWEST

# A platform team's cluster: everything that workloads may want of it is switched on.
_ADDONS = (
    "dns_cache_config",
    "gce_persistent_disk_csi_driver_config",
    "gcp_filestore_csi_driver_config",
    "gcs_fuse_csi_driver_config",
    "high_scale_checkpointing_config",
    "lustre_csi_driver_config",
    "parallelstore_csi_driver_config",
    "ray_operator_config",
)
_BETA_APIS = ("deviceclasses", "resourceclaims", "resourceclaimtemplates", "resourceslices")
_KUBERNETES = ("kubernetes", "helm")


def clusters(documents: Sequence[dict[str, Any]]) -> Iterator[Record]:
    """Those of GKE that Terraform JSON looks up by name."""
    for document in documents:
        for found in document.get("data", {}).get(CLUSTER, {}).values():
            project, location, name = (str(found.get(one)) for one in ("project", "location", "name"))
            identity = f"projects/{project}/locations/{location}/clusters/{name}"
            yield Record(CLUSTER, identity, _state(identity, project, location, name), builtin=True)


def contexts(documents: Sequence[dict[str, Any]]) -> Iterator[Record]:
    """Those that providers reach by a context; the kubeconfig is taken to have it."""
    for document in documents:
        for provider in _KUBERNETES:
            for configured in document.get("provider", {}).get(provider, ()):
                inner = configured.get("kubernetes", configured)
                if name := inner.get("config_context"):
                    state = {"name": name, "context": name}
                    yield Record(CLUSTER, f"contexts/{name}", state, builtin=True)


def _state(identity: str, project: str, location: str, name: str) -> dict[str, Any]:
    digest = hashlib.sha256(identity.encode()).hexdigest()
    by_name = f"gke-{digest[:32]}.{region_of(location)}.gke.goog"
    network = f"projects/{project}/global/networks/default"
    return {
        "id": identity,
        "name": name,
        "project": project,
        "location": location,
        "network": network,
        "subnetwork": f"projects/{project}/regions/{region_of(location)}/subnetworks/default",
        "endpoint": f"34.73.{int(digest[:2], 16)}.{int(digest[2:4], 16)}",
        "master_auth": [{"cluster_ca_certificate": AUTHORITY}],
        "master_version": NEWEST,
        "node_version": NEWEST,
        "min_master_version": NEWEST,
        "release_channel": [{"channel": "UNSPECIFIED"}],
        "enable_autopilot": False,
        "enable_multi_networking": True,
        "datapath_provider": "ADVANCED_DATAPATH",
        "networking_mode": "VPC_NATIVE",
        "ip_allocation_policy": [{"cluster_ipv4_cidr_block": "100.64.0.0/14"}],
        "cluster_ipv4_cidr": "100.64.0.0/14",
        "default_max_pods_per_node": 110,
        "workload_identity_config": [{"workload_pool": f"{project}.svc.id.goog"}],
        "addons_config": [{one: [{"enabled": True}] for one in _ADDONS}],
        "enable_k8s_beta_apis": [{"enabled_apis": [f"resource.k8s.io/v1beta1/{one}" for one in _BETA_APIS]}],
        "control_plane_endpoints_config": [
            {
                "dns_endpoint_config": [{"endpoint": by_name, "allow_external_traffic": True}],
                "ip_endpoints_config": [{"enabled": True}],
            }
        ],
    }
