"""Keys of Kubernetes labels and taints."""

#: The label and the taint by which pools belong to a compute class.
COMPUTE_CLASS = "cloud.google.com/compute-class"


def domain_of(key: str) -> str:
    """The domain of a key, before its slash, or ""."""
    return key.rpartition("/")[0]
