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
from stacks.kubernetes.controller import Controller, Program
from stacks.kubernetes.objects import Objects

_NAME = "admission-controller"
_CERTIFICATE = "admission-controller-tls"
_PORT = 5000
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
            name=_CERTIFICATE,
            namespace=namespace,
            objects=_certificate(namespace),
            after=[manager.resource],
        )
        settings = self._settings(namespace, after, plan)
        controller = Controller(
            self,
            "Default",
            name=_NAME,
            namespace=namespace,
            service_account=None,
            after=[certificate.resource, settings],
            program=Program(
                image=plan.image,
                settings=_NAME,
                checksum=plan.checksum,
                secret=_CERTIFICATE,
                secret_path="/certs",  # noqa: S106 - a folder
                # The image that its makers describe has no other user.
                non_root=False,
            ),
        )
        Objects(
            self,
            "configuration",
            name=f"{_NAME}-configuration",
            namespace=namespace,
            objects={"configuration": _configuration(namespace)},
            # From then on it is asked about every job.
            after=[controller.resource, self._service(namespace, after, controller.labels)],
        )

    def _settings(
        self, namespace: str, after: Sequence[TerraformResource], plan: ProvisionerWebhookPlan
    ) -> TerraformResource:
        return addressed(
            ConfigMapV1(
                self,
                "settings",
                metadata=ConfigMapV1Metadata(name=_NAME, namespace=namespace),
                data=plan.settings,
                depends_on=list(after),
            )
        )

    def _service(
        self, namespace: str, after: Sequence[TerraformResource], labels: dict[str, str]
    ) -> TerraformResource:
        return addressed(
            ServiceV1(
                self,
                "service",
                metadata=ServiceV1Metadata(name=_NAME, namespace=namespace),
                spec=ServiceV1Spec(
                    selector=labels, port=[ServiceV1SpecPort(port=_PORT, target_port=str(_PORT))]
                ),
                depends_on=list(after),
            )
        )


def _certificate(namespace: str) -> dict[str, dict[str, Any]]:
    """A certificate of its own, made and renewed inside the cluster: no key is ever seen here."""
    issuer = f"{_NAME}-issuer"
    host = f"{_NAME}.{namespace}.svc"
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
            "metadata": {"name": _CERTIFICATE, "namespace": namespace},
            "spec": {
                "secretName": _CERTIFICATE,
                "dnsNames": [host, f"{host}.cluster.local"],
                "issuerRef": {"kind": "Issuer", "name": issuer},
            },
        },
    }


def _configuration(namespace: str) -> dict[str, Any]:
    return {
        "apiVersion": "admissionregistration.k8s.io/v1",
        "kind": "MutatingWebhookConfiguration",
        "metadata": {
            "name": "tpu-provisioner-admission-controller",
            # cert-manager fills in whom to trust.
            "annotations": {"cert-manager.io/inject-ca-from": f"{namespace}/{_CERTIFICATE}"},
        },
        "webhooks": [
            {
                "name": "mutate.tpu-provisioner.cloud.google.com",
                "admissionReviewVersions": ["v1"],
                "sideEffects": "None",
                "failurePolicy": "Fail",
                "timeoutSeconds": 20,
                "clientConfig": {
                    "service": {
                        "name": _NAME,
                        "namespace": namespace,
                        "path": "/mutate",
                        "port": _PORT,
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
