"""How a pod and the nodes fit: what the scheduler's one sentence about all nodes does not tell apart.

It counts nodes per reason: a node without GPUs is as "Insufficient" as one whose GPUs are in use, and newer
versions do not name taints. This asks whether any node would take the pod if all nodes were empty.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from clusterprint.derived.quantities import amount
from clusterprint.status.inside.objects import Object, items, name_of, part

_KEEPS_AWAY = ("NoSchedule", "NoExecute")


def misfit(pod: Object, nodes: Sequence[Object]) -> Iterator[str]:
    """Why no node would take a pod even if all were empty, if so."""
    spec = part(pod, "spec")
    wanted = _requests(spec)
    selected = [each for each in nodes if _selects(spec, each)]
    if nodes and not selected:
        yield f"selector: none of {len(nodes)} nodes has the labels of the pod's selector"
    most = {name: max((_has(each, name) for each in selected), default=0) for name in wanted}
    for name, least in wanted.items():
        if selected and not most[name]:
            yield f"nothing: the selected nodes have no {name}"
        elif selected and most[name] < least:
            yield f"too large: {least:g} {name} are requested, no selected node has more than {most[name]:g}"
    large = [each for each in selected if all(_has(each, name) >= least for name, least in wanted.items())]
    taints = {_taint(spec, each) for each in large}
    if large and "" not in taints:
        yield f"taint: all nodes that are large enough and selected have one, such as {min(taints)}"


def _requests(spec: Object) -> dict[str, float]:
    found: dict[str, float] = {}
    for container in items(spec, "containers"):
        resources = {**part(container, "resources", "limits"), **part(container, "resources", "requests")}
        for name, text in resources.items():
            found[name] = found.get(name, 0) + amount(text)
    return {name: least for name, least in found.items() if least}


def _has(node: Object, resource: str) -> float:
    return amount(part(node, "status", "allocatable", resource) or 0)


def _selects(spec: Object, node: Object) -> bool:
    labels = part(node, "metadata", "labels")
    if any(labels.get(key) != value for key, value in part(spec, "nodeSelector").items()):
        return False
    required = part(spec, "affinity", "nodeAffinity", "requiredDuringSchedulingIgnoredDuringExecution")
    return not required or any(_matches(term, node) for term in items(required, "nodeSelectorTerms"))


def _matches(term: Object, node: Object) -> bool:
    """Whether a node is one of a term of node affinity; a term without expressions has none."""
    fields, labels = {"metadata.name": name_of(node)}, part(node, "metadata", "labels")
    asked = [(each, labels) for each in items(term, "matchExpressions")]
    asked += [(each, fields) for each in items(term, "matchFields")]
    return bool(asked) and all(_holds(each, values) for each, values in asked)


def _holds(asked: Object, values: Object) -> bool:
    """An expression as k8s.io/component-helpers, scheduling/corev1/nodeaffinity, reads it."""
    value: object = values.get(str(asked.get("key")))
    operator = asked.get("operator")
    wanted = [str(each) for each in part(asked, "values")]
    if operator in {"Exists", "DoesNotExist"}:
        return bool((value is not None) == (operator == "Exists"))
    if operator in {"In", "NotIn"}:
        return bool((value in wanted) == (operator == "In"))
    try:
        difference = int(str(value)) - int(wanted[0])
    except (ValueError, LookupError):
        return False
    return difference > 0 if operator == "Gt" else difference < 0


def _taint(spec: Object, node: Object) -> str:
    """A taint of the node that keeps the pod away, or an empty text. Cordoned nodes get theirs late."""
    if part(node, "spec", "unschedulable") is True:
        return "node.kubernetes.io/unschedulable"
    for taint in items(node, "spec", "taints"):
        tolerated = any(_tolerates(each, taint) for each in items(spec, "tolerations"))
        if taint.get("effect") in _KEEPS_AWAY and not tolerated:
            return f"{taint.get('key')}={taint.get('value', '')}:{taint.get('effect')}"
    return ""


def _tolerates(toleration: Mapping[str, Any], taint: Mapping[str, Any]) -> bool:
    key, effect = toleration.get("key"), toleration.get("effect")
    value = toleration.get("operator") == "Exists" or toleration.get("value", "") == taint.get("value", "")
    return (not key or key == taint.get("key")) and (not effect or effect == taint.get("effect")) and value
