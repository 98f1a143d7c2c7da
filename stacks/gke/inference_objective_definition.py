"""The definition of objectives of inference: data, which needs no engine."""

from typing import Any

from stacks.gke.definition import AGE, Column, Names, definition

_POOL: dict[str, Any] = {
    "type": "object",
    "required": ["name"],
    "properties": {
        "group": {"type": "string", "default": "inference.networking.k8s.io"},
        "kind": {"type": "string", "default": "InferencePool"},
        "name": {"type": "string", "minLength": 1},
    },
}

# What objectives look like, as far as their makers say it; GKE brings the definition of pools only.
DEFINITION = definition(
    "inference.networking.x-k8s.io",
    "v1alpha2",
    Names("InferenceObjective", "inferenceobjectives"),
    columns=[
        Column("Inference Pool", "string", ".spec.poolRef.name"),
        Column("Priority", "string", ".spec.priority"),
        AGE,
    ],
    spec={
        "type": "object",
        "required": ["poolRef"],
        "properties": {"poolRef": _POOL, "priority": {"type": "integer"}},
    },
)
