"""Which slices are wanted: one for each group of pods whose first one waits, and finds no node that fits."""

import re
from collections.abc import Mapping
from datetime import UTC, datetime

from msgspec import Struct
from msgspec.structs import replace

from clusterprint_provisioner import settings as settings_
from clusterprint_provisioner.cluster import Cluster
from clusterprint_provisioner.fit import misfit, nodes_of, own_labels, pinned_to
from clusterprint_provisioner.groups import Group, groups
from clusterprint_provisioner.identity import Identity
from clusterprint_provisioner.objects import SLICES, Pod
from clusterprint_provisioner.offers import Offer, offers_of
from clusterprint_provisioner.settings import TPU, Network, Settings
from clusterprint_provisioner.shapes import TOPOLOGY, Refused, Shape, asked, shape_of

_TOLD = "tpu-provisioner.cloud.google.com/"
OPT_OUT = f"{_TOLD}disable-autoprovisioning"
_COPY_LABELS = f"{_TOLD}copy-labels"
_NETWORKS = f"{_TOLD}additional-node-networks"
_SERVICE_ACCOUNT = f"{_TOLD}node-service-account"
POLICY = "clusterprint/placement-policy"
#: Selectors of Google's own that are no facts of a machine: nodes have them because their pool does.
_GOOGLES = ("cloud.google.com/gke-tpu-ici-resiliency", "cloud.google.com/gke-location-hint")
_GIVEN = ("cloud.google.com/", "google.com/", "kubernetes.io/", "clusterprint/slice-", SLICES)
_GIVEN_WITHIN = re.compile(r"(^|\.)(kubernetes|k8s|gke)\.io/")
_BINDS = "alpha.jobset.sigs.k8s.io/namespaced-job"
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


class Demand(Struct, frozen=True):
    """A job that waits for a pool, and the pool that it waits for."""

    identity: Identity
    since: datetime
    shape: Shape
    offers: tuple[Offer, ...]
    labels: dict[str, str]
    service_account: str
    networks: tuple[Network, ...]
    pod: Pod
    policy: str = ""

    @property
    def scheduler(self) -> str:
        """The scheduler's message about the pod."""
        condition = self.pod.status.says("PodScheduled", "False")
        return (condition.message if condition else "") or "the scheduler gives no reason"


class Refusal(Struct, frozen=True):
    """A job that waits for a pool which cannot be. `pinned` are the labels by which its pods name others."""

    identity: Identity
    message: str
    pinned: tuple[tuple[str, str], ...] = ()


def demands(cluster: Cluster, settings: Settings) -> tuple[list[Demand], list[Refusal]]:
    """The demands of pending pods, longest wait first, and the pods that cannot be served."""
    wanted: list[Demand] = []
    refused: list[Refusal] = []
    for group in groups(cluster):
        waiting = [pod for pod in group.first(settings.resource) if _waits(pod, settings.resource)]
        if group.over or not waiting:
            continue
        pod = min(waiting, key=lambda each: each.metadata.name)
        said = {**group.said, **pod.metadata.annotations}
        if "true" in (said.get(OPT_OUT), pod.metadata.labels.get(OPT_OUT)):
            continue
        try:
            wanted.append(_demand(group, pod, said, settings))
        except Refused as refusal:
            refused.append(Refusal(group.identity, str(refusal), pinned_to(pod.spec)))
    return sorted(wanted, key=lambda each: (each.since, each.identity)), refused


def _waits(pod: Pod, resource: str) -> bool:
    unscheduled = pod.status.says("PodScheduled", "False")
    return (
        pod.metadata.deletion_timestamp is None
        and pod.status.phase == "Pending"
        and unscheduled is not None
        and unscheduled.reason == "Unschedulable"
        and asked(pod, resource) > 0
        and (resource != TPU or TOPOLOGY in pod.spec.node_selector)
    )


def _demand(group: Group, pod: Pod, said: Mapping[str, str], settings: Settings) -> Demand:
    shape = shape_of(pod, settings.resource, group.asking(settings.resource))
    policy = said.get(POLICY, "")
    if shape.needs_policy and not policy:
        raise Refused(f"{shape.machine} with several hosts requires a workload policy: name it in {POLICY}")
    demand = Demand(
        identity=group.identity,
        since=group.owner.metadata.creation_timestamp or _EPOCH,
        shape=shape,
        offers=offers_of(pod, said, settings),
        labels=_labels(pod, said, settings),
        service_account=said.get(_SERVICE_ACCOUNT) or settings.node_service_account,
        networks=_networks(said, settings),
        pod=pod,
        policy=policy,
    )
    return replace(demand, offers=_fitting(demand, settings))


def misfit_of(demand: Demand, offer: Offer, settings: Settings, *, pool: str, own: Mapping[str, str]) -> str:
    """Why the pods cannot run on the nodes of a pool with these labels of its own; empty if they can."""
    spec = demand.pod.spec
    return misfit(spec, nodes_of(spec, demand.shape, offer, settings, pool=pool, own=own))


def _fitting(demand: Demand, settings: Settings) -> tuple[Offer, ...]:
    """The offers whose nodes the pods can run on: nobody pays for others. Raises Refused without any."""
    own, pool = own_labels(demand.labels, demand.identity), demand.identity.pool
    reasons = {each: misfit_of(demand, each, settings, pool=pool, own=own) for each in demand.offers}
    fitting = tuple(offer for offer, why in reasons.items() if not why)
    if not fitting:
        raise Refused(f"no pool would help, because {'; '.join(dict.fromkeys(reasons.values()))}")
    return fitting


def _labels(pod: Pod, said: Mapping[str, str], settings: Settings) -> dict[str, str]:
    """Labels of nodes: what the pods select them by, and what is copied from the pods."""
    copied = (*settings.pod_to_node_labels, *settings_.split(said.get(_COPY_LABELS, "")))
    own = pod.metadata.labels
    return {key: own[key] for key in copied if key in own and not _is_given(key)} | {
        key: value for key, value in pod.spec.node_selector.items() if not _is_given(key)
    }


def _is_given(key: str) -> bool:
    """Whether nodes have such a label from Google or from us, and none may be made up."""
    if key in (*_GOOGLES, _BINDS):
        return False
    return key.startswith(_GIVEN) or (bool(_GIVEN_WITHIN.search(key)) and not key.startswith("jobset."))


def _networks(said: Mapping[str, str], settings: Settings) -> tuple[Network, ...]:
    if _NETWORKS not in said:
        return settings.node_additional_networks
    try:
        return settings_.networks(said[_NETWORKS])
    except ValueError as error:
        raise Refused(f"{_NETWORKS} {error}") from None
