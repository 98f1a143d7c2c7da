"""Protection of resources that hold data against plans that would destroy them."""

from cdktf import TerraformResourceLifecycle


def prevent_destroy(*, protected: bool) -> TerraformResourceLifecycle | None:
    """The lifecycle of a resource that is protected; None for one that is not."""
    return TerraformResourceLifecycle(prevent_destroy=True) if protected else None
