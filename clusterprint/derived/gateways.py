"""Which clusters have load balancers of Google's with proxies in their network, and what leads to them."""

from msgspec import UNSET

from clusterprint import catalog
from clusterprint.blueprint.gke.blueprint import GkeBlueprint
from clusterprint.blueprint.gke.inference import Inference, Model
from clusterprint.blueprint.gke.kubernetes import KubernetesBlueprint, is_ray
from clusterprint.blueprint.gke.pod_groups import LeaderWorkerSet
from clusterprint.blueprint.gke.workloads import Workloads
from clusterprint.derived import existing

#: The chart that chooses among the pods of a model.
CHOOSER = "inferencepool"

#: What model servers answer at, unless somebody says otherwise.
SERVING_PORT = 8000


def namespace() -> str:
    """Where the gateway to models is."""
    return catalog.component(CHOOSER).namespace


def has_proxies(blueprint: KubernetesBlueprint) -> bool:
    """Whether a regional load balancer belongs to the cluster."""
    if isinstance(blueprint, GkeBlueprint):
        return blueprint.workloads.inference is not UNSET
    if not is_ray(blueprint):
        return False
    return blueprint.ray.dashboard.ingress != "none" or blueprint.ray.gateway is not UNSET


def makes_proxies(blueprint: KubernetesBlueprint) -> bool:
    """Whether the subnet for their proxies is made here: in an existing network it is the owner's."""
    return existing.makes_network(blueprint) and has_proxies(blueprint)


def namespaces(inference: Inference) -> tuple[str, ...]:
    """Those of models, whose routes the gateway takes."""
    return tuple(sorted({each.namespace for each in inference.models}))


def group_of(model: Model, workloads: Workloads) -> LeaderWorkerSet | None:
    """The LeaderWorkerSet that serves a model; None if something else does, or there is none."""
    groups = workloads.leader_worker_sets
    return next((each for each in groups if each.name == model.leader_worker_set), None)


def releases(model: Model) -> tuple[str, str]:
    """Of Helm, in the namespace of a model: what chooses among its pods, and its route."""
    return f"model-{model.name}", f"route-{model.name}"


def port_of(model: Model, workloads: Workloads) -> int:
    """The port at which a model is served."""
    if model.port is not UNSET:
        return model.port
    group = group_of(model, workloads)
    return SERVING_PORT if group is None or group.port is UNSET else group.port
