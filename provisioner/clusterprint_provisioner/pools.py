"""Node pools and operations as the container API tells of them, and pools as it is told to make them."""

import hashlib
import json
from typing import Any

import msgspec
from msgspec import Struct

from clusterprint_provisioner.demand import Demand
from clusterprint_provisioner.fit import PODS_PER_NODE, own_labels
from clusterprint_provisioner.identity import ATTEMPT, CHIPS, HASH, METADATA, Identity, claim
from clusterprint_provisioner.offers import SPOT, Offer
from clusterprint_provisioner.settings import Settings

_BOUND = "alpha.jobset.sigs.k8s.io/no-schedule"
_LONGEST_RUN = "604800s"


class Code(Struct, frozen=True, rename="camel"):
    """The error of a pool."""

    code: str = ""
    canonical_code: str = ""
    message: str = ""


class Config(Struct, frozen=True, rename="camel"):
    """The configuration of a pool's nodes."""

    machine_type: str = ""
    labels: dict[str, str] = {}
    metadata: dict[str, str] = {}
    spot: bool = False


class Autoscaling(Struct, frozen=True):
    """Whether a pool grows by itself."""

    enabled: bool = False


class Placement(Struct, frozen=True, rename="camel"):
    """How its nodes are laid out."""

    tpu_topology: str = ""


class Pool(Struct, frozen=True, rename="camel"):
    """A node pool."""

    name: str
    status: str = ""
    status_message: str = ""
    config: Config = Config()
    conditions: tuple[Code, ...] = ()
    autoscaling: Autoscaling = Autoscaling()
    placement_policy: Placement = Placement()
    locations: tuple[str, ...] = ()

    @property
    def identity(self) -> Identity | None:
        """Whose it is, if we made it."""
        return claim(self.name, self.config.labels, self.config.metadata)

    @property
    def chips(self) -> int:
        """How many chips it has, if we made it."""
        text = self.config.labels.get(CHIPS, "")
        return int(text) if text.isascii() and text.isdigit() else 0


class Error(Struct, frozen=True):
    """How an operation failed."""

    message: str = ""
    code: int = 0


class Operation(Struct, frozen=True, rename="camel"):
    """Something that is done to a cluster."""

    name: str
    operation_type: str = ""
    status: str = ""
    target_link: str = ""
    start_time: str = ""
    status_message: str = ""
    error: Error = Error()

    @property
    def pool(self) -> str:
        """The name of the pool that it is about, or an empty text."""
        _, found, name = self.target_link.rpartition("/nodePools/")
        return name if found else ""

    @property
    def failed(self) -> str:
        """How it failed, if it did."""
        if self.status not in ("DONE", "ABORTING"):
            return ""
        return self.error.message or (f"error {self.error.code}" if self.error.code else self.status_message)


def body(demand: Demand, offer: Offer, attempt: int, settings: Settings) -> dict[str, Any]:
    """The node pool for a demand, as the API takes it."""
    shape, flexible = demand.shape, offer.model == "flex-start"
    pool: dict[str, Any] = {
        "name": demand.identity.pool,
        "initialNodeCount": 0 if flexible else shape.nodes,
        "locations": [offer.zone],
        "config": _config(demand, offer, settings),
        # An upgrade would end the job. GKE wants no repair where nodes come by flex-start.
        "management": {"autoRepair": not flexible, "autoUpgrade": False},
        "maxPodsConstraint": {"maxPodsPerNode": PODS_PER_NODE},
    }
    if flexible:
        pool["autoscaling"] = {
            "enabled": True,
            "totalMinNodeCount": 0,
            "totalMaxNodeCount": shape.nodes,
            "locationPolicy": "ANY",
        }
    else:
        pool["upgradeSettings"] = {"maxSurge": 1}
    if shape.topology:
        pool["placementPolicy"] = {
            "type": "COMPACT",
            **({"policyName": demand.policy} if shape.needs_policy else {"tpuTopology": shape.topology}),
        }
    if demand.networks:
        pool["networkConfig"] = {
            "additionalNodeNetworkConfigs": [
                {"network": each.network, "subnetwork": each.subnetwork} for each in demand.networks
            ]
        }
    pool["config"]["labels"] |= {ATTEMPT: str(attempt), HASH: digest(demand), CHIPS: str(shape.chips)}
    return pool


def digest(demand: Demand) -> str:
    """A checksum of the request of a job, without the place and model that serve it."""
    wanted = [demand.shape.machine, demand.shape.nodes, demand.shape.topology, sorted(demand.labels.items())]
    wanted.append(sorted({f"{each.model} {each.reservation}" for each in demand.offers}))
    return hashlib.sha256(json.dumps(wanted).encode()).hexdigest()[:16]


def asked_by(demand: Demand) -> str:
    """A checksum of everything in a pod that the scheduler reads, as far as it is known."""
    return hashlib.sha256(msgspec.json.encode(demand.pod.spec)).hexdigest()[:16]


def _config(demand: Demand, offer: Offer, settings: Settings) -> dict[str, Any]:
    config: dict[str, Any] = {
        "machineType": demand.shape.machine,
        "oauthScopes": ["https://www.googleapis.com/auth/cloud-platform"],
        "labels": own_labels(demand.labels, demand.identity),
        "metadata": {METADATA: demand.identity.text},
        "shieldedInstanceConfig": {
            "enableIntegrityMonitoring": True,
            "enableSecureBoot": settings.node_secure_boot,
        },
        "workloadMetadataConfig": {"mode": "GKE_METADATA"},
        "reservationAffinity": {"consumeReservationType": "NO_RESERVATION"},
    }
    _add_capacity(config, offer)
    optional = {
        "serviceAccount": demand.service_account,
        "tags": list(settings.node_tags),
        "diskType": settings.node_disk_type,
        "bootDiskKmsKey": settings.node_boot_disk_kms_key,
        "enableConfidentialStorage": settings.node_confidential_storage,
        "taints": _taints(demand, offer),
    }
    config |= {key: value for key, value in optional.items() if value}
    if settings.node_secondary_disk:
        config["secondaryBootDisks"] = [
            {"diskImage": settings.node_secondary_disk, "mode": "CONTAINER_IMAGE_CACHE"}
        ]
    if demand.shape.gpu:
        config["accelerators"] = [
            {
                "acceleratorType": demand.shape.gpu,
                "acceleratorCount": str(demand.shape.gpus),
                "gpuDriverInstallationConfig": {"gpuDriverVersion": "DEFAULT"},
            }
        ]
    return config


def _add_capacity(config: dict[str, Any], offer: Offer) -> None:
    if offer.model == "spot":
        config["spot"] = True
    elif offer.model == "flex-start":
        config |= {"flexStart": True, "maxRunDuration": _LONGEST_RUN}
    elif offer.model == "reservation":
        config["reservationAffinity"] = {
            "consumeReservationType": "SPECIFIC_RESERVATION",
            "key": "compute.googleapis.com/reservation-name",
            "values": [offer.reservation],
        }


def _taints(demand: Demand, offer: Offer) -> list[dict[str, str]]:
    """The taints that keep other pods away, if the pods of the job tolerate them."""
    wanted = [(_BOUND, "true")] + ([(SPOT, "true")] if offer.model == "spot" else [])
    return [
        {"key": key, "value": value, "effect": "NO_SCHEDULE"}
        for key, value in wanted
        if any(each.key == key and each.accepts(key, value) for each in demand.pod.spec.tolerations)
    ]
