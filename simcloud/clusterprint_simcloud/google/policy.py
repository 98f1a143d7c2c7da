"""`deletion_policy`, which nearly every type has in version 7: decided before any API is asked.

No API knows of it. A plan has what the configuration says, and without that the default, whatever the state
says; a read keeps what the state says, and a delete goes by that. (Magic Modules, read 2026-11-25: pull
request 17380, with the `GetRawConfig` of `DefaultProviderDeletionPolicy`; the page "Deletion policy", where
metadata call the field `provider_only`, a read calls `DeletionPolicyReadDefault` and a delete
`DeletionPolicyPreDelete`; resource.go.tmpl, whose read sets virtual fields only
`if _, ok := d.GetOkExists(...); !ok`.)
"""

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
