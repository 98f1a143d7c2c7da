"""Stacks become permissions: what a plan, an apply and a destroy ask, by the place to grant it in."""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Literal, NamedTuple, TypeAlias

from clusterprint.catalog.permissions import Cloud, TypeRights, type_rights
from clusterprint.errors import InternalError
from clusterprint.nodes.deploy import BUILD_IMAGE, FILL_LUSTRE, KEEP_DATA, WAIT_FOR_NODES, WAIT_UNTIL_READY
from clusterprint.resource_types import resource_type

Task: TypeAlias = Literal["plan", "apply", "destroy"]
TASKS: tuple[Task, ...] = ("plan", "apply", "destroy")

Stack: TypeAlias = Mapping[str, Any]

# Terraform writes the state, and beside it a lock, for a plan too.
_STATE = ("storage.objects.create", "storage.objects.delete", "storage.objects.get", "storage.objects.list")
# What the scripts ask that an apply runs beside a stack.
_SCRIPTS = {
    BUILD_IMAGE: (
        *("compute.disks.create", "compute.disks.useReadOnly", "compute.images.create"),
        *("compute.images.deprecate", "compute.images.get", "compute.images.getFromFamily"),
        *("compute.images.list", "compute.images.setLabels", "compute.images.useReadOnly"),
        *("compute.instances.create", "compute.instances.delete", "compute.instances.get"),
        *("compute.instances.getGuestAttributes",),
        *("compute.instances.getSerialPortOutput", "compute.instances.list", "compute.instances.setLabels"),
        *("compute.instances.setMetadata", "compute.instances.stop", "compute.subnetworks.use"),
        *("compute.globalOperations.get", "compute.zoneOperations.get"),
    ),
    FILL_LUSTRE: ("lustre.instances.importData", "lustre.operations.get", "lustre.operations.list"),
    WAIT_FOR_NODES: ("compute.instanceGroupManagers.get",),
    WAIT_UNTIL_READY: ("compute.instances.getGuestAttributes",),
}
# What a network that is named by its link is used for.
_OF_ANOTHER_PROJECT = re.compile(
    r"projects/([a-z][a-z0-9:.-]*)/(?:global/networks|regions/[^/]+/subnetworks)/"
)
_OF_ANOTHER_GROUP = re.compile(
    r"^/subscriptions/([^/]+/resourceGroups/[^/]+)/providers/Microsoft\.Network/virtualNetworks/"
)
_JOIN = (
    *("Microsoft.Network/virtualNetworks/read", "Microsoft.Network/virtualNetworks/subnets/join/action"),
    "Microsoft.Network/virtualNetworks/subnets/read",
)
_USE = (
    *("compute.networks.get", "compute.networks.use"),
    *("compute.subnetworks.get", "compute.subnetworks.use"),
)


class Scope(NamedTuple):
    """Where roles are granted.

    `shared` is a project that only lends a network or holds a part, `state` the bucket of the state, `bucket`
    another one that is not the blueprint's own, `key` a key of Cloud KMS by its full name; the name of a
    resource group is `<subscription>/resourceGroups/<name>`.
    """

    sort: Literal["project", "shared", "bucket", "key", "state", "subscription", "group"]
    name: str

    @property
    def cloud(self) -> Cloud:
        """Whose roles these are."""
        return "azure" if self.sort in {"subscription", "group"} else "google"

    @property
    def title(self) -> str:
        """It in words."""
        words = {"shared": "other project", "state": "bucket of the state", "group": "resource group"}
        return f"{words.get(self.sort, self.sort)} {self.name.rpartition('/')[2]}"


class Need(NamedTuple):
    """Needs in one place: sorted permissions by task, and roles where no list covers a type."""

    scope: Scope
    permissions: dict[Task, tuple[str, ...]]
    roles: dict[Task, tuple[str, ...]]


class _Asked(NamedTuple):
    scope: Scope
    task: Task
    permissions: tuple[str, ...]
    role: str = ""


def needs(stacks: Iterable[Stack]) -> list[Need]:
    """The needs of one blueprint's stacks, as Terraform JSON: the cloud first, the state last.

    Raises InternalError for a type of which no permissions are known.
    """
    stacks = list(stacks)
    return _gathered(asked for stack in stacks for asked in _of_stack(stack, _home(stacks)))


def together(several: Iterable[Need]) -> list[Need]:
    """The needs of several blueprints, each place once."""
    return _gathered(
        asked
        for need in several
        for task in TASKS
        for asked in (
            _Asked(need.scope, task, need.permissions[task]),
            *(_Asked(need.scope, task, (), role) for role in need.roles[task]),
        )
    )


def _gathered(found: Iterable[_Asked]) -> list[Need]:
    permissions: dict[Scope, dict[Task, set[str]]] = defaultdict(lambda: {task: set() for task in TASKS})
    roles: dict[Scope, dict[Task, set[str]]] = defaultdict(lambda: {task: set() for task in TASKS})
    found = list(found)
    states = {each.scope.name for each in found if each.scope.sort == "state"}
    for asked, task, wanted, role in found:
        # The bucket of the state may hold other things, too: it is one place.
        same = asked.sort == "bucket" and asked.name in states
        scope = Scope("state", asked.name) if same else asked
        permissions[scope][task].update(wanted)
        roles[scope][task].update({role} - {""})
    order = ("project", "subscription", "group", "shared", "bucket", "key", "state")
    return [
        Need(
            scope,
            {task: tuple(sorted(permissions[scope][task])) for task in TASKS},
            {task: tuple(sorted(roles[scope][task])) for task in TASKS},
        )
        for scope in sorted(permissions, key=lambda each: (order.index(each.sort), each.name))
    ]


def _home(stacks: Iterable[Stack]) -> str:
    """The project of the blueprint: what runs in a cluster has no provider that would say it."""
    found = (_provider(stack, "google").get("project", "") for stack in stacks)
    return next(filter(None, found), "")


def _provider(stack: Stack, name: str) -> Mapping[str, Any]:
    configured = stack.get("provider", {}).get(name) or [{}]
    first: Mapping[str, Any] = configured[0] if isinstance(configured, list) else configured
    return first


def _of_stack(stack: Stack, home: str) -> Iterator[_Asked]:
    places = _Places(stack, home)
    for read_only, section in ((False, "resource"), (True, "data")):
        for type_, named in stack.get(section, {}).items():
            for body in named.values():
                if type_ == "terraform_data":
                    yield from _of_scripts(body, places)
                elif resource_type(type_).rights:
                    yield from _of_resource(type_, body, places, read_only=read_only)
    bucket = stack.get("terraform", {}).get("backend", {}).get("gcs", {}).get("bucket")
    if bucket:
        yield from (_Asked(Scope("state", bucket), task, _STATE) for task in TASKS)
    yield from _of_registrations(_provider(stack, "azurerm"))


def _of_registrations(azure: Mapping[str, Any]) -> Iterator[_Asked]:
    """The permissions to register a subscription's resource providers."""
    services = azure.get("resource_providers_to_register") or ()
    if services:
        scope = Scope("subscription", azure.get("subscription_id", ""))
        look = "Microsoft.Resources/subscriptions/providers/read"
        yield from (_Asked(scope, task, (look,)) for task in TASKS)
        yield _Asked(scope, "apply", tuple(f"{each}/register/action" for each in services))


def _of_scripts(body: Mapping[str, Any], places: "_Places") -> Iterator[_Asked]:
    """The permissions of the scripts that an apply runs for a part. Raises InternalError for unknown ones."""
    for provisioner in body.get("provisioner", ()):
        run = provisioner.get("local-exec", {})
        if run.get("command") == KEEP_DATA:
            continue  # it asks nobody
        if run.get("command") not in _SCRIPTS:
            raise InternalError(f"no permissions are known for the script {run.get('command')}")
        scope = places.project(run["environment"]["PROJECT"])
        yield _Asked(scope, "apply", (*_SCRIPTS[run["command"]], *_for_machine(run["environment"])))


def _for_machine(environment: Mapping[str, str]) -> Iterator[str]:
    """The permissions to run a machine that a script creates: its account and its network."""
    if "--service-account=" in environment.get("MACHINE_OPTIONS", ""):
        yield "iam.serviceAccounts.actAs"
    if "INTERFACE" in environment and "no-address" not in environment["INTERFACE"]:
        yield "compute.subnetworks.useExternalIp"


class _Places:
    """Where the roles for a resource of a stack are granted."""

    def __init__(self, stack: Stack, home: str) -> None:
        self.home = home
        self._subscription = _provider(stack, "azurerm").get("subscription_id", "")
        resources = stack.get("resource", {})
        # A group that does not exist yet can only be made by somebody with rights on the subscription.
        self._makes_group = "azurerm_resource_group" in resources
        named = (body.get("resource_group_name", "") for each in resources.values() for body in each.values())
        self._group = next((each for each in named if each and "${" not in each), "")

    def of(self, type_: str, body: Mapping[str, Any]) -> Scope:
        sort = resource_type(type_).rights
        if sort == "group":
            if self._makes_group or not self._group:
                return Scope("subscription", self._subscription)
            # What names no group belongs to something that is in the group of all the rest.
            return Scope("group", f"{self._subscription}/resourceGroups/{self._group}")
        if sort == "key":
            return Scope("key", body["crypto_key_id"])
        bucket = body.get("bucket", "")
        if sort == "bucket" and bucket and "${" not in bucket:
            return Scope("bucket", bucket)
        return self.project(body.get("project", ""))

    def project(self, project: str) -> Scope:
        """The project of this name, which is empty or a reference for that of the blueprint."""
        if not project or "${" in project or project == self.home:
            return Scope("project", self.home)
        return Scope("shared", project)


def _of_resource(
    type_: str, body: Mapping[str, Any], places: _Places, *, read_only: bool
) -> Iterator[_Asked]:
    rights = type_rights(type_)
    if rights is None:
        raise InternalError(f"the catalog knows no permissions for {type_}")
    scope = places.of(type_, body)
    yield _Asked(scope, "plan", rights.read)
    yield _Asked(scope, "destroy", rights.read if read_only else _to_destroy(rights, body))
    yield _Asked(scope, "apply", rights.read if read_only else _to_apply(rights, body))
    for task in TASKS:
        if task in rights.roles:
            yield _Asked(scope, task, (), rights.roles[task])
    for lender, use in sorted({*_lenders(body)}):
        if lender.name not in {places.home, scope.name} and type_.startswith(("google_", "azurerm_")):
            yield _Asked(lender, "apply", use)


def _to_apply(rights: TypeRights, body: Mapping[str, Any]) -> tuple[str, ...]:
    """All that a change may ask for: a replacement creates and deletes."""
    more = [each for name, each in rights.extra.items() if _has(body, name)]
    return (*rights.create, *rights.update, *sum(more, ()), *_to_destroy(rights, body))


def _to_destroy(rights: TypeRights, body: Mapping[str, Any]) -> tuple[str, ...]:
    more = [each for name, each in rights.extra_delete.items() if _has(body, name)]
    return (*rights.read, *rights.delete, *sum(more, ()))


def _has(value: Any, name: str) -> bool:
    """Whether an argument of this name is set anywhere in a value, and not to nothing or false."""
    if isinstance(value, Mapping):
        return bool(value.get(name)) or any(_has(each, name) for each in value.values())
    return isinstance(value, list) and any(_has(each, name) for each in value)


def _lenders(value: Any) -> Iterator[tuple[Scope, tuple[str, ...]]]:
    """Where the networks are that a value names by their links, and what they are used for."""
    if isinstance(value, str):
        yield from ((Scope("shared", name), _USE) for name in _OF_ANOTHER_PROJECT.findall(value))
        yield from ((Scope("group", name), _JOIN) for name in _OF_ANOTHER_GROUP.findall(value))
    elif isinstance(value, Mapping):
        for each in value.values():
            yield from _lenders(each)
    elif isinstance(value, list):
        for each in value:
            yield from _lenders(each)
