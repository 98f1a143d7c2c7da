"""Filestore, NetApp Volumes, Parallelstore and Managed Lustre: the addresses that Google chooses."""

from __future__ import annotations

from clusterprint_simcloud.api.answering import finishes
from clusterprint_simcloud.api.descriptions import Json
from clusterprint_simcloud.api.objects import Objects, fill


@finishes("file.Instance")
def _filestore(_objects: Objects, _key: str, value: Json) -> None:
    for network in value.get("networks", []):
        fill(
            network,
            {"ipAddresses": ["10.9.9.2"], "reservedIpRange": "10.9.9.0/29", "connectMode": "DIRECT_PEERING"},
        )


@finishes("netapp.Volume")
def _netapp(_objects: Objects, _key: str, value: Json) -> None:
    share = f"/{value.get('shareName', '')}"
    mount = {"export": share, "exportFull": f"10.9.9.4:{share}", "protocol": "NFSV3", "instructions": "mount"}
    fill(value, {"mountOptions": [mount]})


@finishes("parallelstore.Instance")
def _parallelstore(_objects: Objects, _key: str, value: Json) -> None:
    fill(value, {"accessPoints": ["10.9.9.5", "10.9.9.6", "10.9.9.7"], "daosVersion": "2.7"})


@finishes("lustre.Instance")
def _lustre(_objects: Objects, _key: str, value: Json) -> None:
    fill(value, {"mountPoint": f"10.9.9.8@tcp:/{value.get('filesystem', '')}"})
