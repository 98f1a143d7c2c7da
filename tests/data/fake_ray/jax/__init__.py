"""A JAX that finds the chips of four hosts, for a job of Ray that only counts them."""


def device_count() -> int:
    """How many chips all hosts have together."""
    return 16
