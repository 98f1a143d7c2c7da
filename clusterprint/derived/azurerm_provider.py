"""Names of arguments in the version of the Terraform provider azurerm that a blueprint asks for."""

from clusterprint.blueprint.azure import AzureTerraform


def renames(terraform: AzureTerraform) -> bool:
    """Whether it is version 5, which has renamed arguments that stacks set."""
    return terraform.azurerm_provider.startswith("5.")


def acceleration(terraform: AzureTerraform) -> str:
    """The argument of the interfaces of a scale set for accelerated networking."""
    return "accelerated_networking_enabled" if renames(terraform) else "enable_accelerated_networking"
