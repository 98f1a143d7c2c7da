"""Facts about clouds, as data with source and date per entry, and typed look-ups.

Every look-up returns None for a name that the catalog does not know.
"""

from clusterprint.catalog.azure import AzureSize, azure_locations, azure_size, azure_sizes, says_rdma
from clusterprint.catalog.components import Component, component, components
from clusterprint.catalog.disks import DiskType, disk_type, disk_types
from clusterprint.catalog.fabrics import Fabric, fabric_of, fabrics
from clusterprint.catalog.fact import Fact
from clusterprint.catalog.foreign import ForeignMachine, foreign_machine
from clusterprint.catalog.gke import (
    GkeFeature,
    GkeLimits,
    GkeVersion,
    ReservedKeys,
    gke_channels,
    gke_feature,
    gke_features,
    gke_limits,
    gke_version,
    gke_with,
    reserved_keys,
)
from clusterprint.catalog.google_nccl import GoogleNccl, google_nccl
from clusterprint.catalog.gpus import AttachLimits, Gpu, attachable_gpu, attachable_gpus, gpu
from clusterprint.catalog.images import Image, default_image, images
from clusterprint.catalog.machines import (
    CAPACITY_MODELS,
    CapacityModel,
    LocalSsd,
    Machine,
    WorkloadPolicy,
    is_accelerator_prefix,
    machine,
    machine_names,
    machines,
    relative_of,
    zones_of,
)
from clusterprint.catalog.nccl import Nccl, nccl
from clusterprint.catalog.networks import NetworkLayout, network_layout
from clusterprint.catalog.placement import Placement, placement
from clusterprint.catalog.prices import (
    LISTED_MODELS,
    ListedModel,
    Price,
    gpu_hourly_price,
    hourly_price,
    tpu_chip_hourly_price,
)
from clusterprint.catalog.sources import Source, source
from clusterprint.catalog.storage import (
    Band,
    FilestoreTier,
    LustreTier,
    Speed,
    filestore_tier,
    lustre_tier,
    lustre_tiers,
)
from clusterprint.catalog.tpus import TpuMachine, TpuType, tpu_type, tpu_type_of, tpu_types
from clusterprint.catalog.zones import BucketLocations, bucket_locations, region_of, regions, zone_names

__all__ = [
    "CAPACITY_MODELS",
    "LISTED_MODELS",
    "AttachLimits",
    "AzureSize",
    "Band",
    "BucketLocations",
    "CapacityModel",
    "Component",
    "DiskType",
    "Fabric",
    "Fact",
    "FilestoreTier",
    "ForeignMachine",
    "GkeFeature",
    "GkeLimits",
    "GkeVersion",
    "GoogleNccl",
    "Gpu",
    "Image",
    "ListedModel",
    "LocalSsd",
    "LustreTier",
    "Machine",
    "Nccl",
    "NetworkLayout",
    "Placement",
    "Price",
    "ReservedKeys",
    "Source",
    "Speed",
    "TpuMachine",
    "TpuType",
    "WorkloadPolicy",
    "attachable_gpu",
    "attachable_gpus",
    "azure_locations",
    "azure_size",
    "azure_sizes",
    "bucket_locations",
    "component",
    "components",
    "default_image",
    "disk_type",
    "disk_types",
    "fabric_of",
    "fabrics",
    "filestore_tier",
    "foreign_machine",
    "gke_channels",
    "gke_feature",
    "gke_features",
    "gke_limits",
    "gke_version",
    "gke_with",
    "google_nccl",
    "gpu",
    "gpu_hourly_price",
    "hourly_price",
    "images",
    "is_accelerator_prefix",
    "lustre_tier",
    "lustre_tiers",
    "machine",
    "machine_names",
    "machines",
    "nccl",
    "network_layout",
    "placement",
    "region_of",
    "regions",
    "relative_of",
    "reserved_keys",
    "says_rdma",
    "source",
    "tpu_chip_hourly_price",
    "tpu_type",
    "tpu_type_of",
    "tpu_types",
    "zone_names",
    "zones_of",
]
