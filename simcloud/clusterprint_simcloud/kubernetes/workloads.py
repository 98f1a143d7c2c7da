"""Controllers of pods: deployments, daemon sets, stateful sets, jobs."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from clusterprint_simcloud.cloud.behaviour import Computed, Request, ResourceType
from clusterprint_simcloud.cloud.contents import ApiError
from clusterprint_simcloud.kubernetes import pods
from clusterprint_simcloud.kubernetes.nodes import Pod, has_place
from clusterprint_simcloud.kubernetes.objects import invalid, namespaced
from clusterprint_simcloud.values import at, differ

DAEMON_SET = "kubernetes_daemon_set_v1"
_TEMPLATE = "spec.template"
_CRON_TEMPLATE = "spec.job_template.spec.template"


def _check_selector(request: Request) -> None:
    """The selector must be in the labels of the pods (apps/v1 validation)."""
    wanted = _first(request, "spec.selector").get("match_labels") or {}
    labels = _first(request, f"{_TEMPLATE}.metadata").get("labels") or {}
    if not wanted and not _first(request, "spec.selector").get("match_expressions"):
        raise invalid(request, request.kind.label, "spec.selector: Required value")
    if not wanted.items() <= labels.items():
        text = "spec.template.metadata.labels: Invalid value: `selector` does not match template `labels`"
        raise invalid(request, request.kind.label, text)


def _fixed(path: str) -> Any:
    """The fields that the provider changes in place, and the API server refuses to change."""

    def check(request: Request) -> None:
        before = [found for _, found in at(request.prior or {}, path)]
        if before and differ(before, [found for _, found in at(request.state, path)]):
            raise invalid(request, request.kind.label, f"{path}: Invalid value: field is immutable")

    return check


def _first(request: Request, path: str) -> dict[str, Any]:
    for _, found in at(request.state, path):
        if isinstance(found, list) and found and isinstance(found[0], dict):
            return found[0]
    return {}


def _check_place(request: Request, pod: str) -> None:
    """A workload that waits for its pods needs nodes for them. A daemon set is ready without any."""
    waits = request.state.get("wait_for_rollout") or request.state.get("wait_for_completion")
    if not waits or request.kind.name == DAEMON_SET or has_place(request, Pod.typed(_first(request, pod))):
        return
    text = "no node pool has nodes that match Pod's node selector and whose taints the Pod tolerates"
    raise ApiError(f"Waiting for rollout to finish: {request.kind.label}: {text}")


def _never_restarted(template: str) -> Any:
    def check(request: Request) -> None:
        policy = _first(request, f"{template}.spec").get("restart_policy")
        if policy not in ("OnFailure", "Never"):
            where = f"{template}.spec.restartPolicy"
            text = f'{where}: Required value: valid values: "OnFailure", "Never"'
            raise invalid(request, request.kind.label, text)

    return check


def _workload(
    name: str,
    plural: str,
    *checks: Any,
    template: str = _TEMPLATE,
    computed: Mapping[str, Computed] = MappingProxyType({}),
) -> ResourceType:
    pod = f"{template}.spec"
    return namespaced(
        name,
        plural,
        computed={**pods.computed(pod), **computed},
        references=pods.references(pod),
        checks=[
            *checks,
            lambda request: pods.check(request, pod),
            lambda request: _check_place(request, pod),
        ],
    )


_ROLLING: dict[str, Computed] = {
    "spec.strategy": [{"type": "RollingUpdate", "rolling_update": []}],
    "spec.strategy.rolling_update": [],
}

RESOURCES = (
    _workload(
        "kubernetes_deployment_v1",
        "deployments.apps",
        _check_selector,
        computed={**_ROLLING, "spec.replicas": "1"},
    ),
    _workload(DAEMON_SET, "daemonsets.apps", _check_selector, _fixed("spec.selector"), computed=_ROLLING),
    _workload(
        "kubernetes_stateful_set_v1",
        "statefulsets.apps",
        _check_selector,
        _fixed("spec.volume_claim_template"),
        computed={"spec.replicas": "1", "spec.pod_management_policy": "OrderedReady"},
    ),
    _workload(
        "kubernetes_job_v1",
        "jobs.batch",
        _never_restarted(_TEMPLATE),
        _fixed(_TEMPLATE),
    ),
    _workload(
        "kubernetes_cron_job_v1",
        "cronjobs.batch",
        _never_restarted(_CRON_TEMPLATE),
        template=_CRON_TEMPLATE,
    ),
)
