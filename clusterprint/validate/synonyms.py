"""Other tools' words for keys of blueprints."""

from collections.abc import Collection

#: Properties of the machine type, which have no key.
_GPUS = frozenset(
    (
        *("gpu", "gpus", "gpu_count", "gpu_type", "num_gpus", "gpus_per_node"),
        *("accelerator", "accelerators", "accelerator_type", "accelerator_count"),
    )
)

_KEYS = {
    "instance_type": ("machine_type", "size"),
    "vm_size": ("size", "machine_type"),
    "sku": ("size",),
    "machine": ("machine_type", "size"),
    "machine_type": ("size",),
    "size": ("machine_type",),
    "replicas": ("count", "workers"),
    "instances": ("count",),
    "num_nodes": ("count",),
    "nodes": ("count",),
    "node_pool": ("nodes",),
    "pools": ("node_pools", "nodes"),
    "tags": ("labels",),
    "location": ("region",),
    "region": ("location",),
    "subscription_id": ("subscription",),
    "disk": ("boot_disk", "os_disk"),
    "os_disk": ("boot_disk",),
    "boot_disk": ("os_disk",),
    "setup_script": ("startup_script",),
    "user_data": ("startup_script",),
    "vpc": ("network",),
}

# What stands in a map of its own: the key of that map, and how it is written.
_INNER = {
    **dict.fromkeys(("min_nodes", "min_count", "min_size"), ("autoscaling", "autoscaling: {min: ...}")),
    **dict.fromkeys(("max_nodes", "max_count", "max_size"), ("autoscaling", "autoscaling: {max: ...}")),
    **dict.fromkeys(("spot", "preemptible"), ("capacity", "capacity: {model: spot}")),
    **dict.fromkeys(("boot_disk_size_gb", "disk_size_gb"), ("boot_disk", "boot_disk: {size_gb: ...}")),
    **dict.fromkeys(("boot_disk_type", "disk_type"), ("boot_disk", "boot_disk: {type: ...}")),
    "reservation": ("capacity", "capacity: {model: reservation, reservation: ...}"),
    "image_family": ("image", "image: {family: ..., project: ...}"),
    "topology": ("tpu", "tpu: {topology: ...}"),
}

_VALUES = {
    "preemptible": "spot",
    "standard": "on_demand",
    "dws": "flex_start",
    "queued": "flex_start",
    "reserved": "reservation",
    # Tiers of Filestore that went into others.
    "enterprise": "regional",
    "high_scale_ssd": "zonal",
}

_KINDS = {
    **dict.fromkeys(("kubernetes", "k8s", "cluster", "tpu", "kueue", "mpi"), "gke"),
    **dict.fromkeys(("gce", "gcp", "google", "compute", "instance", "mig"), "vm"),
    **dict.fromkeys(("azure", "scale_set", "scaleset"), "vmss"),
    **dict.fromkeys(("kuberay", "raycluster"), "ray"),
}

_NOT_BUILT = {
    "slurm": "Slurm is a part of kinds vm and vmss, as bootstrap.slurm, and its own files are not imported; "
    "kind gke queues jobs with Kueue",
    "multishare": "each volume has a Filestore of its own; claims have shares of one with max_share_gb in "
    "storage.file_classes",
}


def means_gpus(key: str) -> bool:
    """Whether a key is about the GPUs of a machine."""
    return key.lower().replace("-", "_") in _GPUS


def key_for(word: str, known: Collection[str]) -> str:
    """The known key for a word of another tool, or an empty text."""
    candidates = _KEYS.get(word.lower().replace("-", "_"), ())
    return next((each for each in candidates if each in known), "")


def inner_for(word: str, known: Collection[str]) -> str:
    """How a word of another tool is written below one of the known keys, or an empty text."""
    key, written = _INNER.get(word.lower().replace("-", "_"), ("", ""))
    return written if key in known else ""


def value_for(word: str, allowed: Collection[str]) -> str:
    """The allowed value for a word of another tool, or an empty text."""
    meant = _VALUES.get(word.lower(), "")
    return meant if meant in allowed else ""


def kind_for(word: str) -> str:
    """The kind of blueprint for a word of another tool, or an empty text."""
    return _KINDS.get(word.lower().replace("-", "_"), "")


def why_not_built(word: str) -> str:
    """The message about a tool's feature that is not supported, with the alternative, or an empty text."""
    return _NOT_BUILT.get(word.lower(), "")
