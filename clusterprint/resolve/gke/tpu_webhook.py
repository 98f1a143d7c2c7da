"""The webhook of the TPU provisioner: its program, its settings, and who looks after its certificate."""

import hashlib

import msgspec
from msgspec import UNSET

from clusterprint import catalog
from clusterprint.blueprint.gke.tpu_provisioner import ProvisionerWebhook, TpuProvisioner
from clusterprint.plan.gke.tpu_provisioner import OwnCertificatePlan, ProvisionerWebhookPlan
from clusterprint.plan.kubernetes import ProgramPlan, RightPlan
from clusterprint.resolve.gke.charts import pinned_chart

#: Where the images of both controllers keep their program.
COMMAND = ("/manager",)
_NAME = "admission-controller"
_CONFIGURATION = "tpu-provisioner-admission-controller"
_OWN = OwnCertificatePlan(
    secret=f"{_NAME}-certificate",
    account="tpu-provisioner-webhook",
    everywhere=(
        RightPlan(
            "admissionregistration.k8s.io",
            ("mutatingwebhookconfigurations",),
            ("get", "patch"),
            (_CONFIGURATION,),
        ),
    ),
    at_home=(RightPlan("", ("secrets",), ("get", "update"), (f"{_NAME}-certificate",)),),
)


def resolve_webhook(
    webhook: ProvisionerWebhook, provisioner: TpuProvisioner, image: str, *, is_there: bool, queued: bool
) -> ProvisionerWebhookPlan:
    """Make the plan of the webhook; `image` is that of the controller, as for the controller.

    Only ours knows what to do with jobs that are `queued`.
    """
    ours = webhook.image is UNSET
    own = _OWN if webhook.cert_manager is UNSET else None
    settings = _settings(webhook, provisioner, own)
    program = ProgramPlan(
        image=image if webhook.image is UNSET else webhook.image,
        wait=is_there or not ours,
        command=COMMAND if ours else (),
        args=("webhook",) if ours else (),
        settings=_NAME,
        checksum=checksum(settings),
        secret="" if own else f"{_NAME}-tls",
        secret_path="" if own else "/certs",
        # The other image, as its makers describe it, has no user but root.
        non_root=ours,
    )
    return ProvisionerWebhookPlan(
        name=_NAME,
        program=program,
        port=5000,
        path="/mutate",
        timeout_seconds=20,
        settings=settings,
        configuration=_CONFIGURATION,
        queued=queued and ours,
        cert_manager=None if own else pinned_chart("cert-manager"),
        own=own,
    )


def _settings(
    webhook: ProvisionerWebhook, provisioner: TpuProvisioner, own: OwnCertificatePlan | None
) -> dict[str, str]:
    hint = webhook.reservation_location_hint
    settings = {
        "FORCE_ON_DEMAND": word(webhook.force_on_demand),
        "RESERVATION_LOCATION_HINT": "" if hint is UNSET else hint,
    }
    if webhook.image is UNSET:
        settings["POD_RESOURCE_TYPE"] = provisioner.pod_resource_type
    if own:
        namespace = catalog.component("tpu-provisioner").namespace
        settings["CERTIFICATE_SECRET"] = own.secret
        settings["CERTIFICATE_HOST"] = f"{_NAME}.{namespace}.svc"
        settings["WEBHOOK_CONFIGURATION"] = _CONFIGURATION
    return settings


def checksum(settings: dict[str, str]) -> str:
    """A checksum of all settings."""
    return hashlib.sha256(msgspec.json.encode(settings)).hexdigest()[:16]


def word(flag: bool) -> str:  # noqa: FBT001 - the flag is all there is to it
    """A flag as the programs read it."""
    return "true" if flag else "false"
