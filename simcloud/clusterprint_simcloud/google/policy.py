"""`deletion_policy`, which nearly every type has in version 7: decided before any API is asked."""

from clusterprint_simcloud.cloud.behaviour import Request
from clusterprint_simcloud.cloud.contents import ApiError
from clusterprint_simcloud.google.peering import CONNECTION


def abandons(request: Request) -> bool:
    """Whether the resource stays in the cloud as it is.

    :raises ApiError: when it must not go.
    """
    policy = request.text("deletion_policy")
    if policy == "PREVENT":
        words = request.kind.name.removeprefix("google_").split("_")
        message = f"cannot destroy {''.join(each.title() for each in words)} without setting "
        raise ApiError(f'{message}deletion_policy="DELETE" and running `terraform apply`')
    # The peering behind a connection goes with its network, which is what is destroyed after it.
    return policy == "ABANDON" and request.kind.name != CONNECTION
