"""The webhook of the TPU provisioner, with a certificate that renews itself."""

from collections.abc import Sequence
from typing import Any

from cdktf import TerraformResource
from cdktf_cdktf_provider_kubernetes.config_map_v1 import ConfigMapV1, ConfigMapV1Metadata
from cdktf_cdktf_provider_kubernetes.service_v1 import (
    ServiceV1,
    ServiceV1Metadata,
    ServiceV1Spec,
    ServiceV1SpecPort,
)
from constructs import Construct

from clusterprint.plan.gke.tpu_provisioner import ProvisionerWebhookPlan
from stacks.addresses import addressed
from stacks.kubernetes.chart import Chart
from stacks.kubernetes.controller import Controller
from stacks.kubernetes.objects import Objects

_OPT_OUT = "tpu-provisioner.cloud.google.com/disable-autoprovisioning"


class TpuWebhook(Construct):
    """Looks at every job of a JobSet as it is created; without it, such jobs are refused."""

    def __init__(
        self,
        scope: Construct,
        id: str,
        *,
        namespace: str,
        after: Sequence[TerraformResource],
        plan: ProvisionerWebhookPlan,
    ) -> None:
        super().__init__(scope, id)
        manager = Chart(self, "cert-manager", after=after, plan=plan.cert_manager)
        certificate = Objects(
            self,
            "certificate",
            name=plan.program.secret,
            namespace=namespace,
            objects=_certificate(namespace, plan),
            after=[manager.resource],
        )
        settings = self._settings(namespace, after, plan)
        controller = Controller(
            self,
            "Default",
            name=plan.name,
            namespace=namespace,
            service_account=None,
            after=[certificate.resource, settings],
            program=plan.program,
        )
        Objects(
            self,
            "configuration",
            name=f"{plan.name}-configuration",
            namespace=namespace,
            objects={"configuration": _configuration(namespace, plan)},
            # From then on it is asked about every job.
            after=[controller.resource, self._service(namespace, after, controller.labels, plan)],
        )

    def _settings(
        self, namespace: str, after: Sequence[TerraformResource], plan: ProvisionerWebhookPlan
    ) -> TerraformResource:
        return addressed(
            ConfigMapV1(
                self,
                "settings",
                metadata=ConfigMapV1Metadata(name=plan.name, namespace=namespace),
                data=plan.settings,
                depends_on=list(after),
            )
        )

    def _service(
        self,
        namespace: str,
        after: Sequence[TerraformResource],
        labels: dict[str, str],
        plan: ProvisionerWebhookPlan,
    ) -> TerraformResource:
        return addressed(
            ServiceV1(
                self,
                "service",
                metadata=ServiceV1Metadata(name=plan.name, namespace=namespace),
                spec=ServiceV1Spec(
                    selector=labels, port=[ServiceV1SpecPort(port=plan.port, target_port=str(plan.port))]
                ),
                depends_on=list(after),
            )
        )


def _certificate(namespace: str, plan: ProvisionerWebhookPlan) -> dict[str, dict[str, Any]]:
    """A certificate of its own, made and renewed inside the cluster: no key is ever seen here."""
    issuer = f"{plan.name}-issuer"
    host = f"{plan.name}.{namespace}.svc"
    return {
        "issuer": {
            "apiVersion": "cert-manager.io/v1",
            "kind": "Issuer",
            "metadata": {"name": issuer, "namespace": namespace},
            "spec": {"selfSigned": {}},
        },
        "certificate": {
            "apiVersion": "cert-manager.io/v1",
            "kind": "Certificate",
            "metadata": {"name": plan.program.secret, "namespace": namespace},
            "spec": {
                "secretName": plan.program.secret,
                "dnsNames": [host, f"{host}.cluster.local"],
                "issuerRef": {"kind": "Issuer", "name": issuer},
            },
        },
    }


def _configuration(namespace: str, plan: ProvisionerWebhookPlan) -> dict[str, Any]:
    return {
        "apiVersion": "admissionregistration.k8s.io/v1",
        "kind": "MutatingWebhookConfiguration",
        "metadata": {
            "name": "tpu-provisioner-admission-controller",
            # cert-manager fills in whom to trust.
            "annotations": {"cert-manager.io/inject-ca-from": f"{namespace}/{plan.program.secret}"},
        },
        "webhooks": [
            {
                "name": "mutate.tpu-provisioner.cloud.google.com",
                "admissionReviewVersions": ["v1"],
                "sideEffects": "None",
                "failurePolicy": "Fail",
                "timeoutSeconds": plan.timeout_seconds,
                "clientConfig": {
                    "service": {
                        "name": plan.name,
                        "namespace": namespace,
                        "path": plan.path,
                        "port": plan.port,
                    }
                },
                "rules": [
                    {
                        "apiGroups": ["batch"],
                        "apiVersions": ["v1"],
                        "resources": ["jobs"],
                        "operations": ["CREATE"],
                    }
                ],
                "objectSelector": {
                    "matchExpressions": [
                        {"key": "jobset.sigs.k8s.io/job-key", "operator": "Exists"},
                        {"key": _OPT_OUT, "operator": "NotIn", "values": ["true"]},
                    ]
                },
            }
        ],
    }
