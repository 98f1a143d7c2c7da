"""Buckets, wherever a blueprint names them: as volumes, or to fill a file system from."""

from collections.abc import Iterator
from typing import NamedTuple

from msgspec import UNSET

from clusterprint.blueprint.google import GoogleBlueprint
from clusterprint.blueprint.lustre_import import LustreImport
from clusterprint.blueprint.volumes import GoogleVolume
from clusterprint.derived import volumes
from clusterprint.diagnostic import Label
from clusterprint.rules._known import known
from clusterprint.rules.context import Context


class Held(NamedTuple):
    """A bucket: the part that names it, its name in the world, and the field that says it."""

    part: GoogleVolume | LustreImport
    name: str
    create: bool
    field: str
    suffix_length: int = 0

    @property
    def longest(self) -> str:
        """Its name, with as many digits as it may end with."""
        return self.name + f"-{'0' * self.suffix_length}" if self.suffix_length else self.name

    def place(self, context: Context, text: str = "") -> Label:
        """Where its name stands, or that of the volume that it is named after."""
        return context.at(self.part, self.field, text=text)


def held(part: GoogleVolume | LustreImport, blueprint: GoogleBlueprint) -> Held | None:
    """The bucket of a part; None for a volume that is none."""
    if isinstance(part, LustreImport):
        return Held(part, part.bucket, create=False, field="bucket")
    if part.kind != "bucket":
        return None
    field = "name" if part.bucket is UNSET else "bucket"
    digits = volumes.SUFFIX_LENGTH if volumes.has_random_suffix(part) else 0
    return Held(part, volumes.bucket_name(blueprint.name, part), part.create, field, digits)


def all_held(blueprint: GoogleBlueprint) -> Iterator[Held]:
    """All buckets of a blueprint, without those of which something was reported already."""
    for _, found in known(volumes.volumes(blueprint.storage), lambda part: held(part, blueprint)):
        if found and all(each == each for each in found[1:3]):  # noqa: PLR0124 - to touch them
            yield found


def all_imported(blueprint: GoogleBlueprint) -> Iterator[Held]:
    """The buckets whose objects fill a file system, without those of which something was reported already."""
    wanted = known(volumes.volumes(blueprint.storage), lambda volume: volume.import_from)
    parts = [part for _, part in wanted if part is not UNSET]
    yield from (found for _, found in known(parts, lambda part: held(part, blueprint)) if found)
