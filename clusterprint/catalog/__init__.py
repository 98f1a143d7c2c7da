"""Facts about clouds, as data with source and date per entry, and typed look-ups.

Every look-up returns None for a name that the catalog does not know.
"""

from clusterprint.capacity_models import CAPACITY_MODELS, CapacityModel
from clusterprint.catalog.azure import AzureSize, azure_locations, azure_size, azure_sizes, says_rdma
from clusterprint.catalog.azure_storage import (
    AzureFiles,
    AzureLustreTier,
    azure_files,
    azure_lustre_subnet_prefix,
    azure_lustre_tier,
    azure_lustre_tiers,
)
from clusterprint.catalog.bucket_prices import bucket_cache_prices, bucket_prices
from clusterprint.catalog.clients import client_mbps
from clusterprint.catalog.components import Component, component, components
from clusterprint.catalog.confidential import confidential_machines, confidential_processors, has_confidential
from clusterprint.catalog.disk_prices import DiskPrices, Provisioned, disk_price, disk_prices, provisioned
from clusterprint.catalog.disks import (
    DiskPoolType,
    DiskType,
    Limits,
    Range,
    attachable_hyperdisks,
    disk_pool_type,
    disk_type,
    disk_types,
    disk_types_with,
)
from clusterprint.catalog.fabrics import Fabric, Install, fabric_of, fabrics
from clusterprint.catalog.fact import Fact
from clusterprint.catalog.foreign import ForeignMachine, foreign_machine
from clusterprint.catalog.gcsfuse import (
    FuseOption,
    fuse_option,
    fuse_option_refused,
    fuse_options,
)
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
    storage_classes,
)
from clusterprint.catalog.google_nccl import GoogleNccl, google_nccl
from clusterprint.catalog.gpus import AttachLimits, Gpu, attachable_gpu, attachable_gpus, gpu
from clusterprint.catalog.images import Image, default_image, images
from clusterprint.catalog.machines import (
    LocalSsd,
    Machine,
    is_accelerator_prefix,
    machine,
    machine_names,
    machines,
    relative_of,
    zones_of,
)
from clusterprint.catalog.metrics import Metric, MetricComponent, metrics
from clusterprint.catalog.nccl import Nccl, nccl
from clusterprint.catalog.networks import NetworkLayout, network_layout
from clusterprint.catalog.placement import Placement, WorkloadPolicy, placement
from clusterprint.catalog.prices import (
    LISTED_MODELS,
    ListedModel,
    Price,
    gpu_hourly_price,
    hourly_price,
    tpu_chip_hourly_price,
)
from clusterprint.catalog.quotas import (
    AzureQuota,
    CountedQuota,
    FileQuota,
    Quota,
    Total,
    azure_quota,
    cpu_quota,
    disk_quota,
    file_quota,
    gpu_quota,
    local_ssd_quota,
    resource_quota,
    total_quota,
    tpu_quota,
)
from clusterprint.catalog.sources import Source, source
from clusterprint.catalog.storage import (
    Band,
    FilestoreTier,
    LustreTier,
    MonthlyPrice,
    NetappTier,
    ParallelstoreTier,
    PricedByGib,
    Sized,
    Speed,
    filestore_shares,
    filestore_tier,
    lustre_tier,
    lustre_tiers,
    netapp_tier,
    parallelstore_tier,
    seconds_per_tb,
    tiers_of,
)
from clusterprint.catalog.storage_zones import (
    BucketZones,
    LustreZones,
    bucket_ai_zones,
    lustre_zones,
)
from clusterprint.catalog.tpus import TpuMachine, TpuType, tpu_slice, tpu_type, tpu_type_of, tpu_types
from clusterprint.catalog.unimplemented import Unimplemented, unimplemented
from clusterprint.catalog.zones import BucketLocations, bucket_locations, region_of, regions, zone_names
