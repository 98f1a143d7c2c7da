"""Kubernetes objects in resources: in charts of objects, in manifests, and as Terraform's own types."""

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from clusterprint.derived.kubernetes_objects import NotReadable, read_objects
from clusterprint.review.delta import Resource, Values, blocks, get, texts
from clusterprint.terraform_text import plain

_TYPED = re.compile(r"^kubernetes_(?P<noun>.+?)(?:_v\d\w*)?$")
_WORD_AFTER = re.compile(r"_([a-z0-9])")


class Object(NamedTuple):
    """An object as Kubernetes spells it; `key` is what it is called in its release, if it is in one.

    `typed` says that Terraform has a type for it: then it is a resource, which says what it is itself.
    """

    kind: str
    content: Values
    key: str = ""
    typed: bool = False

    @property
    def title(self) -> str:
        """`ClusterRoleBinding everybody`."""
        return f"{self.kind} {get(self.content, 'metadata.name', '')}".strip()


def objects_of(resource: Resource) -> Iterator[Object]:
    """The objects that a resource stands for; none for other resources."""
    if resource.type == "helm_release":
        yield from _released(resource.values)
    elif resource.type == "kubernetes_manifest":
        yield from _whole(get(resource.values, "manifest"))
    elif resource.type == "kubectl_manifest":
        yield from _written(get(resource.values, "yaml_body"))
    elif typed := _TYPED.match(resource.type):
        kind = _camel(f"_{typed['noun']}")
        yield Object("DaemonSet" if kind == "Daemonset" else kind, _respelled(resource.values), typed=True)


def listed(content: Values, *paths: str) -> list[Values]:
    """All blocks at the first path that has any: Terraform and Kubernetes differ in the plural."""
    return next((found for path in paths if (found := blocks(content, path))), [])


def _released(values: Values) -> Iterator[Object]:
    """Our own chart gets its objects as values in JSON, by key."""
    for text in texts(get(values, "values")):
        try:
            data = json.loads(plain(text))
        except (ValueError, RecursionError):
            continue
        objects = data.get("objects") if isinstance(data, dict) else None
        for key, each in objects.items() if isinstance(objects, dict) else ():
            for found in _whole(each):
                yield found._replace(key=str(key))


def _whole(content: Any) -> Iterator[Object]:
    if isinstance(content, Mapping) and isinstance(content.get("kind"), str):
        if content["kind"] == "List" and isinstance(content.get("items"), list):
            for each in content["items"]:
                yield from _whole(each)
        else:
            yield Object(content["kind"], dict(content))


def _written(text: Any) -> Iterator[Object]:
    try:
        for each in read_objects(text) if isinstance(text, str) else ():
            yield Object(each.kind, each.content)
    except NotReadable:
        return


def _camel(text: str) -> str:
    return _WORD_AFTER.sub(lambda match: match[1].upper(), text)


def _respelled(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {_camel(str(key)): _respelled(each) for key, each in value.items()}
    return [_respelled(each) for each in value] if isinstance(value, list) else value
