"""The webhook of the TPU provisioner, with a certificate that renews itself."""

from collections.abc import Sequence
from typing import Any

from cdktf import TerraformResource
from cdktf_cdktf_provider_kubernetes.config_map_v1 import ConfigMapV1, ConfigMapV1Metadata
from cdktf_cdktf_provider_kubernetes.service_account_v1 import (
    ServiceAccountV1,
    ServiceAccountV1Metadata,
)
from cdktf_cdktf_provider_kubernetes.service_v1 import (
    ServiceV1,
    ServiceV1Metadata,
    ServiceV1Spec,
    ServiceV1SpecPort,
)
from constructs import Construct

from clusterprint.plan.gke.tpu_provisioner import OwnCertificatePlan, ProvisionerWebhookPlan
from stacks.addresses import addressed
from stacks.kubernetes.chart import Chart
from stacks.kubernetes.controller import Controller
from stacks.kubernetes.objects import Objects
from stacks.kubernetes.rights import Rights, rights_of

_INJECT = "cert-manager.io/inject-ca-from"
_IS_OF_JOBSET = {"key": "jobset.sigs.k8s.io/job-key", "operator": "Exists"}
_NOT_OPTED_OUT = {
    "key": "tpu-provisioner.cloud.google.com/disable-autoprovisioning",
    "operator": "NotIn",
    "values": ["true"],
}
# Other updates of jobs need no answer, not even while the webhook is away. The API server refuses an
# expression whose type it does not know to be boolean, as that of a field; every job has `suspend`.
_CREATED_OR = "request.operation == 'CREATE' ||"
_IS_CREATED_OR_RESUMED = [
    {"name": "was-suspended", "expression": f"{_CREATED_OR} oldObject.spec.suspend == true"},
    {"name": "is-resumed", "expression": f"{_CREATED_OR} object.spec.suspend == false"},
]


class TpuWebhook(Construct):
    """Looks at every job of a JobSet as it is created; while it is away, such jobs are refused."""

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
        certificate = (
            self._own_certificate(namespace, after, plan.own)
            if plan.own
            else self._managed_certificate(namespace, after, plan)
        )
        settings = self._settings(namespace, after, plan)
        controller = Controller(
            self,
            "Default",
            name=plan.name,
            namespace=namespace,
            service_account=plan.own.account if plan.own else None,
            after=[*certificate, settings],
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

    def _managed_certificate(
        self, namespace: str, after: Sequence[TerraformResource], plan: ProvisionerWebhookPlan
    ) -> list[TerraformResource]:
        manager = (
            [Chart(self, "cert-manager", after=after, plan=plan.cert_manager)] if plan.cert_manager else []
        )
        certificate = Objects(
            self,
            "certificate",
            name=plan.program.secret,
            namespace=namespace,
            objects=_certificate(namespace, plan),
            after=[each.resource for each in manager] or after,
        )
        return [certificate.resource]

    def _own_certificate(
        self, namespace: str, after: Sequence[TerraformResource], plan: OwnCertificatePlan
    ) -> list[TerraformResource]:
        """A place for it, which the webhook fills, and the right to. What is in it, no state ever holds."""
        secret = Objects(
            self,
            "certificate",
            name=plan.secret,
            namespace=namespace,
            objects={"secret": _empty_secret(namespace, plan)},
            after=after,
        )
        account = addressed(
            ServiceAccountV1(
                self,
                "account",
                metadata=ServiceAccountV1Metadata(name=plan.account, namespace=namespace),
                depends_on=list(after),
            )
        )
        rights = Rights(
            self,
            "rights",
            name=plan.account,
            namespace=namespace,
            account=account.metadata.name,
            after=after,
            everywhere=rights_of(plan.everywhere),
            at_home=rights_of(plan.at_home),
        )
        return [secret.resource, account, *rights.grants]

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


def _empty_secret(namespace: str, plan: OwnCertificatePlan) -> dict[str, Any]:
    return {
        "apiVersion": "v1",
        "kind": "Secret",
        "metadata": {"name": plan.secret, "namespace": namespace},
        "type": "Opaque",
    }


def _configuration(namespace: str, plan: ProvisionerWebhookPlan) -> dict[str, Any]:
    about_jobs = _webhook(namespace, plan, "mutate", ("batch", "v1", "jobs"), [_IS_OF_JOBSET, _NOT_OPTED_OUT])
    if plan.queued:
        about_jobs["rules"][0]["operations"].append("UPDATE")
        about_jobs["matchConditions"] = _IS_CREATED_OR_RESUMED
    about_jobsets = _webhook(
        namespace, plan, "tolerate", ("jobset.x-k8s.io", "v1alpha2", "jobsets"), [_NOT_OPTED_OUT]
    )
    return {
        "apiVersion": "admissionregistration.k8s.io/v1",
        "kind": "MutatingWebhookConfiguration",
        "metadata": {
            "name": plan.configuration,
            # Whom to trust is filled in: by cert-manager, or by the webhook.
            **({} if plan.own else {"annotations": {_INJECT: f"{namespace}/{plan.program.secret}"}}),
        },
        "webhooks": [about_jobs, *([about_jobsets] if plan.queued else [])],
    }


def _webhook(
    namespace: str,
    plan: ProvisionerWebhookPlan,
    name: str,
    about: tuple[str, str, str],
    selected: list[dict[str, Any]],
) -> dict[str, Any]:
    group, version, resources = about
    return {
        "name": f"{name}.tpu-provisioner.cloud.google.com",
        "admissionReviewVersions": ["v1"],
        "sideEffects": "None",
        "failurePolicy": "Fail",
        "timeoutSeconds": plan.timeout_seconds,
        "clientConfig": {
            "service": {"name": plan.name, "namespace": namespace, "path": plan.path, "port": plan.port}
        },
        "rules": [
            {
                "apiGroups": [group],
                "apiVersions": [version],
                "resources": [resources],
                "operations": ["CREATE"],
            }
        ],
        "objectSelector": {"matchExpressions": selected},
    }
