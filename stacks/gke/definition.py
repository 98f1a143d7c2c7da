"""Definitions of custom objects: data, which needs no engine."""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple


class Names(NamedTuple):
    """Names of custom objects: the plural and lower-case kind, and shorter names for kubectl."""

    kind: str
    plural: str
    short: tuple[str, ...] = ()


class Column(NamedTuple):
    """A column of `kubectl get`: its heading, its type, and where in the object it is."""

    name: str
    type: str
    path: str


#: When an object was made.
AGE = Column("Age", "date", ".metadata.creationTimestamp")


def definition(
    group: str, version: str, names: Names, *, columns: Sequence[Column], spec: Mapping[str, Any]
) -> dict[str, Any]:
    """A CustomResourceDefinition with one version; what controllers say in `status` is theirs."""
    called = {
        "kind": names.kind,
        "listKind": f"{names.kind}List",
        "plural": names.plural,
        "singular": names.kind.lower(),
        **({"shortNames": [*names.short]} if names.short else {}),
    }
    content = {
        "apiVersion": {"type": "string"},
        "kind": {"type": "string"},
        "metadata": {"type": "object"},
        "spec": spec,
        "status": {"type": "object", "x-kubernetes-preserve-unknown-fields": True},
    }
    only = {
        "name": version,
        "served": True,
        "storage": True,
        "subresources": {"status": {}},
        "additionalPrinterColumns": [
            {"name": each.name, "type": each.type, "jsonPath": each.path} for each in columns
        ],
        "schema": {"openAPIV3Schema": {"type": "object", "properties": content}},
    }
    return {
        "apiVersion": "apiextensions.k8s.io/v1",
        "kind": "CustomResourceDefinition",
        "metadata": {"name": f"{names.plural}.{group}"},
        "spec": {"group": group, "scope": "Namespaced", "names": called, "versions": [only]},
    }
