"""Keys whose values name something else in the same blueprint, and where that stands."""

#: The last keys of such a field, and the lists whose items they may name.
_REFERENCES: dict[tuple[str, ...], tuple[tuple[str, ...], ...]] = {
    ("jobs", "node_pool"): (("node_pools",),),
    ("jobsets", "node_pool"): (("node_pools",),),
    ("leader_worker_sets", "node_pool"): (("node_pools",),),
    ("jobs", "compute_class"): (("compute_classes",),),
    ("jobsets", "compute_class"): (("compute_classes",),),
    ("leader_worker_sets", "compute_class"): (("compute_classes",),),
    ("quotas", "pool"): (("node_pools",),),
    ("kueue", "topology_pools"): (("node_pools",),),
    ("workers", "pool"): (("node_pools",),),
    ("workers", "compute_class"): (("compute_classes",),),
    ("compute_classes", "prefer"): (("node_pools",),),
    ("notebook", "group"): (("node_groups",),),
    ("ray", "head_group"): (("node_groups",),),
    ("routes", "service"): (("ray", "services"),),
    ("run", "group"): (("node_groups",),),
    ("nccl", "group"): (("node_groups",),),
    ("run", "bucket"): (("storage", "buckets"),),
    ("nccl", "bucket"): (("storage", "buckets"),),
    ("workload_identity", "buckets", "name"): (("storage", "buckets"),),
    ("checkpoints", "node_pools"): (("node_pools",),),
    ("checkpoints", "volume"): (("storage", "volumes"),),
    ("mounts", "volume"): (("storage", "volumes"),),
    ("import_from", "bucket"): (("storage", "buckets"),),
    ("storage", "may_lose"): (("storage", "volumes"), ("storage", "shares")),
}


def lists_named_by(path: tuple[str, ...]) -> tuple[tuple[str, ...], ...]:
    """The lists whose items the field at a path names; none for fields that name nothing."""
    return next(
        (lists for end, lists in _REFERENCES.items() if path[-len(end) :] == end),
        (),
    )


def path_of(place: tuple[str | int, ...]) -> tuple[str, ...]:
    """A place without positions in lists."""
    return tuple(each for each in place if isinstance(each, str))
