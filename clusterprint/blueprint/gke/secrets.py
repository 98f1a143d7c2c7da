"""`secrets`: where passwords and tokens of workloads are kept, never what they are."""

from typing import Annotated, ClassVar

from msgspec import UNSET, Meta, UnsetType

from clusterprint.blueprint.gke.texts import SECRET_FORM, SecretName
from clusterprint.blueprint.part import Part
from clusterprint.blueprint.texts import Region


class Secret(Part, frozen=True, kw_only=True):
    """A secret of Secret Manager. Its name alone stands for one that exists."""

    shorthand: ClassVar[str] = "name"

    name: Annotated[SecretName, Meta(description="Name of the secret in the project.")]
    create: Annotated[
        bool,
        Meta(
            description="Create the secret, empty: its value is added afterwards, by people or programs, and "
            "is in no blueprint and in no state. With false, it must exist already."
        ),
    ] = False
    location: (
        Annotated[
            Region,
            Meta(
                description="Region of a regional secret, which keeps its value there. Left out: a global "
                "secret, which Google replicates."
            ),
        ]
        | UnsetType
    ) = UNSET
    deletion_protection: Annotated[
        bool,
        Meta(
            description="Refuse to destroy a created secret with all its values. To remove it, set this to "
            "false and apply first."
        ),
    ] = True


#: An item of `secrets`: a map, or a text that has the form of a name.
NameOrSecret = Annotated[Secret, Meta(extra_json_schema={"type": ["object", "string"], **SECRET_FORM})]
