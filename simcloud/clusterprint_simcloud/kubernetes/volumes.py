"""Persistent volumes, claims and storage classes: what binds to what."""

from __future__ import annotations

import re

from clusterprint_simcloud.cloud.behaviour import Plan, Request, State
from clusterprint_simcloud.cloud.contents import ApiError, Record
from clusterprint_simcloud.kubernetes.cluster import DEFAULT_STORAGE_CLASS, STORAGE_CLASS
from clusterprint_simcloud.kubernetes.objects import (
    clusterwide,
    clusterwide_named,
    find,
    invalid,
    name_of,
    namespace_of,
    namespaced,
)
from clusterprint_simcloud.kubernetes.pods import CLAIM
from clusterprint_simcloud.values import at

VOLUME = "kubernetes_persistent_volume_v1"
_QUANTITY = re.compile(r"([0-9]+(?:\.[0-9]+)?)([EPTGMk]i?|)")
_POWERS = {letter: power for power, letter in enumerate("kMGTPE", start=1)}


def _texts(state: State, path: str) -> list[str]:
    """The value at a path of a specification."""
    return [one for _, one in at(state, f"spec.{path}") if isinstance(one, str) and one]


def _modes(state: State) -> set[str]:
    return {str(one) for _, found in at(state, "spec.access_modes") for one in found or []}


def _bytes(quantity: str) -> float:
    """A quantity of Kubernetes; 0 for what is none."""
    found = _QUANTITY.fullmatch(quantity)
    if found is None:
        return 0
    number, unit = found.groups()
    base = 1024 if unit.endswith("i") else 1000
    return float(number) * float(base ** _POWERS.get(unit.removesuffix("i"), 0))


# ---- volumes


def _plan_source(plan: Plan) -> None:
    """The provider's CustomizeDiff: another source is another volume."""
    path = "spec.persistent_volume_source"
    if plan.prior is not None:
        changed = [steps for steps, _ in at(plan.state, path)]
        before, after = ([one for _, one in at(state, path)] for state in (plan.prior, plan.state))
        plan.replace += changed if before != after else []


def _check_volume(request: Request) -> None:
    for _, sources in at(request.state, "spec.persistent_volume_source"):
        kinds = [name for one in sources or [] for name, value in one.items() if value]
        if len(kinds) != 1:
            text = "spec: Required value: must specify a volume type"
            raise invalid(request, request.kind.label, text)


# ---- claims


def _check_bound(request: Request) -> None:
    """A claim that waits to be bound: to the volume that it names, or to one that its class makes.

    :raises ApiError: for one that would wait until the provider gives up.
    """
    if request.prior is not None or request.state.get("wait_until_bound") is False:
        return
    names, classes = _texts(request.state, "volume_name"), _texts(request.state, "storage_class_name")
    # The admission plug-in DefaultStorageClass looks at the class only, not at the volume.
    wanted = classes[0] if classes else DEFAULT_STORAGE_CLASS
    if names:
        volume = find(request, VOLUME, names[0])
        if volume is not None:
            _check_match(request, volume, wanted)
        return
    _check_class(find(request, STORAGE_CLASS, wanted), wanted)


def _check_grown(request: Request) -> None:
    """The admission plug-in PersistentVolumeClaimResize: only what a class makes grows, and nothing shrinks.

    :raises ApiError: for another claim that asks for more, and for any that asks for less.
    """
    if request.prior is None:
        return
    before, after = (_asked(state) for state in (request.prior, request.state))
    if after < before:
        text = "spec.resources.requests.storage: Forbidden: field can not be less than previous value"
        raise invalid(request, request.kind.label, text)
    if after > before and not any(map(_grows, _classes_of(request))):
        raise ApiError(
            f'persistentvolumeclaims "{name_of(request.state)}" is forbidden: only dynamically provisioned '
            "pvc can be resized and the storageclass that provisions the pvc must support resize"
        )


def _asked(state: State) -> float:
    found = at(state, "spec.resources.requests")
    return max((_bytes(str(each["storage"])) for _, each in found if each), default=0)


def _classes_of(request: Request) -> list[Record]:
    named = (find(request, STORAGE_CLASS, name) for name in _texts(request.state, "storage_class_name"))
    return [each for each in named if each is not None]


def _grows(record: Record) -> bool:
    return record.state.get("allow_volume_expansion") is not False


def _check_match(request: Request, volume: Record, wanted: str) -> None:
    """Documentation "Persistent Volumes", binding: class, modes, size, and whom the volume waits for."""
    what = f'Cannot bind to requested volume "{name_of(volume.state)}"'
    if _texts(volume.state, "storage_class_name") != [wanted]:
        raise _pending(f"{what}: storageClassName does not match")
    if not _modes(request.state) <= _modes(volume.state):
        raise _pending(f"{what}: incompatible accessMode")
    asked, there = (
        max((_bytes(str(found["storage"])) for _, found in at(state, path) if found), default=0)
        for state, path in ((request.state, "spec.resources.requests"), (volume.state, "spec.capacity"))
    )
    if asked > there:
        raise _pending(f"{what}: requested PV is too small")
    own = (namespace_of(request.state), name_of(request.state))
    names, places = _texts(volume.state, "claim_ref.name"), _texts(volume.state, "claim_ref.namespace")
    if names and (places[0] if places else "default", names[0]) != own:
        raise _pending(f'volume "{name_of(volume.state)}" already bound to a different claim.')


def _check_class(record: Record | None, name: str) -> None:
    if record is None:
        raise _pending(f'storageclass.storage.k8s.io "{name}" not found')
    if record.state.get("volume_binding_mode") == "WaitForFirstConsumer":
        raise _pending("waiting for first consumer to be created before binding")


def _pending(why: str) -> ApiError:
    text = "timeout while waiting for state to become 'Bound' (last state: 'Pending', timeout: 5m0s)"
    return ApiError(f"{text}\n  * {why}")


RESOURCES = (
    clusterwide(
        VOLUME,
        "persistentvolumes",
        computed={"spec.storage_class_name": ""},
        checks=[_check_volume],
        planned=[_plan_source],
    ),
    namespaced(
        CLAIM,
        "persistentvolumeclaims",
        computed={
            "spec.storage_class_name": DEFAULT_STORAGE_CLASS,
            "spec.volume_mode": "Filesystem",
            "spec.volume_name": "",
        },
        references=[clusterwide_named("spec.volume_name", VOLUME, "persistentvolumes", holds=True)],
        checks=[_check_bound, _check_grown],
    ),
    clusterwide(STORAGE_CLASS, "storageclasses.storage.k8s.io"),
)
