"""Permissions become predefined roles: narrow ones, and no more than it takes."""

from clusterprint.catalog.permissions import Role
from clusterprint.catalog.permissions import roles as known_roles
from clusterprint.errors import InternalError
from clusterprint.rights.needs import Need, Scope, Task

# What of Kubernetes Engine a plan reads from outside of clusters.
_OF_CLUSTERS = frozenset({"container.clusters.get", "container.operations.get"})

# How the names of roles begin that can be granted on a part of a service, instead of a project.
_SERVICES = {"bucket": "roles/storage.", "state": "roles/storage.", "key": "roles/cloudkms."}


def roles_for(need: Need, task: Task) -> list[str]:
    """The roles that together permit it, in the order of the catalog.

    For each permission the narrowest role that has it; then every role goes whose permissions the others
    have anyway, narrow ones first. Raises InternalError for a permission that no known role has.
    """
    known = {name: role for name, role in known_roles().items() if _grantable(name, role, need.scope)}
    fixed = set(need.roles[task])
    chosen = set(fixed)
    for permission in need.permissions[task]:
        narrowest = next((name for name, role in known.items() if role.permits(permission)), None)
        if narrowest is None:
            raise InternalError(f"the catalog knows no role with {permission}")
        chosen.add(narrowest)
    for name in [each for each in known if each in chosen - fixed]:
        others = [known[each] for each in chosen - {name}]
        if all(any(role.permits(one) for role in others) for one in need.permissions[task]):
            chosen.remove(name)
    return [name for name in known if name in chosen]


def roles_for_pull_requests(need: Need) -> list[str]:
    """The roles for plans as `clusterprint init gitops` sets them up: no lock, and no look into clusters."""
    kept = tuple(each for each in need.permissions["plan"] if not _idle_in_pull_requests(each))
    return roles_for(need._replace(permissions={**need.permissions, "plan": kept}), "plan")


def _idle_in_pull_requests(permission: str) -> bool:
    of_lock = permission in {"storage.objects.create", "storage.objects.delete"}
    return of_lock or (permission.startswith("container.") and permission not in _OF_CLUSTERS)


def _grantable(name: str, role: Role, scope: Scope) -> bool:
    """Whether a role can be granted there: on a bucket those of Cloud Storage only, on a key those of KMS."""
    service = _SERVICES.get(scope.sort, "")
    return role.cloud == scope.cloud and name.startswith(service)
