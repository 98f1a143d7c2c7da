"""Common parts of Kubernetes objects: metadata, names, namespaces, refusals."""

from __future__ import annotations

import uuid
from typing import Any

from clusterprint_simcloud.cloud import lifecycle
from clusterprint_simcloud.cloud.behaviour import (
    Computed,
    Plan,
    PlanStep,
    Reference,
    Request,
    ResourceType,
    State,
    Words,
)
from clusterprint_simcloud.cloud.contents import ApiError, Record
from clusterprint_simcloud.kubernetes.cluster import NAMESPACE, home, record_of
from clusterprint_simcloud.schema import TypeNotation
from clusterprint_simcloud.values import Path, Value, is_set

HELM_RELEASE = "helm_release"
# Kubernetes: names of namespaces and services become DNS labels.
LONGEST_LABEL = 63


def metadata(state: State) -> dict[str, Any]:
    """The metadata block, empty if there is none."""
    found = state.get("metadata")
    return found[0] if isinstance(found, list) and found and isinstance(found[0], dict) else {}


def name_of(state: State) -> str:
    """The name in the metadata."""
    return str(metadata(state).get("name") or "")


def namespace_of(state: State) -> str:
    """The namespace in the metadata, empty for what is in none."""
    return str(metadata(state).get("namespace") or "")


def find(request: Request, kind: str, name: str, namespace: str = "") -> Record | None:
    """An object in the cluster of the request."""
    parts = [home(request), *filter(None, [namespace]), name]
    return request.contents.get(kind, "/".join(parts))


def neighbour(request: Request, kind: str, name: str) -> Record | None:
    """An object in the namespace of the request. What a chart may have made there is believed."""
    namespace = namespace_of(request.state)
    found = find(request, kind, name, namespace)
    if found is not None:
        return found
    place = f"{home(request)}/{namespace}/"
    charts = [one for one in request.contents.of(HELM_RELEASE) if one.id.startswith(place)]
    return Record(f"{kind} (of a chart)", name, {}) if charts else None


def named(path: str, kind: str, plural: str, *, holds: bool = False) -> Reference:
    """An argument that names an object in the same namespace."""

    def missing(_request: Request, _steps: Path, value: str) -> str:
        return f'{plural} "{value}" not found'

    return Reference(path, lambda request, value: neighbour(request, kind, value), missing, holds=holds)


def clusterwide_named(path: str, kind: str, plural: str, *, holds: bool = False) -> Reference:
    """An argument that names an object of the whole cluster."""

    def missing(_request: Request, _steps: Path, value: str) -> str:
        return f'{plural} "{value}" not found'

    return Reference(path, lambda request, value: find(request, kind, value), missing, holds=holds)


_IN_NAMESPACE = clusterwide_named("metadata.namespace", NAMESPACE, "namespaces")


def invalid(request: Request, kind: str, text: str) -> ApiError:
    """An object that the API server does not accept."""
    return ApiError(f'{kind} "{name_of(request.state)}" is invalid: {text}')


# ---- types


def namespaced(name: str, plural: str, **more: Any) -> ResourceType:
    """A type whose objects live in namespaces; `plural` is as the API writes it: `deployments.apps`.

    `more` are the fields of the type, which come on top of what all objects have.
    """
    more["references"] = [_IN_NAMESPACE, *more.get("references", ())]
    return _type(name, plural, more)


def clusterwide(name: str, plural: str, **more: Any) -> ResourceType:
    """A type whose objects belong to the whole cluster."""
    return _type(name, plural, more)


def _type(name: str, plural: str, more: dict[str, Any]) -> ResourceType:
    return ResourceType(
        name,
        plural,
        _identity,
        {},
        computed={**_COMPUTED, **more.pop("computed", {})},
        created=[_settle, *more.pop("created", ())],
        **more,
    )


def _identity(request: Request) -> str:
    if not name_of(request.state):
        message = f"{request.kind.name}: metadata.generate_name is not simulated, give a metadata.name"
        raise ApiError(message)
    return "/".join(filter(None, [home(request), namespace_of(request.state), name_of(request.state)]))


def _id(request: Request, _path: Path) -> str:
    return "/".join(filter(None, [namespace_of(request.state), name_of(request.state)]))


def _uid(request: Request, _path: Path) -> str:
    return str(uuid.uuid5(uuid.NAMESPACE_URL, f"{request.kind.name} {request.identity} {request.serial}"))


def _settle(request: Request) -> None:
    """Delete the objects of a namespace with it, and all objects with the cluster."""
    namespace = find(request, NAMESPACE, namespace_of(request.state)) if namespace_of(request.state) else None
    request.record.owner = (namespace or record_of(request)).key


_COMPUTED: dict[str, Computed] = {
    "id": _id,
    "metadata.uid": _uid,
    "metadata.resource_version": lambda request, _path: str(request.serial),
    # Objects with a specification count its versions.
    "metadata.generation": lambda request, _path: int("spec" in request.state),
}


# ---- the provider


def value(request: Request, path: Path, notation: TypeNotation) -> Value:
    """A computed attribute that its type does not describe: mostly nothing."""
    return "" if notation == "string" else lifecycle.placeholder(request, path, notation)


def when_immutable(*names: str) -> PlanStep:
    """`immutable` objects are replaced when their data change (the provider's CustomizeDiff)."""

    def step(plan: Plan) -> None:
        if plan.prior is not None and plan.prior.get("immutable"):
            plan.replace += [
                (name,) for name in (*names, "immutable") if _differs(plan.prior, plan.state, name)
            ]

    return step


def _differs(prior: State, state: State, name: str) -> bool:
    before, after = prior.get(name), state.get(name)
    return before != after and (is_set(before) or is_set(after))


WORDS = Words(
    taken=lambda request: f'{request.kind.label} "{name_of(request.state)}" already exists',
    missing=lambda _request, message: message,
    in_use=lambda request, user: (
        f'{request.kind.label} "{name_of(request.state)}" still exists: it is held by {user.id}'
    ),
)
