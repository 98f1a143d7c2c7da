"""The 35 examples, one row each: see toolkit_examples."""

from toolkit_cpu_rows import h4d, h4d_flex, hyperdisk, lustre, small, storage, xpk
from toolkit_examples import JOB, SECOND, reserved
from toolkit_gpu_rows import ROCE, a3_high, a3_mega, a4x, a4x_max, dws_ultra, g4, gateway, roce, tpu
from toolkit_vm_rows import a4_vm, a4x_vm, buckets_vm, fluent, h4d_vm, lustre_vm, netapp, starccm, ultra_vm

FLEX = {"enable_flex_start": True, "auto_repair": False, "autoscaling_min_node_count": 0}
HELD = {"reservation_affinity": reserved()}
A4 = ("a4-highgpu-8g", "nvidia-b200")
V6E, V7X = "ct6e-standard-4t", "tpu7x-standard-4t"
ROWS = [
    gateway(),
    a3_high(),
    a3_mega(),
    roce("04", "gke-a3-ultragpu", ROCE),
    roce("05", "gke-a4", A4, auto_monitoring_scope="$(vars.auto_monitoring_scope)"),
    a4x(),
    a4x_max(),
    g4(),
    h4d_flex(),
    dws_ultra("10", queued=True),
    tpu(
        "11", "gke-tpu-7x (queued)", V7X, "2x2x2", lost=(SECOND,), pathways=True, buckets=True,
        enable_queued_provisioning=True, autoscaling_max_node_count=2, **FLEX,
    ),
    tpu(
        "12", "gke-tpu-v6e (queued)", V6E, "4x4", lost=(SECOND,), pathways=True, buckets=True,
        enable_queued_provisioning=True, autoscaling_max_node_count=4, **FLEX,
    ),
    dws_ultra("13", queued=False),
    tpu(
        "14", "gke-tpu-7x (flex)", V7X, "2x2x2", lost=(SECOND, JOB), pathways=True, buckets=True,
        autoscaling_max_node_count=2, **FLEX,
    ),
    tpu(
        "15", "gke-tpu-v6e (flex)", V6E, "4x4", lost=(SECOND, JOB), pathways=True, buckets=True,
        autoscaling_max_node_count=4, **FLEX,
    ),
    h4d(),
    hyperdisk(),
    lustre(),
    tpu("19", "gke-tpu-7x", V7X, "2x2x2", lost=(), diagnosed=True, static_node_count=2, **HELD),
    tpu("20", "gke-tpu-7x-advanced", V7X, "2x2x2", lost=(SECOND, JOB), diagnosed=True,
        buckets=True, static_node_count=2, **HELD),
    tpu("21", "gke-tpu-v6e", V6E, "4x4", lost=(SECOND,), diagnosed=True, static_node_count=4, **HELD),
    tpu("22", "gke-tpu-v6e-advanced", V6E, "4x4", lost=(SECOND, JOB), pathways=True,
        buckets=True, static_node_count=4, **HELD),
    small("23", "hpc-gke", {"zone": None}),
    small("24", "ml-gke", {"zone": None, "zones": ["us-central1-a"]}, machine_type="g2-standard-4",
          disk_type="pd-balanced"),
    storage(),
    xpk(),
    h4d_vm(),
    ultra_vm(),
    a4_vm(),
    a4x_vm(),
    lustre_vm(),
    netapp(),
    buckets_vm(),
    fluent(),
    starccm(),
]  # fmt: skip
