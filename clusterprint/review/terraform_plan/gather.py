"""Several plans become scenes: which cluster each is about, drift, checks, outputs, what is left open."""

import shlex
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from clusterprint.derived import state_names
from clusterprint.masking import mask_thoroughly
from clusterprint.review.assemble import Gathered
from clusterprint.review.compared import ComparedCluster, Hidden
from clusterprint.review.delta import Delta, get
from clusterprint.review.differences import ABSENT
from clusterprint.review.model import Check, Source, Status
from clusterprint.review.order import natural
from clusterprint.review.rolled import rolled
from clusterprint.review.terraform_plan.changes import deltas, drift, marks, references
from clusterprint.review.terraform_plan.read import read_plan
from clusterprint.review.terraform_plan.steps import planned_steps

# Where a resource says which cluster it belongs to.
_LABELS = ("labels.clusterprint", "resource_labels.clusterprint", "tags.clusterprint")

# File names that say nothing about the stack; the folder may.
_PLAIN_NAMES = ("plan", "tfplan", "show", "output")

_PASSED = ("pass", "unknown")


def gather_plans(files: Sequence[Path]) -> Gathered:
    """The content of several plans. Raises UsageError for a file that is no plan."""
    scenes: dict[str, ComparedCluster] = {}
    notes: list[str] = []
    sources = []
    for file in files:
        document = read_plan(file)
        scene = _scene(document, _stack(document, file))
        taken = scenes.get(scene.name)
        scenes[scene.name] = _together(taken, scene) if taken else scene
        notes += _notes(document, file)
        version = document.get("terraform_version")
        sources.append(
            Source(
                sort="terraform plan",
                base="",
                head=file.as_posix(),
                note=f"made by Terraform {version}" if isinstance(version, str) else "",
                steps=tuple(planned_steps(document)),
            )
        )
    return Gathered(
        sources=tuple(sources),
        scenes=tuple(scenes[name] for name in sorted(scenes, key=natural)),
        commands=(shlex.join(["clusterprint", "review", *_options(files)]),),
        notes=tuple(notes),
    )


def _options(files: Sequence[Path]) -> Iterator[str]:
    for file in files:
        yield from ("--plan", file.as_posix())


def _stack(document: dict[str, Any], file: Path) -> str:
    """The stack that a plan is of: as its own output says, else by the name of the file or its folder."""
    state = get(document, "planned_values.outputs.state.value")
    if isinstance(state, str) and (folder := state_names.folder_of_state(state)):
        return folder.rpartition("/")[2]
    name = file.name.partition(".")[0]
    return file.resolve().parent.name if name in _PLAIN_NAMES else name


def _scene(document: dict[str, Any], stack: str) -> ComparedCluster:
    refers = references(document)
    found = tuple(rolled(deltas(document.get("resource_changes", []), stack, refers)))
    outputs = tuple(_outputs(document, stack))
    return ComparedCluster(
        name=_cluster(found) or stack,
        kind="",
        status=status(found, changes=bool(outputs)),
        before=None,
        after=None,
        stacks=(stack,),
        deltas=found,
        outputs=outputs,
        drift=tuple(drift(document, stack, found)),
        checks=tuple(_checks(document, stack)),
    )


def status(found: Sequence[Delta], *, changes: bool) -> Status:
    """The status of a cluster by its resources; `changes` says that something else changes."""
    actions = {each.action for each in found}
    if not actions - {None}:
        return "changed" if changes else "unchanged"
    return "added" if actions == {"added"} else "removed" if actions == {"removed"} else "changed"


def _cluster(found: Sequence[Delta]) -> str:
    """The cluster that most resources say they belong to."""
    names = Counter(
        name for each in found for path in _LABELS if isinstance(name := get(each.resource.values, path), str)
    )
    return names.most_common(1)[0][0] if names else ""


def _together(one: ComparedCluster, other: ComparedCluster) -> ComparedCluster:
    """Two stacks of one cluster."""
    both = (*one.deltas, *other.deltas)
    return one._replace(
        status=status(both, changes=bool(one.outputs or other.outputs)),
        stacks=(*one.stacks, *other.stacks),
        deltas=both,
        outputs=(*one.outputs, *other.outputs),
        drift=(*one.drift, *other.drift),
        checks=(*one.checks, *other.checks),
    )


def _outputs(document: dict[str, Any], stack: str) -> Iterator[tuple[str, str, object, object]]:
    for name, change in sorted(document.get("output_changes", {}).items()):
        if not isinstance(change, dict) or change.get("actions") == ["no-op"]:
            continue
        hidden = marks(change.get("before_sensitive")) or marks(change.get("after_sensitive"))
        sides = [ABSENT if change.get(side) is None else change[side] for side in ("before", "after")]
        if hidden:
            sides = [Hidden("sensitive") if each is not ABSENT else each for each in sides]
        if marks(change.get("after_unknown")):
            sides[1] = Hidden("unknown")
        yield stack, str(name), sides[0], sides[1]


def _checks(document: dict[str, Any], stack: str) -> Iterator[Check]:
    for check in document.get("checks") or []:
        if not isinstance(check, dict) or check.get("status") in _PASSED:
            continue
        problems = [
            mask_thoroughly(str(problem.get("message", "")))
            for instance in check.get("instances") or []
            for problem in instance.get("problems") or []
        ]
        address = get(check, "address.to_display", "")
        yield Check(
            stack=stack, address=str(address), status=str(check.get("status")), messages=tuple(problems)
        )


def _notes(document: dict[str, Any], file: Path) -> Iterator[str]:
    if document.get("errored") is True:
        yield f"{file}: planning failed part-way, so this is not all that would happen."
    deferred = document.get("deferred_changes") or []
    if deferred:
        names = [str(get(each, "resource_change.address", "?")) for each in deferred]
        yield f"{file}: put off to a later plan, because not enough is known yet: {', '.join(names)}."
    elif document.get("complete") is False:
        yield f"{file}: the plan is not complete; another one has to follow it."
    reads = [
        str(each.get("address"))
        for each in document.get("resource_changes", [])
        if isinstance(each, dict) and get(each, "change.actions") == ["read"]
    ]
    if reads:
        yield f"{file}: only read during apply, so what depends on it is unknown: {', '.join(reads)}."
