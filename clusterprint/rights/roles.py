"""Permissions become predefined roles: narrow ones, and no more than it takes."""

from clusterprint.catalog.permissions import roles as known_roles
from clusterprint.errors import InternalError
from clusterprint.rights.needs import Need, Task


def roles_for(need: Need, task: Task) -> list[str]:
    """The roles that together permit it, in the order of the catalog.

    For each permission the narrowest role that has it; then every role goes whose permissions the others
    have anyway, narrow ones first. Raises InternalError for a permission that no known role has.
    """
    known = {name: role for name, role in known_roles().items() if role.cloud == need.scope.cloud}
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
