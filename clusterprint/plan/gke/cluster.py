"""The plan of the stack `<name>-cluster`: a GKE cluster, whatever runs inside it."""

from typing import ClassVar, Literal

from clusterprint.plan.builds import BuildsPlan
from clusterprint.plan.gke.control_plane import ControlPlanePlan
from clusterprint.plan.gke.pools import PoolPlan, TpuPlan
from clusterprint.plan.google import (
    BucketPlan,
    KeyGrantPlan,
    NatPlan,
    NetworkPlan,
    PolicyPlan,
    ServiceAccountPlan,
    SubnetPlan,
)
from clusterprint.plan.kept_data import KeptDataPlan
from clusterprint.plan.kubernetes import ExistingPlan, ReachedPlan
from clusterprint.plan.monitoring import MonitoringPlan
from clusterprint.plan.part import PlanPart, StackPlan
from clusterprint.plan.state import StatePlan
from clusterprint.plan.volumes import VolumesPlan


class PoolPolicyPlan(PlanPart, frozen=True, kw_only=True):
    """A resource policy of a pool; `key` is the pool's."""

    key: str
    policy: PolicyPlan


class InitScriptPlan(PlanPart, frozen=True, kw_only=True):
    """The script that the nodes of a pool run at creation: a text, kept as an object of a bucket.

    `pool` is the name in the blueprint. Nodes may read what is below `prefix`.
    """

    pool: str
    bucket: str
    prefix: str
    object: str
    text: str


class CreationRulePlan(PlanPart, frozen=True, kw_only=True):
    """One way to obtain nodes; `reservation` is a name in `reservation_project`, both empty for none."""

    spot: bool
    flex_start: bool
    max_run_seconds: int
    reservation: str
    reservation_project: str


class CreatedNodesPlan(PlanPart, frozen=True, kw_only=True):
    """Nodes that GKE makes pools for, by each of the `rules` in their order, as the account `email`.

    `vcpu_limit` is what all nodes of the class together may have; 0 sets no limit. How many are counted on,
    `max_nodes`, is written under `count_annotation`, for reviews: GKE does not read it.
    """

    machine_type: str
    gpu_type: str
    gpu_count: int
    gpu_driver: str
    tpu: TpuPlan | None
    zones: tuple[str, ...]
    disk_type: str
    disk_size_gb: int
    image_type: str
    email: str
    rules: tuple[CreationRulePlan, ...]
    max_nodes: int
    count_annotation: str
    vcpu_limit: int
    kms_key: str = ""


class ComputeClassPlan(PlanPart, frozen=True, kw_only=True):
    """A compute class: node pools of GKE by name, in the order in which they are tried.

    After these come nodes that GKE makes pools for, if there are any.
    """

    name: str
    pools: tuple[str, ...]
    created: CreatedNodesPlan | None
    when_unsatisfiable: Literal["DoNotScaleUp", "ScaleUpAnyway"]
    migrate: bool


class BucketGrantPlan(PlanPart, frozen=True, kw_only=True):
    """A role on a bucket."""

    bucket: str
    role: str


class SecretPlan(PlanPart, frozen=True, kw_only=True):
    """A secret that is created, without a value; `location` is empty, or the region of a regional one."""

    name: str
    location: str
    protected: bool
    kms_key: str = ""


class IdentityPlan(PlanPart, frozen=True, kw_only=True):
    """The permissions of a cluster's service account; `service_account` is its impersonator, or empty.

    It may read `secrets`, and those of `regional_secrets` by their region.
    """

    key: str
    namespace: str
    name: str
    service_account: str
    roles: tuple[str, ...]
    buckets: tuple[BucketGrantPlan, ...]
    secrets: tuple[str, ...]
    regional_secrets: dict[str, tuple[str, ...]]


class ClusterOutputsPlan(PlanPart, frozen=True, kw_only=True):
    """The outputs of the stack that are known beforehand."""

    connect: tuple[str, ...]
    dashboards: dict[str, str]
    submit: tuple[str, ...]
    secrets: dict[str, str]
    state: str


class GkeClusterPlan(StackPlan, frozen=True, kw_only=True):
    """A GKE cluster on Google Cloud: one stack, called `name`; all in it is named after `cluster`.

    Of an `existing` one, only what is added to it: it has a control plane and a pool for the system already,
    and `nodes` of its own that jobs may run on.
    """

    module: ClassVar[str] = "gke.cluster"

    cluster: str
    google_provider: str
    project: str
    region: str
    zone: str
    labels: dict[str, str]
    state: StatePlan
    services: tuple[str, ...]
    networks: tuple[NetworkPlan, ...]
    proxy_subnet: SubnetPlan | None
    nat: NatPlan | None
    service_account: ServiceAccountPlan | None
    key_grants: tuple[KeyGrantPlan, ...]
    buckets: tuple[BucketPlan, ...]
    volumes: VolumesPlan | None
    kept_data: KeptDataPlan | None
    reached: ReachedPlan
    existing: ExistingPlan | None
    control_plane: ControlPlanePlan | None
    policies: tuple[PoolPolicyPlan, ...]
    system_pool: PoolPlan | None
    pools: tuple[PoolPlan, ...]
    nodes: tuple[PoolPlan, ...]
    created: tuple[PoolPlan, ...]
    compute_classes: tuple[ComputeClassPlan, ...]
    secrets: tuple[SecretPlan, ...]
    identities: tuple[IdentityPlan, ...]
    builds: BuildsPlan
    pages: MonitoringPlan | None
    outputs: ClusterOutputsPlan
    scripts: dict[str, str]
    init_scripts: tuple[InitScriptPlan, ...] = ()
