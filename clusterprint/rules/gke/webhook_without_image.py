from clusterprint.blueprint.gke.kubernetes import KubernetesBlueprint
from clusterprint.blueprint.gke.tpu_provisioner import TpuProvisioner
from clusterprint.rules.kit import Context, Finding, Iterator, Severity, given, rule


@rule("GKE311", severity=Severity.ERROR, source="TPU provisioner: how it works")
def webhook_without_image(
    provisioner: TpuProvisioner, context: Context[KubernetesBlueprint]
) -> Iterator[Finding]:
    """The TPU provisioner of ai-on-gke has a webhook without an image.

    Its webhook is a program of its own, in an image of its own. Only the image of the slice provisioner holds
    both.

    Name the image of the webhook, or use the slice provisioner.
    """
    webhook = provisioner.webhook
    if provisioner.controller == "tpu_provisioner" and given(webhook) and not given(webhook.image):
        yield Finding(
            "the webhook of ai-on-gke has no image",
            context.at_key(webhook),
            also=(context.at(provisioner, "controller", text="the controller"),),
            help="add `image` to the webhook",
        )
