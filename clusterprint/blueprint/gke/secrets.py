"""`secrets`: where passwords and tokens of workloads are kept, never what they are."""

from typing import Annotated, ClassVar

from msgspec import UNSET, Meta, UnsetType

from clusterprint.blueprint.gke.texts import SECRET_FORM, SecretName
from clusterprint.blueprint.part import Part
from clusterprint.blueprint.relations import Needs, Refuses, Relation, case, only, when
from clusterprint.blueprint.texts import Region


class Secret(Part, frozen=True, kw_only=True):
    """A Secret Manager secret. The name alone means an existing one."""

    relations: ClassVar[tuple[Relation, ...]] = (
        Needs("GKE373", when("name"), when("@readers"), (when("create", False),)),
        Refuses("GKE372", "location", "unknown", ("region",)),
        only("GKE371", "secret", "deletion_protection", case(create=True)),
    )

    shorthand: ClassVar[str] = "name"

    name: Annotated[SecretName, Meta(description="Name of the secret in the project.")]
    create: Annotated[
        bool,
        Meta(
            description="Create the secret, without a value: that is added afterwards, and is never in "
            "the blueprint or the state. With false, it must exist already."
        ),
    ] = False
    location: Annotated[
        Region | UnsetType,
        Meta(
            description="Region of a regional secret, whose value stays there. Left out: a global secret, "
            "replicated by Google."
        ),
    ] = UNSET
    deletion_protection: Annotated[
        bool,
        Meta(
            description="Refuse to destroy a created secret with all its values. To remove it, set this to "
            "false and apply first."
        ),
    ] = True


#: An item of `secrets`: a map, or a text that has the form of a name.
NameOrSecret = Annotated[Secret, Meta(extra_json_schema={"type": ["object", "string"], **SECRET_FORM})]
