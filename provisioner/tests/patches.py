"""The ways of patching an object that are used."""

from typing import Any

Object = dict[str, Any]


def merge(into: Object, patch: Object) -> None:
    """A merge patch: nothing takes away."""
    for key, value in patch.items():
        if value is None:
            into.pop(key, None)
        elif isinstance(value, dict):
            merge(into.setdefault(key, {}), value)
        else:
            into[key] = value


def apply(into: Object, body: Object) -> None:
    """Conditions are a list by type: those of others stay."""
    wanted = body.get("status", {}).get("conditions", [])
    there = into.setdefault("status", {}).setdefault("conditions", [])
    types = {each["type"] for each in wanted}
    into["status"]["conditions"] = [each for each in there if each["type"] not in types] + wanted


def change(into: Object, patch: list[Object]) -> bool:
    """A JSON patch of tests and additions; whether all tests hold."""
    for each in patch:
        *path, last = (part.replace("~1", "/").replace("~0", "~") for part in each["path"].split("/")[1:])
        place: Any = into
        for part in path:
            place = place[int(part)] if isinstance(place, list) else place[part]
        if each["op"] == "test" and place.get(last) != each["value"]:
            return False
        if each["op"] == "add":
            place[last] = each["value"]
    return True
