"""Volumes inside a cluster: storage classes, persistent volumes and the claims that pods name."""

from collections.abc import Mapping
from typing import Protocol

from cdktf import DataResource, TerraformResource, TerraformResourceLifecycle
from cdktf_cdktf_provider_kubernetes.persistent_volume_claim_v1 import (
    PersistentVolumeClaimV1,
    PersistentVolumeClaimV1Metadata,
    PersistentVolumeClaimV1Spec,
    PersistentVolumeClaimV1SpecResources,
)
from cdktf_cdktf_provider_kubernetes.persistent_volume_v1 import (
    PersistentVolumeV1,
    PersistentVolumeV1Metadata,
    PersistentVolumeV1Spec,
    PersistentVolumeV1SpecClaimRef,
    PersistentVolumeV1SpecNodeAffinity,
    PersistentVolumeV1SpecNodeAffinityRequired,
    PersistentVolumeV1SpecNodeAffinityRequiredNodeSelectorTerm,
    PersistentVolumeV1SpecNodeAffinityRequiredNodeSelectorTermMatchExpressions,
    PersistentVolumeV1SpecPersistentVolumeSource,
    PersistentVolumeV1SpecPersistentVolumeSourceCsi,
    PersistentVolumeV1SpecPersistentVolumeSourceNfs,
)
from cdktf_cdktf_provider_kubernetes.storage_class_v1 import (
    StorageClassV1,
    StorageClassV1AllowedTopologies,
    StorageClassV1AllowedTopologiesMatchLabelExpressions,
    StorageClassV1Metadata,
)
from constructs import Construct

from clusterprint.plan.claims import ClaimPlan, ClaimsPlan, StorageClassPlan
from stacks.addresses import address, addressed
from stacks.kubernetes.namespaces import Namespaces

_ZONE = "topology.gke.io/zone"
_DEFAULT = "storageclass.kubernetes.io/is-default-class"


class Reachable(Protocol):
    """A volume of another stack, as drivers find it: by `handle`, and at `addresses`."""

    @property
    def handle(self) -> str:
        """The driver's name of the volume."""

    @property
    def addresses(self) -> Mapping[str, str]:
        """The driver's additional attributes."""


class Claims(Construct):
    """All classes and claims; `resources` have to be there before the pods that name them."""

    def __init__(
        self,
        scope: Construct,
        id: str,
        *,
        namespaces: Namespaces,
        made: Mapping[str, Reachable],
        plan: ClaimsPlan,
    ) -> None:
        super().__init__(scope, id)
        self.resources: list[TerraformResource] = [_storage_class(self, each) for each in plan.classes]
        self.resources += [
            Claim(self, each.key, namespaces=namespaces, made=made.get(each.volume), plan=each).resource
            for each in plan.claims
        ]


class Claim(Construct):
    """A persistent volume and the one claim that it is for."""

    def __init__(
        self, scope: Construct, id: str, *, namespaces: Namespaces, made: Reachable | None, plan: ClaimPlan
    ) -> None:
        super().__init__(scope, id)
        volume = addressed(
            PersistentVolumeV1(
                self,
                "volume",
                metadata=PersistentVolumeV1Metadata(name=plan.name),
                spec=[_volume(plan, made)],
                depends_on=namespaces.before(plan.namespace),
            )
        )
        self.resource: TerraformResource = addressed(
            PersistentVolumeClaimV1(
                self,
                "claim",
                metadata=PersistentVolumeClaimV1Metadata(name=plan.claim, namespace=plan.namespace),
                spec=PersistentVolumeClaimV1Spec(
                    access_modes=[plan.access_mode],
                    storage_class_name=plan.storage_class,
                    volume_name=volume.metadata.name,
                    resources=PersistentVolumeClaimV1SpecResources(requests={"storage": plan.asked}),
                ),
                # No volume goes as long as it has a claim: with another one under it, the claim goes first.
                lifecycle=TerraformResourceLifecycle(replace_triggered_by=[f"{address(volume)}.id"]),
            )
        )


def _volume(plan: ClaimPlan, made: Reachable | None) -> PersistentVolumeV1Spec:
    return PersistentVolumeV1Spec(
        capacity={"storage": plan.size},
        access_modes=[plan.access_mode],
        # Whoever deletes a claim deletes no data.
        persistent_volume_reclaim_policy="Retain",
        storage_class_name=plan.storage_class,
        mount_options=list(plan.mount_options) or None,
        claim_ref=PersistentVolumeV1SpecClaimRef(name=plan.claim, namespace=plan.namespace),
        node_affinity=_in_zone(plan.zone),
        persistent_volume_source=_source(plan, made),
    )


def _source(plan: ClaimPlan, made: Reachable | None) -> PersistentVolumeV1SpecPersistentVolumeSource:
    addresses = dict(made.addresses) if made else {}
    read_only = True if plan.access_mode == "ReadOnlyMany" else None
    if plan.driver == "nfs":
        return PersistentVolumeV1SpecPersistentVolumeSource(
            nfs=PersistentVolumeV1SpecPersistentVolumeSourceNfs(
                server=addresses["server"], path=addresses["path"], read_only=read_only
            )
        )
    return PersistentVolumeV1SpecPersistentVolumeSource(
        csi=PersistentVolumeV1SpecPersistentVolumeSourceCsi(
            driver=plan.driver,
            volume_handle=made.handle if made else plan.handle,
            fs_type=plan.fs_type or None,
            read_only=read_only,
            volume_attributes={**plan.attributes, **addresses} or None,
        )
    )


def _in_zone(zone: str) -> PersistentVolumeV1SpecNodeAffinity | None:
    if not zone:
        return None
    expression = PersistentVolumeV1SpecNodeAffinityRequiredNodeSelectorTermMatchExpressions(
        key=_ZONE, operator="In", values=[zone]
    )
    term = PersistentVolumeV1SpecNodeAffinityRequiredNodeSelectorTerm(match_expressions=[expression])
    return PersistentVolumeV1SpecNodeAffinity(
        required=PersistentVolumeV1SpecNodeAffinityRequired(node_selector_term=[term])
    )


def _storage_class(scope: Construct, plan: StorageClassPlan) -> StorageClassV1:
    # The provider reports to have changed them, and sends nothing: a class with others is another class.
    unsent = {"reclaim_policy": plan.reclaim_policy, "zones": list(plan.zones)}
    fixed = addressed(DataResource(scope, f"fixed-{plan.key}", input=unsent))
    return addressed(
        StorageClassV1(
            scope,
            f"class-{plan.key}",
            metadata=StorageClassV1Metadata(
                name=plan.name, annotations={_DEFAULT: "true"} if plan.is_default else None
            ),
            storage_provisioner=plan.driver,
            parameters=plan.parameters,
            allow_volume_expansion=True,
            reclaim_policy=plan.reclaim_policy,
            volume_binding_mode=plan.binding,
            allowed_topologies=_allowed(plan.zones) if plan.zones else None,
            lifecycle=TerraformResourceLifecycle(
                replace_triggered_by=[f"terraform_data.{fixed.friendly_unique_id}"]
            ),
        )
    )


def _allowed(zones: tuple[str, ...]) -> StorageClassV1AllowedTopologies:
    expression = StorageClassV1AllowedTopologiesMatchLabelExpressions(key=_ZONE, values=list(zones))
    return StorageClassV1AllowedTopologies(match_label_expressions=[expression])
