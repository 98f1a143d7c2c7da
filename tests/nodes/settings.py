"""A cluster whose machines the tests stand up."""

from clusterprint.plan.vmss_nodes import NcclPlan, NodeSettings, SharePlan

GROUP = "/subscriptions/s-1/resourceGroups/rg"
SET = f"{GROUP}/providers/Microsoft.Compute/virtualMachineScaleSets/vmss"
HEAD = f"{GROUP}/providers/Microsoft.Compute/virtualMachines/vmss-head"
HEAD_IDENTITY = f"{GROUP}/providers/Microsoft.ManagedIdentity/userAssignedIdentities/vmss-head"
NODE_IDENTITY = f"{GROUP}/providers/Microsoft.ManagedIdentity/userAssignedIdentities/vmss-nodes"

SETTINGS = NodeSettings(
    cluster="vmss",
    admin_user="azureuser",
    scale_set_id=SET,
    orchestration="uniform",
    head_id=HEAD,
    head_identity=HEAD_IDENTITY,
    head_is_node=False,
    node_identity=NODE_IDENTITY,
    cluster_range="10.0.0.0/24",
    gpu_vendor="nvidia",
    gpus_per_node=8,
    infiniband=True,
    nccl=NcclPlan(
        environment={"NCCL_DEBUG": "WARN", "UCX_TLS": "rc"},
        topology_file="/opt/microsoft/ndv5/topo.xml",
        single_node_gb_per_s=431,
        multi_node_gb_per_s=320,
    ),
    health_checks=True,
    dcgm_level=2,
    health_endpoint=False,
    security_type="standard",
    ssh_between_nodes=True,
    shares=(),
    startup_script="",
    head_startup_script="",
    cloud_init="",
    head_cloud_init="",
)

ACCOUNT = "/subscriptions/s-1/resourceGroups/data/providers/Microsoft.Storage/storageAccounts/acct"
SMB = SharePlan(
    kind="files_smb",
    server="acct",
    resource_id=ACCOUNT,
    share="sets",
    mount="/mnt/sets",
    read_only=False,
    created=False,
)
NFS = SharePlan(
    kind="files_nfs",
    server="acct",
    resource_id="",
    share="nfs",
    mount="/mnt/my nfs",
    read_only=True,
    created=True,
)
BLOB = SharePlan(
    kind="blob_nfs",
    server="acct",
    resource_id="",
    share="blobs",
    mount="/mnt/blobs",
    read_only=False,
    created=True,
)
LUSTRE_ID = f"{GROUP}/providers/Microsoft.StorageCache/amlFilesystems/vmss-lustre"
LUSTRE = SharePlan(
    kind="lustre",
    server="",
    resource_id=LUSTRE_ID,
    share="lustrefs",
    mount="/scratch",
    read_only=False,
    created=True,
)
