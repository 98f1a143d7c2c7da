"""What keeps a resource that holds data from a plan that would destroy it."""

from cdktf import TerraformResourceLifecycle


def prevent_destroy(*, protected: bool) -> TerraformResourceLifecycle | None:
    """The lifecycle of a resource that is protected; None for one that is not."""
    return TerraformResourceLifecycle(prevent_destroy=True) if protected else None
