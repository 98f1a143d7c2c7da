"""A cluster of virtual machines in plain CDKTF: what `clusterprint synth` is compared with.

It uses the resource classes that clusterprint's own vm stacks use. Usage: plain_vm.py OUT_DIR.
"""

import sys

from cdktf import App, GcsBackend, TerraformOutput, TerraformStack
from cdktf_cdktf_provider_google.compute_address import ComputeAddress
from cdktf_cdktf_provider_google.compute_firewall import ComputeFirewall, ComputeFirewallAllow
from cdktf_cdktf_provider_google.compute_instance_group_manager import (
    ComputeInstanceGroupManager,
    ComputeInstanceGroupManagerVersion,
)
from cdktf_cdktf_provider_google.compute_instance_template import (
    ComputeInstanceTemplate,
    ComputeInstanceTemplateDisk,
    ComputeInstanceTemplateNetworkInterface,
)
from cdktf_cdktf_provider_google.compute_network import ComputeNetwork
from cdktf_cdktf_provider_google.compute_per_instance_config import ComputePerInstanceConfig
from cdktf_cdktf_provider_google.compute_resize_request import ComputeResizeRequest
from cdktf_cdktf_provider_google.compute_resource_policy import (
    ComputeResourcePolicy,
    ComputeResourcePolicyGroupPlacementPolicy,
)
from cdktf_cdktf_provider_google.compute_router import ComputeRouter
from cdktf_cdktf_provider_google.compute_router_nat import ComputeRouterNat
from cdktf_cdktf_provider_google.compute_subnetwork import ComputeSubnetwork
from cdktf_cdktf_provider_google.data_google_compute_image import DataGoogleComputeImage
from cdktf_cdktf_provider_google.data_google_compute_subnetwork import DataGoogleComputeSubnetwork
from cdktf_cdktf_provider_google.project_iam_member import ProjectIamMember
from cdktf_cdktf_provider_google.project_service import ProjectService
from cdktf_cdktf_provider_google.provider import GoogleProvider
from cdktf_cdktf_provider_google.service_account import ServiceAccount
from cdktf_cdktf_provider_google.storage_bucket import StorageBucket
from cdktf_cdktf_provider_google.storage_bucket_iam_member import StorageBucketIamMember
from cdktf_cdktf_provider_google.storage_bucket_object import StorageBucketObject

PROJECT, REGION, ZONE = "supercomputer-testing", "us-central1", "us-central1-f"


def build(app: App) -> None:
    """Adds one stack, `spani`, to the app."""
    stack = TerraformStack(app, "spani")
    GcsBackend(stack, bucket="spani-tst", prefix="clusterprint/spani")
    GoogleProvider(stack, "google", project=PROJECT, region=REGION)
    for service in ("compute", "storage"):
        ProjectService(stack, service, service=f"{service}.googleapis.com", disable_on_destroy=False)
    network = _network(stack)
    account = ServiceAccount(stack, "nodes", account_id="spani-nodes")
    for role in ("logging.logWriter", "monitoring.metricWriter"):
        ProjectIamMember(stack, role, project=PROJECT, role=f"roles/{role}", member=account.member)
    _bucket(stack, account)
    _nodes(stack, network)
    TerraformOutput(stack, "network", value=network.name)


def _network(stack: TerraformStack) -> ComputeNetwork:
    network = ComputeNetwork(stack, "net", name="spani-net", auto_create_subnetworks=False, mtu=8896)
    ComputeSubnetwork(
        stack, "subnet", name="spani", network=network.id, region=REGION, ip_cidr_range="10.0.0.0/16"
    )
    DataGoogleComputeSubnetwork(stack, "shared", name="shared", region=REGION)
    for name, port in (("ssh", "22"), ("internal", "0-65535")):
        ComputeFirewall(
            stack,
            f"allow-{name}",
            name=f"spani-{name}",
            network=network.id,
            source_ranges=["35.235.240.0/20"],
            allow=[ComputeFirewallAllow(protocol="tcp", ports=[port])],
        )
    router = ComputeRouter(stack, "router", name="spani-router", network=network.id, region=REGION)
    ComputeRouterNat(
        stack,
        "nat",
        name="spani-nat",
        router=router.name,
        region=REGION,
        nat_ip_allocate_option="AUTO_ONLY",
        source_subnetwork_ip_ranges_to_nat="ALL_SUBNETWORKS_ALL_IP_RANGES",
    )
    ComputeAddress(stack, "head", name="spani-head", region=REGION)
    return network


def _bucket(stack: TerraformStack, account: ServiceAccount) -> None:
    bucket = StorageBucket(
        stack, "bucket", name="spani-data", location=REGION, uniform_bucket_level_access=True
    )
    for name in ("run.sh", "hosts"):
        StorageBucketObject(stack, name, bucket=bucket.name, name=f"cp/{name}", content=name)
    StorageBucketIamMember(
        stack, "reader", bucket=bucket.name, role="roles/storage.objectViewer", member=account.member
    )


def _nodes(stack: TerraformStack, network: ComputeNetwork) -> None:
    image = DataGoogleComputeImage(stack, "image", family="debian-12", project="debian-cloud")
    policy = ComputeResourcePolicy(
        stack,
        "placement",
        name="spani-placement",
        region=REGION,
        group_placement_policy=ComputeResourcePolicyGroupPlacementPolicy(collocation="COLLOCATED"),
    )
    template = ComputeInstanceTemplate(
        stack,
        "template",
        name_prefix="spani-",
        machine_type="a2-highgpu-2g",
        resource_policies=[policy.id],
        disk=[ComputeInstanceTemplateDisk(source_image=image.self_link, boot=True, disk_size_gb=200)],
        network_interface=[ComputeInstanceTemplateNetworkInterface(network=network.id)],
    )
    group = ComputeInstanceGroupManager(
        stack,
        "group",
        name="spani",
        base_instance_name="spani",
        zone=ZONE,
        version=[ComputeInstanceGroupManagerVersion(instance_template=template.self_link_unique)],
    )
    for index in range(2):
        ComputePerInstanceConfig(
            stack, f"node-{index}", name=f"spani-{index}", instance_group_manager=group.name, zone=ZONE
        )
    ComputeResizeRequest(
        stack, "resize", name="spani-resize", instance_group_manager=group.name, zone=ZONE, resize_by=2
    )


if __name__ == "__main__":
    app = App(outdir=sys.argv[1])
    build(app)
    app.synth()
