"""The Terraform provider google, in the version that a plan names, and what its bindings do not know."""

from cdktf import TerraformResource, TerraformStack
from cdktf_cdktf_provider_google.provider import GoogleProvider

from clusterprint.errors import InternalError
from stacks.google.beyond import BEYOND


def require_google(
    stack: TerraformStack, version: str, *, project: str, region: str, zone: str | None = None
) -> None:
    """Let a stack have the provider google in a version."""
    GoogleProvider(stack, "google", project=project, region=region, zone=zone)
    stack.add_override("terraform.required_providers.google.version", version)


def set_beyond(resource: TerraformResource, argument: str, value: object) -> None:
    """Set an argument that the bindings do not have, unless there is nothing to set.

    `argument` is dotted, with positions in lists: `maintenance_policy.0.disruption_budget`.
    """
    path = ".".join(part for part in argument.split(".") if not part.isdecimal())
    if path not in BEYOND.get(resource.terraform_resource_type, ()):
        raise InternalError(
            f"{resource.terraform_resource_type}.{path} is not listed in stacks.google.beyond"
        )
    if value:
        resource.add_override(argument, value)
