"""Objects from the user's own files."""

from pathlib import Path
from typing import NamedTuple

from clusterprint.blueprint.gke.components import Manifest
from clusterprint.derived.kubernetes_objects import Found, read_objects
from clusterprint.derived.texts import text_of
from clusterprint.plan.kubernetes import ObjectsPlan

NAMESPACE = "default"


class Manifests(NamedTuple):
    """Definitions of new kinds of objects, which have to come first, and everything else.

    `named` are the namespaces that objects are in, `brought` those that are among the objects.
    """

    definitions: ObjectsPlan | None
    objects: ObjectsPlan | None
    named: frozenset[str]
    brought: frozenset[str]


def resolve_manifests(manifests: tuple[Manifest, ...], folder: Path) -> Manifests:
    """Read all files."""
    found = [each for manifest in manifests for each in read_objects(text_of(manifest, folder))]
    return Manifests(
        _release("definitions", [each for each in found if _is_definition(each)]),
        _release("manifests", [each for each in found if not _is_definition(each)]),
        frozenset(each.namespace for each in found if each.namespace),
        frozenset(each.name for each in found if each.kind == "Namespace"),
    )


def _is_definition(found: Found) -> bool:
    return found.kind == "CustomResourceDefinition"


def _release(key: str, found: list[Found]) -> ObjectsPlan | None:
    if not found:
        return None
    objects = {each.key: each.content for each in found}
    return ObjectsPlan(
        key=key, name=key, namespace=NAMESPACE, objects={name: objects[name] for name in sorted(objects)}
    )
