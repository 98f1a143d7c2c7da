"""Settings that all machines of a cluster share: sets of either kind, and the head.

The bindings have types of the same shape for each: who asks for a part says which one it is to be.
"""

from collections.abc import Sequence
from typing import Protocol, TypedDict, TypeVar

from cdktf import TerraformResource

from clusterprint.plan.azure import AdminPlan, ImagePlan, OsDiskPlan
from clusterprint.plan.vmss import RepairPlan, ScaleSetPlan
from stacks.azure.identities import Identity
from stacks.azure.place import Place
from stacks.vmss.wiring import Wiring

T = TypeVar("T")
T_co = TypeVar("T_co", covariant=True)
Address_contra = TypeVar("Address_contra", contravariant=True)


class _Reference(Protocol[T_co]):
    """A type of image of the marketplace."""

    def __call__(self, *, publisher: str, offer: str, sku: str, version: str) -> T_co: ...


class _Terms(Protocol[T_co]):
    """A type of the plan that an image is sold under."""

    def __call__(self, *, name: str, product: str, publisher: str) -> T_co: ...


class _Disk(Protocol[T_co]):
    """A type of disk of the operating system."""

    def __call__(
        self,
        *,
        caching: str,
        storage_account_type: str,
        disk_size_gb: int,
        disk_encryption_set_id: str | None,
    ) -> T_co: ...


class _Key(Protocol[T_co]):
    """A type of key of the administrator."""

    def __call__(self, *, username: str, public_key: str) -> T_co: ...


class _Identity(Protocol[T_co]):
    """A type of identity."""

    def __call__(self, *, type: str, identity_ids: Sequence[str]) -> T_co: ...


class _Repair(Protocol[T_co]):
    """A type of repair of unhealthy instances."""

    def __call__(self, *, enabled: bool, grace_period: str, action: str) -> T_co: ...


class _Interface(Protocol[Address_contra, T_co]):
    """A type of network interface, with addresses of a type of its own."""

    def __call__(
        self,
        *,
        name: str,
        primary: bool,
        network_security_group_id: str | None,
        ip_configuration: Sequence[Address_contra],
    ) -> T_co: ...


class _InterfaceAddress(Protocol[T_co]):
    """A type of address of such an interface."""

    def __call__(
        self,
        *,
        name: str,
        primary: bool,
        subnet_id: str,
        load_balancer_backend_address_pool_ids: Sequence[str] | None,
    ) -> T_co: ...


class SetArguments(TypedDict):
    """The arguments that scale sets of both kinds have."""

    name: str
    resource_group_name: str
    location: str
    tags: dict[str, str]
    instances: int
    zones: Sequence[str] | None
    source_image_id: str | None
    proximity_placement_group_id: str | None
    depends_on: Sequence[TerraformResource]


def of_any_set(place: Place, wiring: Wiring, plan: ScaleSetPlan) -> SetArguments:
    """Arguments of a set of either kind, as far as its plan does not name them."""
    return SetArguments(
        name=plan.name,
        resource_group_name=place.group,
        location=place.location,
        tags={**place.tags, **plan.extra_tags},
        instances=plan.instances,
        zones=[plan.zone] if plan.zone else None,
        source_image_id=plan.image.id or None,
        proximity_placement_group_id=wiring.proximity_group or None,
        depends_on=list(wiring.after),
    )


def image_reference(make: _Reference[T], image: ImagePlan) -> T | None:
    """The image, unless it is one of one's own, which has an id."""
    if image.id:
        return None
    return make(publisher=image.publisher, offer=image.offer, sku=image.sku, version=image.version)


def image_terms(make: _Terms[T], image: ImagePlan) -> T | None:
    """The plan of a marketplace image, if it is one."""
    if not image.has_plan:
        return None
    return make(name=image.sku, product=image.offer, publisher=image.publisher)


def os_disk(make: _Disk[T], disk: OsDiskPlan) -> T:
    """The disk that machines boot from."""
    return make(
        caching="ReadWrite",
        storage_account_type=disk.type,
        disk_size_gb=disk.size_gb,
        disk_encryption_set_id=disk.encryption_set or None,
    )


def admin_key(make: _Key[T], admin: AdminPlan) -> list[T]:
    """The one key that opens the machines."""
    return [make(username=admin.username, public_key=admin.public_key)]


def identity_of(make: _Identity[T], identity: Identity) -> T:
    """Who the machines are when they call Azure."""
    return make(type="UserAssigned", identity_ids=[identity.resource.id])


def repair(make: _Repair[T], plan: RepairPlan | None) -> T | None:
    """The repair of unhealthy instances, if there is one."""
    if plan is None:
        return None
    return make(enabled=True, grace_period=plan.grace_period, action=plan.action)


def accelerate_network(scale_set: TerraformResource, argument: str) -> None:
    """Let the interface of each node have accelerated networking, as the provider's version calls it."""
    scale_set.add_override(f"network_interface.0.{argument}", value=True)


def interface(
    make: _Interface[Address_contra, T], address: _InterfaceAddress[Address_contra], wiring: Wiring
) -> list[T]:
    """The one interface of each node."""
    return [
        make(
            name="primary",
            primary=True,
            network_security_group_id=wiring.interface_group or None,
            ip_configuration=[
                address(
                    name="primary",
                    primary=True,
                    subnet_id=wiring.subnet_id,
                    load_balancer_backend_address_pool_ids=wiring.pool_ids,
                )
            ],
        )
    ]
