"""Which cluster a provider talks to, and what is in every cluster from the start."""

from __future__ import annotations

from typing import Any

from clusterprint.simcloud.cloud.behaviour import Request, State
from clusterprint.simcloud.cloud.contents import ApiError, Contents, Record

NAMESPACE = "kubernetes_namespace_v1"
ACCOUNT = "kubernetes_service_account_v1"
STORAGE_CLASS = "kubernetes_storage_class_v1"
PRIORITY_CLASS = "kubernetes_priority_class_v1"
CLUSTER_ROLE = "kubernetes_cluster_role_v1"

_NAMESPACES = ("default", "kube-system", "kube-public", "kube-node-lease", "gmp-system", "gmp-public")
_CLUSTER_ROLES = ("cluster-admin", "admin", "edit", "view")
_PRIORITY_CLASSES = ("system-cluster-critical", "system-node-critical")
# Documentation "About GKE storage classes": the default one first.
_STORAGE_CLASSES = {
    "standard-rwo": "WaitForFirstConsumer",
    "premium-rwo": "WaitForFirstConsumer",
    "standard": "Immediate",
}
DEFAULT_STORAGE_CLASS = "standard-rwo"


def home(request: Request) -> str:
    """What comes before the ids of all that is in the cluster that the provider is connected to.

    :raises ApiError: when it is connected to none.
    """
    connection = _connection(request.config)
    host = connection.get("host")
    if not isinstance(host, str) or not host:
        # What the provider does without a host: it tries the machine that it runs on.
        message = 'Get "http://localhost/api": dial tcp [::1]:80: connect: connection refused'
        raise ApiError(message)
    certificate = connection.get("cluster_ca_certificate")
    if isinstance(certificate, str) and certificate and "BEGIN CERTIFICATE" not in certificate:
        message = (
            "Failed to configure client: unable to load root certificates: unable to parse bytes as PEM block"
        )
        raise ApiError(message)
    address = host.removeprefix("https://").removeprefix("http://").rstrip("/")
    _furnish(request.contents, address)
    return address


def connect(request: Request) -> None:
    """Refuse everything as long as there is no cluster to talk to."""
    home(request)


def _connection(config: State) -> State:
    """Where and as whom: the helm provider has it in a block of its own."""
    nested = config.get("kubernetes")
    if isinstance(nested, list):
        return nested[0] if nested and isinstance(nested[0], dict) else {}
    return nested if isinstance(nested, dict) else config


def _furnish(contents: Contents, address: str) -> None:
    if contents.get(NAMESPACE, f"{address}/default") is not None:
        return
    for name in _NAMESPACES:
        add_namespace(contents, address, name, builtin=True)
    for name in _CLUSTER_ROLES:
        _add(contents, CLUSTER_ROLE, address, name)
    for name in _PRIORITY_CLASSES:
        _add(contents, PRIORITY_CLASS, address, name)
    for name, mode in _STORAGE_CLASSES.items():
        _add(contents, STORAGE_CLASS, address, name, volume_binding_mode=mode)


def _add(contents: Contents, kind: str, address: str, name: str, **state: Any) -> None:
    state |= {"id": name, "metadata": [{"name": name}]}
    contents.add(Record(kind, f"{address}/{name}", state, builtin=True))


def add_namespace(contents: Contents, address: str, name: str, *, builtin: bool) -> Record:
    """A namespace that no `kubernetes_namespace_v1` has made, with its default service account."""
    state = {"id": name, "metadata": [{"name": name}]}
    record = contents.add(Record(NAMESPACE, f"{address}/{name}", state, builtin=builtin))
    add_default_account(contents, record)
    return record


def add_default_account(contents: Contents, namespace: Record) -> None:
    """The service account `default`, which a controller makes in every namespace."""
    name = namespace.state["metadata"][0]["name"]
    state = {"id": f"{name}/default", "metadata": [{"name": "default", "namespace": name}]}
    contents.add(Record(ACCOUNT, f"{namespace.id}/default", state, owner=namespace.key, builtin=True))
