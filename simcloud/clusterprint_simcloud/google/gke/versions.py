"""Release channels and versions; the numbers are made up, in the real form."""

from __future__ import annotations

import re
from typing import Any

from clusterprint_simcloud.cloud.behaviour import DataSource, State
from clusterprint_simcloud.cloud.contents import Contents
from clusterprint_simcloud.google.scheduling import block

_VERSIONS = {
    "RAPID": "1.34.1-gke.2037000",
    "REGULAR": "1.33.5-gke.1308000",
    "STABLE": "1.33.4-gke.1350000",
    "EXTENDED": "1.31.13-gke.1023000",
    "UNSPECIFIED": "1.33.5-gke.1308000",
}
NEWEST = _VERSIONS["RAPID"]
VERSION = re.compile(r"latest|-|1(?:\.\d+){0,2}(?:-gke\.\d+)?")


def channel_of(cluster: State) -> str:
    """The release channel. REST reference, ReleaseChannel: a cluster that asks for none is in REGULAR."""
    return str(block(cluster, "release_channel").get("channel") or "REGULAR")


def version_of(cluster: State) -> str:
    """The version of the control plane: the one asked for, if it is given in full."""
    wanted = str(cluster.get("min_master_version") or "")
    return wanted if "-gke." in wanted else _VERSIONS[channel_of(cluster)]


def asked(state: State) -> str:
    """The version that is asked for in full, empty if GKE may choose."""
    wanted = str(state.get("version") or state.get("min_master_version") or "")
    return wanted if "-gke." in wanted else ""


def asked_with(pool: State, cluster: State) -> str:
    """The version that is asked for with a pool: its own, unless GKE chose it, or that of its cluster."""
    own = asked(pool)
    return own if own and own != version_of(cluster) else asked(cluster)


def is_older(version: str, than: str) -> bool:
    """Whether a version comes before another; both are given in full."""
    return _numbers(version) < _numbers(than)


def _numbers(version: str) -> list[int]:
    return [int(one) for one in re.findall(r"\d+", version)]


def _read_versions(_contents: Contents, config: dict[str, Any]) -> dict[str, Any]:
    prefix = str(config.get("version_prefix") or "")
    valid = sorted({one for one in _VERSIONS.values() if one.startswith(prefix)}, reverse=True)
    latest = valid[0] if valid else ""
    channels = {name: one for name, one in _VERSIONS.items() if name != "UNSPECIFIED"}
    return {
        "id": "2025-01-01 00:00:00 +0000 UTC", "default_cluster_version": _VERSIONS["REGULAR"],
        "latest_master_version": latest, "latest_node_version": latest, "valid_master_versions": valid,
        "valid_node_versions": valid, "release_channel_default_version": channels,
        "release_channel_latest_version": channels, "release_channel_upgrade_target_version": channels,
    }  # fmt: skip


DATA_SOURCES = (DataSource("google_container_engine_versions", _read_versions),)
