from clusterprint.blueprint.gke.kubernetes import KubernetesBlueprint
from clusterprint.blueprint.gke.tpu_provisioner import TpuProvisioner
from clusterprint.rules.kit import Context, Finding, Iterator, Severity, given, rule


@rule("GKE312", severity=Severity.ERROR, source="TPU provisioner: how it works")
def provisioner_without_image(
    provisioner: TpuProvisioner, context: Context[KubernetesBlueprint]
) -> Iterator[Finding]:
    """The TPU provisioner of ai-on-gke has no image.

    Nobody publishes its image, and its sources do not come with clusterprint, as those of the slice
    provisioner do.

    Name the image that you have built; or remove `controller` to use the slice provisioner.
    """
    if provisioner.controller == "tpu_provisioner" and not given(provisioner.image):
        yield Finding(
            "the TPU provisioner of ai-on-gke has no image",
            context.at(provisioner, "controller"),
            help="add `image`, or remove `controller`",
        )
