from clusterprint.blueprint.gke.tpu_provisioner import ProvisionerWebhook
from clusterprint.rules.kit import Context, Finding, Iterator, Severity, given, rule


@rule("GKE315", severity=Severity.ERROR, source="TPU provisioner: how it works")
def webhook_without_certificate(webhook: ProvisionerWebhook, context: Context) -> Iterator[Finding]:
    """The webhook of ai-on-gke is on, but nothing creates its certificate.

    It reads one that others create and renew. Only the webhook of the slice provisioner creates its own.

    Add `cert_manager: {}` to the webhook; with the slice provisioner, leave `image` out instead.
    """
    if given(webhook.image) and not given(webhook.cert_manager):
        yield Finding(
            "the webhook of ai-on-gke does not create its certificate itself",
            context.at(webhook, "image"),
            help="add `cert_manager: {}` to the webhook",
        )
