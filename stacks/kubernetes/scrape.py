"""A program whose values Google's Prometheus fetches, and what lets it."""

from collections.abc import Sequence
from typing import Any

from cdktf import TerraformResource
from constructs import Construct

from clusterprint.plan.kubernetes import ScrapePlan
from stacks.kubernetes.objects import Objects

_NAME = "metrics-reader"
_RIGHTS = "rbac.authorization.k8s.io"
_COLLECTOR = {"kind": "ServiceAccount", "name": "collector", "namespace": "gmp-system"}


class Scrape(Construct):
    """One release: an account that may read numbers and nothing else, and Prometheus, which has its token.

    The cluster writes the token: as an object it stays there, and comes into no plan and no state.
    """

    def __init__(
        self, scope: Construct, id: str, *, after: Sequence[TerraformResource], plan: ScrapePlan
    ) -> None:
        super().__init__(scope, id)
        Objects(self, "Default", name=_NAME, namespace=plan.namespace, objects=_objects(plan), after=after)


def _objects(plan: ScrapePlan) -> dict[str, dict[str, Any]]:
    everywhere, token = f"{plan.namespace}-{_NAME}", f"{_NAME}-token"
    account = {"kind": "ServiceAccount", "name": _NAME, "namespace": plan.namespace}
    home = {"namespace": plan.namespace}
    own_secret = {
        "apiGroups": [""],
        "resources": ["secrets"],
        "resourceNames": [token],
        "verbs": ["get", "list", "watch"],
    }
    numbers = {"nonResourceURLs": [plan.path], "verbs": ["get"]}
    return {
        "account": _object("v1", "ServiceAccount", _NAME, home),
        "token": {
            **_object(
                "v1", "Secret", token, {**home, "annotations": {"kubernetes.io/service-account.name": _NAME}}
            ),
            "type": "kubernetes.io/service-account-token",
        },
        "role": {**_object(f"{_RIGHTS}/v1", "ClusterRole", everywhere, {}), "rules": [numbers]},
        "binding": {
            **_object(f"{_RIGHTS}/v1", "ClusterRoleBinding", everywhere, {}),
            "roleRef": {"apiGroup": _RIGHTS, "kind": "ClusterRole", "name": everywhere},
            "subjects": [account],
        },
        "token-role": {**_object(f"{_RIGHTS}/v1", "Role", token, home), "rules": [own_secret]},
        "token-binding": {
            **_object(f"{_RIGHTS}/v1", "RoleBinding", token, home),
            "roleRef": {"apiGroup": _RIGHTS, "kind": "Role", "name": token},
            "subjects": [_COLLECTOR],
        },
        "monitoring": {
            **_object("monitoring.googleapis.com/v1", "PodMonitoring", plan.key, home),
            "spec": {
                "selector": {"matchLabels": plan.labels},
                "endpoints": [_endpoint(plan, token)],
            },
        },
    }


def _endpoint(plan: ScrapePlan, token: str) -> dict[str, Any]:
    return {
        "port": plan.port,
        "path": plan.path,
        "interval": f"{plan.seconds}s",
        **({"scheme": "https", "tls": {"insecureSkipVerify": True}} if plan.encrypted else {}),
        "authorization": {"type": "Bearer", "credentials": {"secret": {"name": token, "key": "token"}}},
    }


def _object(api_version: str, kind: str, name: str, metadata: dict[str, Any]) -> dict[str, Any]:
    return {"apiVersion": api_version, "kind": kind, "metadata": {"name": name, **metadata}}
