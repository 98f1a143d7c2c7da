"""What the version of the Terraform provider google that a blueprint asks for has."""

from clusterprint.blueprint.google import Terraform

#: The last version before 7, which is that of the bindings: it has none of what came later.
OLD = "6.50.0"


def is_old(terraform: Terraform) -> bool:
    """Whether only what the bindings know can be used."""
    return terraform.google_provider == OLD
