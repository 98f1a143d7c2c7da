"""The internal load balancer of Ray's dashboard, and the proxy that asks for tokens."""

from collections.abc import Sequence

from cdktf import TerraformResource
from cdktf_cdktf_provider_kubernetes.config_map_v1 import ConfigMapV1, ConfigMapV1Metadata
from cdktf_cdktf_provider_kubernetes.ingress_v1 import (
    IngressV1,
    IngressV1Metadata,
    IngressV1Spec,
    IngressV1SpecDefaultBackend,
    IngressV1SpecDefaultBackendService,
    IngressV1SpecDefaultBackendServicePort,
    IngressV1SpecRule,
    IngressV1SpecRuleHttp,
    IngressV1SpecRuleHttpPath,
    IngressV1SpecRuleHttpPathBackend,
    IngressV1SpecRuleHttpPathBackendService,
    IngressV1SpecRuleHttpPathBackendServicePort,
)
from cdktf_cdktf_provider_kubernetes.service_account_v1 import ServiceAccountV1, ServiceAccountV1Metadata
from cdktf_cdktf_provider_kubernetes.service_v1 import (
    ServiceV1,
    ServiceV1Metadata,
    ServiceV1Spec,
    ServiceV1SpecPort,
)
from constructs import Construct

from clusterprint.plan.ray.ray import DashboardPlan, ProxyPlan
from stacks.addresses import addressed
from stacks.kubernetes.objects import Objects
from stacks.kubernetes.rights import Right, Rights
from stacks.literal_plan import as_json


class Proxy(Construct):
    """The proxy's configuration and its permission to authenticate users, beside the dashboard.

    Whoever has a token of the account `user` comes through, and everybody else who may get the Ray cluster.
    """

    def __init__(
        self,
        scope: Construct,
        id: str,
        *,
        namespace: str,
        account_name: str,
        account: ServiceAccountV1,
        user: str,
        after: Sequence[TerraformResource],
        plan: ProxyPlan,
    ) -> None:
        super().__init__(scope, id)
        config = addressed(
            ConfigMapV1(
                self,
                "config",
                metadata=ConfigMapV1Metadata(name=plan.config_map, namespace=namespace),
                data={"config.yaml": plan.config},
                depends_on=list(after),
            )
        )
        rights = Rights(
            self,
            "rights",
            name=f"{namespace}-{plan.config_map}-proxy",
            namespace=namespace,
            account=account_name,
            after=[account],
            everywhere=[
                Right("authentication.k8s.io", ["tokenreviews"], ["create"]),
                Right("authorization.k8s.io", ["subjectaccessreviews"], ["create"]),
            ],
        )
        viewer = addressed(
            ServiceAccountV1(
                self,
                "user",
                metadata=ServiceAccountV1Metadata(name=user, namespace=namespace),
                depends_on=list(after),
            )
        )
        Rights(
            self,
            "users",
            name=user,
            namespace=namespace,
            account=user,
            after=[viewer],
            at_home=[Right("ray.io", ["rayclusters"], ["get"])],
        )
        self.ready: list[TerraformResource] = [config, *rights.grants]


class Dashboard(Construct):
    """A load balancer inside the network, for the head of one Ray cluster."""

    def __init__(
        self,
        scope: Construct,
        id: str,
        *,
        namespace: str,
        ray: str,
        after: Sequence[TerraformResource],
        plan: DashboardPlan,
    ) -> None:
        super().__init__(scope, id)
        health = Objects(
            self,
            "health",
            name=f"{plan.name}-health",
            namespace=namespace,
            objects={plan.name: _health(namespace, plan)},
            after=after,
        )
        service = addressed(
            ServiceV1(
                self,
                "service",
                metadata=ServiceV1Metadata(
                    name=plan.name,
                    namespace=namespace,
                    annotations={
                        "cloud.google.com/neg": as_json({"ingress": True}),
                        "cloud.google.com/backend-config": as_json({"default": plan.name}),
                    },
                ),
                spec=ServiceV1Spec(
                    type="ClusterIP",
                    selector={"ray.io/cluster": ray, "ray.io/node-type": "head"},
                    port=[ServiceV1SpecPort(name="http", port=plan.port, target_port=str(plan.port))],
                ),
                depends_on=[health.resource],
                # The annotations that Google adds are its own.
                lifecycle={"ignore_changes": [_NEG_STATUS]},
            )
        )
        self.resource = IngressV1(
            self,
            "Default",
            metadata=IngressV1Metadata(name=plan.name, namespace=namespace, annotations=_annotations(plan)),
            spec=_spec(plan),
            depends_on=[service],
        )


_NEG_STATUS = 'metadata[0].annotations["cloud.google.com/neg-status"]'


def _annotations(plan: DashboardPlan) -> dict[str, str]:
    found = {"kubernetes.io/ingress.class": "gce-internal"}
    if plan.certificate:
        found["ingress.gcp.kubernetes.io/pre-shared-cert"] = plan.certificate
        found["kubernetes.io/ingress.allow-http"] = "false"
    return found


def _spec(plan: DashboardPlan) -> IngressV1Spec:
    if not plan.host:
        service = IngressV1SpecDefaultBackendService(
            name=plan.name, port=IngressV1SpecDefaultBackendServicePort(number=plan.port)
        )
        return IngressV1Spec(default_backend=IngressV1SpecDefaultBackend(service=service))
    backend = IngressV1SpecRuleHttpPathBackendService(
        name=plan.name, port=IngressV1SpecRuleHttpPathBackendServicePort(number=plan.port)
    )
    path = IngressV1SpecRuleHttpPath(
        path="/*",
        path_type="ImplementationSpecific",
        backend=IngressV1SpecRuleHttpPathBackend(service=backend),
    )
    return IngressV1Spec(rule=[IngressV1SpecRule(host=plan.host, http=IngressV1SpecRuleHttp(path=[path]))])


def _health(namespace: str, plan: DashboardPlan) -> dict[str, object]:
    check = {"type": "HTTP", "requestPath": plan.health_path, "port": plan.port}
    return {
        "apiVersion": "cloud.google.com/v1",
        "kind": "BackendConfig",
        "metadata": {"name": plan.name, "namespace": namespace},
        "spec": {"healthCheck": check},
    }
