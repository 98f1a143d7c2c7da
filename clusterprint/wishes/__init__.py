"""Wishes for capacity: the capacity of a group of machines and its fallbacks, in the order of the blueprint.

A capacity or a fallback with several machine types is one wish for each.
Which wish counts is an input: a capacity lock beside the blueprint (`lock`). A group without an entry there
has its first wish. `with_wish` makes the document that has another wish in its place, so that all later steps
read the blueprint as if it said that; `Written` keeps file and line, so messages point to the fallback.
"""

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from clusterprint.document import Document, Place, Written

#: Keys of a capacity that are about all its wishes.
OF_ALL = ("fallbacks", "patience")
#: Keys of a fallback that are those of the group, and not of its capacity.
OF_GROUP = ("machine_type", "size", "zone")
_LISTS = ("node_groups", "node_pools")
#: Keys with several machine types, and the key of the group that one of them takes the place of.
_TYPES = {"machine_types": "machine_type", "sizes": "size"}

Wish = Mapping[str, Any]


class Group(NamedTuple):
    """A group of machines with fallbacks: its place, its name, and its wishes; the first is its capacity.

    `sources` are the places of the wishes below the capacity, `own` is the machine type of the group, by its
    key.
    """

    place: Place
    name: str
    wishes: tuple[Wish, ...]
    sources: tuple[Place, ...]
    own: Wish

    def number(self, wish: Wish) -> int | None:
        """The number of a wish, from 0; None if it is not among them."""
        return next((number for number, each in enumerate(self.wishes) if each == wish), None)

    def place_of(self, number: int) -> Place:
        """The place of a wish in a document that has its first wish."""
        return (*self.place, "capacity", *self.sources[number])

    def listed(self, number: int) -> bool:
        """Whether a wish is one of several machine types of a list."""
        return _is_listed(self.sources[number])


def _is_listed(source: Place) -> bool:
    return len(source) > 1 and source[-2] in _TYPES


def words(wish: Wish) -> str:
    """A wish in words: `spot in us-central1-b`, `reservation r1`."""
    found = str(wish.get("model", "on_demand"))
    if reservation := wish.get("reservation"):
        found = f"reservation {reservation}"
    if duration := wish.get("max_run_duration"):
        found += f" for {duration}"
    if machine := wish.get("machine_type") or wish.get("size"):
        found += f" on {machine}"
    return f"{found} in {wish['zone']}" if "zone" in wish else found


def groups(document: Document, *, alone: bool = False) -> list[Group]:
    """The groups of machines that have fallbacks; those with broken places are left out.

    With `alone`, also groups without fallbacks.
    """
    data = (document.said or document).data
    found = _groups(data) if isinstance(data, dict) else ()
    return [each for each in found if alone or len(each.wishes) > 1]


def _groups(data: Mapping[str, Any]) -> Iterator[Group]:
    found: list[tuple[Place, Any]] = [(("nodes",), data.get("nodes"))]
    for key in _LISTS:
        items = data.get(key)
        found += [((key, index), each) for index, each in enumerate(items if isinstance(items, list) else ())]
    for place, group in found:
        capacity = group.get("capacity", {}) if isinstance(group, dict) else None
        if not isinstance(capacity, dict):
            continue
        fallbacks = capacity.get("fallbacks", [])
        if not (isinstance(fallbacks, list) and all(isinstance(each, dict) for each in fallbacks)):
            continue
        name = group.get("name", "nodes") if len(place) > 1 else "nodes"
        if isinstance(name, str):
            own = {key: group[key] for key in _TYPES.values() if key in group}
            first = {key: value for key, value in capacity.items() if key not in OF_ALL}
            parts = [((), first), *((("fallbacks", at), each) for at, each in enumerate(fallbacks))]
            pairs = [each for source, part in parts for each in _of_part(source, part, own)]
            wishes, sources = zip(*pairs, strict=True)
            yield Group(place, name, wishes, sources, own)


def _of_part(source: Place, part: Wish, own: Wish) -> Iterator[tuple[Wish, Place]]:
    """The wishes of a capacity or a fallback, with their model, which may be left out, and their places."""
    rest = {"model": "on_demand", **{key: value for key, value in part.items() if key not in _TYPES}}
    key = next((each for each in _TYPES if each in part), "")
    types = part[key] if key and isinstance(part[key], list) else []
    if not (source and types):
        yield rest, source
    for at, each in enumerate(types):
        # The capacity has the machine type of the group, which its list may begin with.
        if isinstance(each, str) and (source or at or len(types) == 1 or each not in own.values()):
            yield {**rest, _TYPES[key]: each}, (*source, key, at)


def counted_words(group: Group, number: int) -> str:
    """A wish with its number: `2 of 3 (spot in us-central1-b)`."""
    return f"{number + 1} of {len(group.wishes)} ({words(group.wishes[number])})"


def with_wish(document: Document, group: Group, number: int) -> Document:
    """The document as if it said a wish of a group, which has its first one there."""
    if number == 0:
        return document
    source = group.sources[number]
    part = source[:-2] if _is_listed(source) else source
    capacity = (*group.place, "capacity")
    data = dict(document.data)
    holder: Any = data
    for step in group.place:
        inner = holder[step]
        holder[step] = list(inner) if isinstance(inner, list) else dict(inner)
        holder = holder[step]
    old = holder["capacity"]
    gone: list[Place] = []
    if part:  # a fallback, and not a machine type of the capacity itself
        holder["capacity"] = {key: old[key] for key in OF_ALL if key in old}
        gone = [(*capacity, key) for key in old if key not in OF_ALL]
    moves: list[tuple[Place, Place]] = []
    for below, key, value in _said(old, source, part):
        origin = (*capacity, *below)
        if key not in OF_GROUP:
            holder["capacity"][key] = value
            moves.append((origin, (*capacity, key)))
        elif key == "zone" and group.place == ("nodes",) and data.get("kind") == "vm":
            continue  # a rule says that these are in the zone of the cluster
        elif key == "zone" and group.place[0] == "node_pools":
            holder["zones"] = [value]
            gone.append((*group.place, "zones"))
            moves += [(origin, (*group.place, "zones")), (origin, (*group.place, "zones", 0))]
        else:
            holder[key] = value
            gone.append((*group.place, key))
            moves.append((origin, (*group.place, key)))
            if key == "zone" and holder.pop("zones", None) is not None:
                gone.append((*group.place, "zones"))
    written = {
        place: each for place, each in document.written.items() if not any(_below(place, old) for old in gone)
    }
    broken = {place for place in document.broken if not any(_below(place, old) for old in gone)}
    for origin, target in moves:
        moved = [each for each in document.written if _below(each, origin)]
        written.update({(*target, *each[len(origin) :]): document.written[each] for each in moved})
        broken |= {(*target, *each[len(origin) :]) for each in document.broken if _below(each, origin)}
    written[capacity] = _of(document, (*capacity, *part))
    return document._replace(
        data=data, written=written, broken=frozenset(broken), said=document.said or document
    )


def _said(capacity: Wish, source: Place, part: Place) -> Iterator[tuple[Place, str, Any]]:
    """The changes by a wish: the place of each below the capacity, its key, its value."""
    of_part = capacity["fallbacks"][part[1]] if part else capacity
    for key, value in of_part.items() if part else ():
        if key not in _TYPES:
            yield (*part, key), key, value
    if part != source:
        key = str(source[-2])
        yield source, _TYPES[key], of_part[key][source[-1]]


def _of(document: Document, place: Place) -> Written:
    return document.written[document.nearest(place)]


def _below(place: Place, above: Place) -> bool:
    return place[: len(above)] == above
