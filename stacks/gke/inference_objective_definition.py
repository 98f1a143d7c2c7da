"""The definition of objectives of inference: data, which needs no engine."""

from typing import Any

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
DEFINITION: dict[str, Any] = {
    "apiVersion": "apiextensions.k8s.io/v1",
    "kind": "CustomResourceDefinition",
    "metadata": {"name": "inferenceobjectives.inference.networking.x-k8s.io"},
    "spec": {
        "group": "inference.networking.x-k8s.io",
        "scope": "Namespaced",
        "names": {
            "kind": "InferenceObjective",
            "listKind": "InferenceObjectiveList",
            "plural": "inferenceobjectives",
            "singular": "inferenceobjective",
        },
        "versions": [
            {
                "name": "v1alpha2",
                "served": True,
                "storage": True,
                "subresources": {"status": {}},
                "additionalPrinterColumns": [
                    {"name": "Inference Pool", "type": "string", "jsonPath": ".spec.poolRef.name"},
                    {"name": "Priority", "type": "string", "jsonPath": ".spec.priority"},
                    {"name": "Age", "type": "date", "jsonPath": ".metadata.creationTimestamp"},
                ],
                "schema": {
                    "openAPIV3Schema": {
                        "type": "object",
                        "properties": {
                            "apiVersion": {"type": "string"},
                            "kind": {"type": "string"},
                            "metadata": {"type": "object"},
                            "spec": {
                                "type": "object",
                                "required": ["poolRef"],
                                "properties": {"poolRef": _POOL, "priority": {"type": "integer"}},
                            },
                            "status": {"type": "object", "x-kubernetes-preserve-unknown-fields": True},
                        },
                    }
                },
            }
        ],
    },
}
