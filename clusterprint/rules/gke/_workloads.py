"""Helpers of rules about workloads: jobs, queues, and objects of manifests."""

from typing import NamedTuple
from weakref import WeakKeyDictionary

from clusterprint.blueprint.gke.blueprint import GkeBlueprint
from clusterprint.blueprint.gke.components import Manifest
from clusterprint.derived.kubernetes_objects import Found, NotReadable, read_objects
from clusterprint.rules import _paths, _texts
from clusterprint.rules.kit import UNSET, Context, Iterator


class Carried(NamedTuple):
    """An object of a manifest."""

    manifest: Manifest
    found: Found


def objects_of(manifest: Manifest, context: Context[GkeBlueprint]) -> list[Found]:
    """The objects of a manifest; raises NotReadable. Several rules ask, so the answer is kept."""
    kept = _read.setdefault(context, {})
    key = id(manifest)
    if key not in kept:
        try:
            kept[key] = _objects(manifest, context)
        except NotReadable as error:
            kept[key] = error
    answer = kept[key]
    if isinstance(answer, NotReadable):
        raise answer
    return answer


_read: WeakKeyDictionary[Context, dict[int, list[Found] | NotReadable]] = WeakKeyDictionary()


def all_objects(context: Context[GkeBlueprint]) -> Iterator[Carried]:
    """The objects of all manifests that can be read."""
    for manifest in context.blueprint.workloads.manifests:
        try:
            found = objects_of(manifest, context)
        except NotReadable:
            continue
        for each in found:
            yield Carried(manifest, each)


def _objects(manifest: Manifest, context: Context[GkeBlueprint]) -> list[Found]:
    if (manifest.file is UNSET) == (manifest.inline is UNSET):
        return []  # other rules speak about it
    if manifest.inline is not UNSET:
        return read_objects(manifest.inline)
    named = _paths.named(manifest, context)
    if named is None or named.sort is not _paths.Sort.FILE:
        return []
    content = _paths.head(named.path, MOST_BYTES)
    if not _texts.is_text(content):
        return []
    return read_objects(content.decode("utf-8", "replace"))


#: A byte more than any text that is read.
MOST_BYTES = 4 * (1 << 20) + 1
