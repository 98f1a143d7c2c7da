"""Who may do what in a cluster."""

from __future__ import annotations

from clusterprint_simcloud.cloud.behaviour import Request
from clusterprint_simcloud.cloud.contents import ApiError
from clusterprint_simcloud.kubernetes.cluster import ACCOUNT, CLUSTER_ROLE
from clusterprint_simcloud.kubernetes.objects import clusterwide, find, namespace_of, namespaced, neighbour

ROLE = "kubernetes_role_v1"


def _check_role(request: Request) -> None:
    """The API takes bindings to roles that are not there; here they are refused: they grant nothing."""
    for ref in request.state.get("role_ref") or []:
        kind, name = str(ref.get("kind")), str(ref.get("name"))
        found = find(request, CLUSTER_ROLE, name) if kind == "ClusterRole" else neighbour(request, ROLE, name)
        if found is None and not name.startswith("system:"):
            plural = f"{kind.lower()}s.rbac.authorization.k8s.io"
            raise ApiError(f'{plural} "{name}" not found')


def _check_subjects(request: Request) -> None:
    """The API takes accounts that are not there; here they are refused, as roles are."""
    for subject in request.state.get("subject") or []:
        if subject.get("kind") != "ServiceAccount":
            continue
        namespace = str(subject.get("namespace") or namespace_of(request.state))
        name = str(subject.get("name"))
        inside = Request(
            request.contents,
            request.kind,
            {"metadata": [{"namespace": namespace}]},
            None,
            config=request.config,
        )
        if neighbour(inside, ACCOUNT, name) is None:
            raise ApiError(f'serviceaccounts "{name}" not found in namespace "{namespace}"')


RESOURCES = (
    namespaced(ROLE, "roles.rbac.authorization.k8s.io"),
    namespaced(
        "kubernetes_role_binding_v1",
        "rolebindings.rbac.authorization.k8s.io",
        checks=[_check_role, _check_subjects],
    ),
    clusterwide(CLUSTER_ROLE, "clusterroles.rbac.authorization.k8s.io"),
    clusterwide(
        "kubernetes_cluster_role_binding_v1",
        "clusterrolebindings.rbac.authorization.k8s.io",
        checks=[_check_role, _check_subjects],
    ),
)
