"""A small stack, of modules that stacks/ import too."""

from cdktf import App, GcsBackend, TerraformOutput, TerraformStack
from cdktf_cdktf_provider_google.compute_firewall import ComputeFirewall, ComputeFirewallAllow
from cdktf_cdktf_provider_google.compute_instance_template import (
    ComputeInstanceTemplate,
    ComputeInstanceTemplateDisk,
    ComputeInstanceTemplateNetworkInterface,
)
from cdktf_cdktf_provider_google.compute_network import ComputeNetwork
from cdktf_cdktf_provider_google.data_google_compute_images import DataGoogleComputeImages
from cdktf_cdktf_provider_google.provider import GoogleProvider


def build(app: App) -> TerraformStack:
    """Adds a stack `scratch` with blocks, lists, references, a data source and an output."""
    stack = TerraformStack(app, "scratch")
    GcsBackend(stack, bucket="state", prefix="clusterprint/scratch")
    GoogleProvider(stack, "google", project="p", region="us-central1", default_labels={"team": "ml"})
    network = ComputeNetwork(stack, "net", name="net", auto_create_subnetworks=False, mtu=8896)
    ComputeFirewall(
        stack,
        "ssh",
        name="ssh",
        network=network.id,
        source_ranges=["35.235.240.0/20"],
        allow=[ComputeFirewallAllow(protocol="tcp", ports=["22"])],
    )
    image = DataGoogleComputeImages(stack, "image", filter="family = debian-12", project="debian-cloud")
    ComputeInstanceTemplate(
        stack,
        "template",
        machine_type="a2-highgpu-2g",
        disk=[ComputeInstanceTemplateDisk(source_image=image.images.get(0).self_link, boot=True)],
        network_interface=[ComputeInstanceTemplateNetworkInterface(network=network.id)],
    )
    TerraformOutput(stack, "network", value=network.name)
    return stack
