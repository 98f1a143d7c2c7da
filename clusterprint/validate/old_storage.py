"""`storage.buckets` and `storage.shares`, which the language does not have: entries of `storage.volumes` are.

People know them from descriptions and drafts. A blueprint with one of them gets the entries to write, and the
edit that writes them, which is offered only if its result is read as exactly these entries.
"""

import re
from collections.abc import Iterator
from typing import Any, NamedTuple

from clusterprint import edits
from clusterprint.document import Document, Place
from clusterprint.edits import Edit, Rewritten
from clusterprint.load import load_text
from clusterprint.validate.help_texts import inline

_STORAGE: Place = ("storage",)
_EXAMPLES = {old: {"name": f"my-{old[:-1]}", "mount": "/mnt/data"} for old in ("buckets", "shares")}
_SHARES = {"files_nfs": {"kind": "azure_files"}, "files_smb": {"kind": "azure_files", "protocol": "smb"}}
_LONGEST_NAME = 20
_SHOWN = 5


class Moved(NamedTuple):
    """The replacement in words, and the edit that makes it if that is unambiguous."""

    help_text: str
    edit: Rewritten | None


class _Entry(NamedTuple):
    """An entry of the old list as a volume: what is written in place of some of its keys, and all of it."""

    changes: dict[str, dict[str, Any]]
    volume: dict[str, Any]

    @property
    def name(self) -> str:
        """The name of the volume."""
        return str(self.volume["name"])

    @property
    def is_created(self) -> bool:
        """Whether the cluster creates it."""
        return self.volume.get("create", True) is True

    @property
    def may_be_lost(self) -> bool:
        """Whether it is created, and its data may be destroyed."""
        return self.is_created and self.volume.get("deletion_protection") is False


def moved(document: Document, at: Place, kind: str) -> Moved | None:
    """How the unknown key at a place is written; None if it is no such list."""
    old = "shares" if kind == "vmss" else "buckets"
    if at != (*_STORAGE, old):
        return None
    storage = document.data["storage"]
    items = storage[old]
    if not isinstance(items, list) or not all(map(_is_named, items)):
        example = [each.volume for each in _entries([_EXAMPLES[old]], document, kind)]
        return Moved(f"write entries of storage.volumes, such as volumes: {inline(example)}", None)
    entries = list(_entries(items, document, kind))
    lost = [each.name for each in entries if "force_destroy" in each.changes and each.may_be_lost]
    mounted = [each.name for each in entries if kind == "ray" and "mount" in each.volume]
    can_join = all(isinstance(storage.get(each, []), list) for each in ("volumes", "may_lose"))
    edit = _edit(document, old, entries, lost, mounted) if can_join else None
    return Moved(_help(entries, lost, mounted), edit)


def _is_named(item: Any) -> bool:
    return isinstance(item, dict) and isinstance(item.get("name"), str)


def _entries(items: list[Any], document: Document, kind: str) -> Iterator[_Entry]:
    storage = document.data["storage"]
    others = [storage[each] for each in ("volumes", "disk_pools") if isinstance(storage.get(each), list)]
    taken = {each["name"] for other in others for each in other if _is_named(each)}
    for item in items:
        if kind == "vmss":
            changes = _of_share(item)
        else:
            changes = _of_bucket(item, _free_name(item["name"], document.data.get("name"), taken), kind)
        volume: dict[str, Any] = {}
        for key, value in item.items():
            volume |= changes.get(key, {key: value})
        yield _Entry(changes, volume)


def _of_share(share: dict[str, Any]) -> dict[str, dict[str, Any]]:
    if "kind" not in share:
        return {"name": {"name": share["name"], "kind": "azure_files"}}
    return {"kind": _SHARES[share["kind"]]} if share["kind"] in [*_SHARES] else {}


def _of_bucket(bucket: dict[str, Any], name: str, kind: str) -> dict[str, dict[str, Any]]:
    first: dict[str, Any] = {"name": name, "kind": "bucket"}
    if "create" not in bucket:
        first["create"] = False
    if kind == "ray" and "mount" in bucket:
        first["profile"] = "training"
    # The name of the bucket comes last, because a comment may follow it.
    changes = {"name": first | {"bucket": bucket["name"]}}
    if isinstance(force := bucket.get("force_destroy"), bool):
        changes["force_destroy"] = {"deletion_protection": not force}
    return changes


def _free_name(bucket: str, cluster: Any, taken: set[str]) -> str:
    """The name of a volume for a bucket, which no other has: of whole words, without that of the cluster."""
    words = re.sub("[^a-z0-9]+", "-", bucket.removeprefix(f"{cluster}-").lower()).lstrip("-0123456789")
    short = words[: _LONGEST_NAME + 1].rpartition("-")[0] if len(words) > _LONGEST_NAME else words
    plain = (short or words[:_LONGEST_NAME]).strip("-") or "bucket"
    free, number = plain, 1
    while free in taken:
        number += 1
        free = f"{plain[: _LONGEST_NAME - len(str(number)) - 1].rstrip('-')}-{number}"
    taken.add(free)
    return free


def _help(entries: list[_Entry], lost: list[str], mounted: list[str]) -> str:
    shown = [each.volume for each in entries[:_SHOWN]]
    texts = [f"volumes: {inline(shown, longest=None)}"]
    if len(entries) > _SHOWN:
        texts[0] = f"{texts[0]}, the other {len(entries) - _SHOWN} alike"
    if lost:
        texts.append(f"may_lose: {inline(lost)}")
    help_text = f"write {' and '.join(texts)}"
    if mounted:
        mounts = inline([{"volume": each} for each in mounted])
        help_text += f", and mounts: {mounts} in ray.head and in each of ray.workers"
    if any(
        each.volume.get("kind") == "bucket" and each.is_created and not each.may_be_lost for each in entries
    ):
        help_text += "; a created bucket is protected unless it says deletion_protection: false"
    return help_text


def _edit(
    document: Document, old: str, entries: list[_Entry], lost: list[str], mounted: list[str]
) -> Rewritten | None:
    found = [*_of_lists(document, old, entries, lost), *_of_mounts(document, mounted)]
    made = [each for each in found if each]
    if len(made) < len(found):
        return None
    whole = edits.rewritten(document.text, made)
    again = load_text(whole.whole.encode("utf-8", "surrogatepass"), "", document.folder).document
    storage = {key: value for key, value in document.data["storage"].items() if key != old}
    storage["volumes"] = [*(each.volume for each in entries), *storage.get("volumes", [])]
    if lost:
        storage["may_lose"] = [*lost, *storage.get("may_lose", [])]
    return whole if again and again.data["storage"] == storage else None


def _of_lists(document: Document, old: str, entries: list[_Entry], lost: list[str]) -> Iterator[Edit | None]:
    storage, place = document.data["storage"], (*_STORAGE, old)
    if "volumes" not in storage:
        yield edits.renamed(document, place, "volumes")
        for index, each in enumerate(entries):
            for key, new in each.changes.items():
                texts = [f"{name}: {inline(value, longest=None)}" for name, value in new.items()]
                yield edits.instead_of(document, (*place, index, key), *texts)
    else:
        texts = [inline(each.volume, longest=None) for each in entries]
        if texts:
            yield edits.first_in(document, (*_STORAGE, "volumes"), *texts)
        yield edits.without(document, place)
    if lost and "may_lose" in storage:
        yield edits.first_in(document, (*_STORAGE, "may_lose"), *lost)
    elif lost:
        other = "volumes" if "volumes" in storage else old
        yield edits.before(document, (*_STORAGE, other), f"may_lose: {inline(lost)}")


def _of_mounts(document: Document, mounted: list[str]) -> Iterator[Edit | None]:
    """In a Ray cluster the head and all workers saw a bucket that has a mount."""
    ray = document.data.get("ray")
    if not mounted or not isinstance(ray, dict):
        return
    mounts = [inline({"volume": each}) for each in mounted]
    entry = f"mounts: [{', '.join(mounts)}]"
    if "head" not in ray:
        yield _further(document, ("ray",), ray, f"head: {{{entry}}}")
    workers = ray.get("workers", [])
    pods: list[tuple[Place, Any]] = [(("ray", "head"), ray["head"])] if "head" in ray else []
    if isinstance(workers, list):
        pods += [(("ray", "workers", index), each) for index, each in enumerate(workers)]
    for place, pod in pods:
        if not isinstance(pod, dict):
            yield None
        elif "mounts" in pod:
            yield edits.first_in(document, (*place, "mounts"), *mounts)
        else:
            yield _further(document, place, pod, entry)


def _further(document: Document, place: Place, part: dict[str, Any], text: str) -> Edit | None:
    """A further entry of a map, whose first says what it is."""
    second = [*part][1:2]
    return (
        edits.before(document, (*place, *second), text) if second else edits.first_in(document, place, text)
    )
