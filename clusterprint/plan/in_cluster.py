"""The shared fields of plans of stacks inside a Kubernetes cluster."""

from typing import ClassVar

from clusterprint.plan.claims import ClaimsPlan
from clusterprint.plan.gke.cluster import ComputeClassPlan
from clusterprint.plan.kubernetes import (
    ClusterAccessPlan,
    DeviceClaimPlan,
    DeviceInjectorPlan,
    InterfaceProgramPlan,
    NetworkObjectPlan,
    PluginPlan,
    ReachedPlan,
    ServiceAccountObjectPlan,
)
from clusterprint.plan.part import StackPlan
from clusterprint.plan.state import StatePlan


class InClusterPlan(StackPlan, frozen=True, kw_only=True):
    """A stack inside a Kubernetes cluster; `device_claims` are by namespace."""

    has_objects: ClassVar[bool] = True

    project: str
    region: str
    state: StatePlan
    access: ClusterAccessPlan
    reached: ReachedPlan
    namespaces: tuple[str, ...]
    service_accounts: tuple[ServiceAccountObjectPlan, ...]
    networks: tuple[NetworkObjectPlan, ...]
    plugins: tuple[PluginPlan, ...]
    device_injectors: tuple[DeviceInjectorPlan, ...]
    interface_programs: tuple[InterfaceProgramPlan, ...]
    device_claims: dict[str, tuple[DeviceClaimPlan, ...]]
    compute_classes: tuple[ComputeClassPlan, ...]
    claims: ClaimsPlan
