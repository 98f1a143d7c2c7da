"""Plans for volumes inside a cluster: what pods find by a claim, and what they see of it."""

from typing import Literal

import msgspec

from clusterprint.plan.part import PlanPart

AccessMode = Literal["ReadWriteMany", "ReadOnlyMany"]


class StorageClassPlan(PlanPart, frozen=True, kw_only=True):
    """How further volumes of a kind are made when somebody claims one.

    `key` is the volume's name, or that of a class of its own. Without `zones` they may be anywhere; the class
    with `is_default` is that of claims that name none.
    """

    key: str
    name: str
    driver: str
    parameters: dict[str, str]
    reclaim_policy: Literal["Delete", "Retain"] = "Delete"
    binding: Literal["WaitForFirstConsumer", "Immediate"] = "WaitForFirstConsumer"
    zones: tuple[str, ...] = ()
    is_default: bool = False


class ClaimPlan(PlanPart, frozen=True, kw_only=True):
    """A volume of the blueprint in one namespace: the persistent volume `name`, and its `claim`.

    `volume` is its name in the blueprint: by an empty `handle`, the cluster's stack knows where it is. No
    other claim gets it: both sides name the other, and `storage_class` is that of nothing else. `size` and
    `asked`, for which the claim asks, are quantities of Kubernetes. Pods that use it run in `zone`, if that
    is not empty. The driver `nfs` is Kubernetes itself.
    """

    key: str
    volume: str
    name: str
    claim: str
    namespace: str
    storage_class: str
    size: str
    asked: str
    access_mode: AccessMode
    mount_options: tuple[str, ...]
    driver: str
    handle: str
    attributes: dict[str, str]
    fs_type: str
    zone: str


class ClaimsPlan(PlanPart, frozen=True, kw_only=True):
    """All classes and claims inside a cluster."""

    classes: tuple[StorageClassPlan, ...] = ()
    claims: tuple[ClaimPlan, ...] = ()


class PodVolumePlan(PlanPart, frozen=True, kw_only=True):
    """A volume of a pod; `key` is what the pod calls it.

    It is behind `claim`, and `read_only` is nothing that anybody writes to; without a claim, it is a disk of
    the pod's own, of `storage_class` and `size`, which goes with it.
    """

    key: str
    claim: str
    read_only: bool
    storage_class: str
    size: str


class PodMountPlan(PlanPart, frozen=True, kw_only=True):
    """Where containers see the volume `key` of their pod."""

    key: str
    path: str
    read_only: bool


class PodVolumesPlan(PlanPart, frozen=True, kw_only=True):
    """The volumes of a pod, where its containers see them, and what drivers read off it.

    Members of the group `group_id` may write to file systems that belong to root; 0 is none.
    """

    volumes: tuple[PodVolumePlan, ...] = ()
    mounts: tuple[PodMountPlan, ...] = ()
    annotations: dict[str, str] = msgspec.field(default_factory=dict)
    group_id: int = 0
