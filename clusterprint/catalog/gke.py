"""Limits, versions and reserved names of Google Kubernetes Engine."""

import re
from functools import cache
from typing import NamedTuple

import msgspec

from clusterprint.catalog.fact import Fact, read_table

_VERSION = re.compile(r"1\.(?P<minor>\d{1,3})(\.(?P<patch>\d{1,4})(-gke\.(?P<build>\d{1,9}))?)?")

# Later than any: a version without a patch means the newest patch of it.
_NEWEST = 10**9


class GkeLimits(Fact, frozen=True, kw_only=True):
    """How much of something a cluster may have; pairs are the smallest and the largest number.

    `nodes_without_quota` is what a cluster may have before Google raises its quota, and
    `nodes_of_zonal_cluster` what a control plane in one zone is recommended for. `clients_per_gpu` are the
    containers that share one GPU. `days_without_upgrades` is the longest maintenance exclusion that stops
    all upgrades.
    """

    pods_per_node: tuple[int, int]
    nodes_per_cluster: int
    nodes_without_quota: int
    nodes_of_zonal_cluster: int
    nodes_per_pool_zone: int
    pods_per_cluster: int
    clients_per_gpu: tuple[int, int]
    secondary_boot_disks: int
    maintenance_exclusions: int
    days_without_upgrades: int
    days_between_upgrades: int


class GkeVersion(NamedTuple):
    """A version of GKE; parts that were not written are those of the newest one."""

    minor: int
    patch: int
    build: int


class GkeFeature(Fact, frozen=True, kw_only=True):
    """Something that GKE has learned: the first version of each minor version that has it.

    `blocked` are versions that have lost it again: pairs of the first of them and the first that has it back.
    """

    since: tuple[str, ...]
    blocked: tuple[tuple[str, str], ...] = ()

    def is_in(self, version: GkeVersion) -> bool:
        """Whether a version has it. What a minor version brings, all later ones have."""
        first = [_parsed(each) for each in self.since]
        same = next((each for each in first if each.minor == version.minor), None)
        return version >= same if same else version.minor > max(first).minor

    def back_in(self, version: GkeVersion) -> str:
        """The version that has it again; empty for a version that has not lost it."""
        lost = (back for first, back in self.blocked if _parsed(first) <= version < _parsed(back))
        return next(lost, "")

    def first_after(self, version: GkeVersion) -> str:
        """The version to go to from one that does not have it."""
        later = (each for each in self.since if _parsed(each) > version)
        # "1.34.0-gke.0" means the whole minor version; strip the build.
        return min(later, key=_parsed, default=self.since[-1]).removesuffix(".0-gke.0")


class GkeChannels(Fact, frozen=True, kw_only=True):
    """The versions that release channels offered for new clusters when last checked.

    `defaults` is the version that they get without a word, `minors` the oldest and the newest minor version
    that they may ask for. Clusters outside of the channels are none of new customers', and enrolled in the
    stable channel after `no_channel_until`.
    """

    defaults: dict[str, str]
    minors: dict[str, tuple[int, int]]
    no_channel_until: str


class StorageClasses(Fact, frozen=True, kw_only=True):
    """Storage classes that are in a cluster without anybody's doing."""

    names: tuple[str, ...]


class ReservedKeys(Fact, frozen=True, kw_only=True):
    """Keys of node labels and taints that GKE keeps: beginnings of labels, whole labels, whole taints."""

    prefixes: tuple[str, ...]
    labels: tuple[str, ...]
    taints: tuple[str, ...]


class _Table(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    limits: GkeLimits
    features: dict[str, GkeFeature]
    machines: dict[str, GkeFeature]
    channels: GkeChannels
    reserved_keys: ReservedKeys
    storage_classes: StorageClasses


@cache
def _table() -> _Table:
    return read_table("google/gke", _Table)


def gke_limits() -> GkeLimits:
    """How much of something a cluster may have."""
    return _table().limits


def gke_feature(name: str) -> GkeFeature:
    """When GKE learned something, such as `flex-start-gpu`; KeyError for a name that is not in the table."""
    return _table().features[name]


def gke_features() -> tuple[GkeFeature, ...]:
    """All features that came with a version, machines among them."""
    return (*_table().features.values(), *_table().machines.values())


def gke_with(kind: str) -> GkeFeature | None:
    """When GKE learned of machines: a series such as `a4`, `g4-fraction`, or a TPU; None for any other."""
    return _table().machines.get(kind)


def gke_channels() -> GkeChannels:
    """The default version of new clusters."""
    return _table().channels


def reserved_keys() -> ReservedKeys:
    """Keys of node labels and taints that GKE keeps for itself."""
    return _table().reserved_keys


def storage_classes() -> tuple[str, ...]:
    """The names of the storage classes that GKE and its drivers make."""
    return _table().storage_classes.names


def gke_version(text: str) -> GkeVersion | None:
    """Read a version such as `1.33`, `1.33.4` or `1.33.4-gke.1036000`; None for anything else."""
    match = _VERSION.fullmatch(text)
    if match is None:
        return None
    parts = match.group("minor", "patch", "build")
    return GkeVersion(*(_NEWEST if each is None else int(each) for each in parts))


def _parsed(version: str) -> GkeVersion:
    found = gke_version(version)
    if found is None:
        raise ValueError(f"{version!r} is no version of GKE")
    return found
