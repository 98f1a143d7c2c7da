"""Messages about the sizes of a file system."""

from clusterprint import catalog


def nearest(tier: catalog.Sized, size_gib: int) -> str:
    """The next available size and the one before it, as blueprints write them."""
    above, below = tier.nearest(size_gib), tier.nearest_below(size_gib)
    return f"size_gb: {above}" if below in (None, above) else f"size_gb: {above}, or {below}"


def sizes(tier: catalog.Sized) -> str:
    """All sizes."""
    return " and ".join(
        f"{each.min_gib:,} to {each.max_gib:,} GiB in steps of {each.step_gib:,}" for each in tier.bands
    )
