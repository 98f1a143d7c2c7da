"""Which cluster a provider talks to, and what is in every cluster from the start."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

from clusterprint_simcloud.cloud.behaviour import Request, State
from clusterprint_simcloud.cloud.contents import ApiError, Contents, Record, key
from clusterprint_simcloud.google.gke import endpoints
from clusterprint_simcloud.google.gke.places import CLUSTER

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
    """The id of the cluster that the provider is connected to: what the ids of all that is in it begin with.

    :raises ApiError: when it is connected to none.
    """
    connection = _connection(request.config)
    connection = {**_of_kubeconfig(connection), **{name: each for name, each in connection.items() if each}}
    context = connection.get("config_context")
    if context and not connection.get("host"):
        return _of_context(request.contents, str(context))
    host = connection.get("host")
    if not isinstance(host, str) or not host:
        # What the provider does without a host: it tries the machine that it runs on.
        message = 'Get "http://localhost/api": dial tcp [::1]:80: connect: connection refused'
        raise ApiError(message)
    address = host.removeprefix("https://").removeprefix("http://").rstrip("/")
    door = endpoints.door(request.contents, address)
    if door is None or not door.is_open:
        message = f'Get "https://{address}/api": dial tcp: connect to {address}:443: i/o timeout'
        raise ApiError(message)
    _check_certificate(connection, door)
    _check_credentials(connection)
    _furnish(request.contents, door.cluster)
    return door.cluster.id


def _of_context(contents: Contents, context: str) -> str:
    """The cluster of a context of the kubeconfig: one that no cloud here has made."""
    cluster = contents.get(CLUSTER, f"contexts/{context}")
    if cluster is None:
        message = f'context "{context}" does not exist'
        raise ApiError(message)
    _furnish(contents, cluster)
    return cluster.id


def connect(request: Request) -> None:
    """Refuse everything as long as there is no cluster to talk to."""
    home(request)


def record_of(request: Request) -> Record:
    """The cluster itself."""
    return request.contents.records[key(CLUSTER, home(request))]


def _connection(config: State) -> State:
    """Where and as whom: the helm provider has it in a block of its own."""
    nested = config.get("kubernetes")
    if isinstance(nested, list):
        return nested[0] if nested and isinstance(nested[0], dict) else {}
    return nested if isinstance(nested, dict) else config


def _of_kubeconfig(connection: State) -> State:
    """The endpoint in a kubeconfig with one cluster; only JSON is read here."""
    path = connection.get("config_path") or os.environ.get("KUBE_CONFIG_PATH")
    if not isinstance(path, str) or not path:
        return {}
    try:
        document = json.loads(Path(path).read_text("utf-8"))
        cluster, user = document["clusters"][0]["cluster"], document["users"][0]["user"]
    except (OSError, ValueError, KeyError, IndexError) as error:
        message = f"could not read the configuration {path}: {error}"
        raise ApiError(message) from error
    return {"host": cluster["server"], "token": user["token"], "insecure": True}


def _check_certificate(connection: State, door: endpoints.Door) -> None:
    """Documentation "DNS-based endpoint": its certificate is a public one, not the cluster's own."""
    given = connection.get("cluster_ca_certificate")
    if given and "BEGIN CERTIFICATE" not in given:
        text = "unable to load root certificates: unable to parse bytes as PEM block"
        message = f"Failed to configure client: {text}"
        raise ApiError(message)
    if bool(given) == door.is_name and not connection.get("insecure"):
        message = "tls: failed to verify certificate: x509: certificate signed by unknown authority"
        raise ApiError(message)


def _check_credentials(connection: State) -> None:
    if not any(connection.get(one) for one in ("token", "exec", "client_certificate", "username")):
        message = 'User "system:anonymous" cannot access the cluster: Unauthorized'
        raise ApiError(message)


def _furnish(contents: Contents, cluster: Record) -> None:
    if contents.get(NAMESPACE, f"{cluster.id}/default") is not None:
        return
    for name in _NAMESPACES:
        add_namespace(contents, cluster, name, builtin=True)
    for name in _CLUSTER_ROLES:
        _add(contents, CLUSTER_ROLE, cluster, name)
    for name in _PRIORITY_CLASSES:
        _add(contents, PRIORITY_CLASS, cluster, name)
    for name, mode in _STORAGE_CLASSES.items():
        _add(contents, STORAGE_CLASS, cluster, name, volume_binding_mode=mode)


def _add(contents: Contents, kind: str, cluster: Record, name: str, **state: Any) -> None:
    state |= {"id": name, "metadata": [{"name": name}]}
    contents.add(Record(kind, f"{cluster.id}/{name}", state, owner=cluster.key, builtin=True))


def add_namespace(contents: Contents, cluster: Record, name: str, *, builtin: bool) -> Record:
    """A namespace that no `kubernetes_namespace_v1` has made, with its default service account."""
    state = {"id": name, "metadata": [{"name": name}]}
    made = Record(NAMESPACE, f"{cluster.id}/{name}", state, owner=cluster.key, builtin=builtin)
    add_default_account(contents, contents.add(made))
    return made


def add_default_account(contents: Contents, namespace: Record) -> None:
    """The service account `default`, which a controller makes in every namespace."""
    name = namespace.state["metadata"][0]["name"]
    state = {"id": f"{name}/default", "metadata": [{"name": "default", "namespace": name}]}
    contents.add(Record(ACCOUNT, f"{namespace.id}/default", state, owner=namespace.key, builtin=True))
