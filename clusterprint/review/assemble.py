"""Scenes become a report: every section worked out, the verdict last."""

from collections.abc import Sequence
from typing import NamedTuple

from clusterprint.derived.machines import Machines
from clusterprint.diagnostic import Diagnostic
from clusterprint.masking import masked
from clusterprint.review import changes, values
from clusterprint.review.by_use import by_use
from clusterprint.review.capacity import capacity
from clusterprint.review.compared import ComparedCluster, Hidden
from clusterprint.review.cost import cost
from clusterprint.review.diagram import diagram
from clusterprint.review.differences import ABSENT
from clusterprint.review.model import (
    Cluster,
    OutputChange,
    Report,
    Source,
    Value,
)
from clusterprint.review.policy.expect import Standing
from clusterprint.review.policy.judge import Judge, Machinery
from clusterprint.review.problems import problems
from clusterprint.review.protected import protections
from clusterprint.review.quota import quota_changes, quota_needs
from clusterprint.review.risks import risks
from clusterprint.review.stored import stored_of
from clusterprint.review.verdict import verdict
from clusterprint.words import listed


class Gathered(NamedTuple):
    """The findings of both sources, before they are worded."""

    sources: tuple[Source, ...] = ()
    scenes: tuple[ComparedCluster, ...] = ()
    base_diagnostics: tuple[Diagnostic, ...] = ()
    head_diagnostics: tuple[Diagnostic, ...] = ()
    commands: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    crashed: bool = False

    @property
    def blueprints(self) -> tuple[str, ...]:
        """The files of all blueprints, of both sides."""
        documents = [each for scene in self.scenes for each in (scene.before, scene.after) if each]
        return tuple(dict.fromkeys(each.file for each in documents))


def assemble(gathered: Gathered, judge: Judge = Judge()) -> Report:  # noqa: B008 - it never changes
    """The report of everything that was gathered, as a policy judges it."""
    scenes = gathered.scenes
    clusters = tuple(_cluster(each) for each in scenes)
    machines = {each.name: (each.machines_before, each.machines_after) for each in scenes}
    found = problems(gathered.base_diagnostics, (*judge.policies.diagnostics, *gathered.head_diagnostics))
    dangers = risks(scenes)
    amounts = capacity(
        (each for before, _ in machines.values() for each in before),
        (each for _, after in machines.values() for each in after),
    )
    unknown = [each.name for each in scenes if not each.is_compared]
    stored = {
        each.name: (stored_of(each.resources_before), stored_of(each.resources_after)) for each in scenes
    }
    paid_by_use = dict.fromkeys(told for each in scenes for told in by_use(each.resources_after))
    ends = {each.name: each.ends for each in scenes if each.ends}
    money = cost(machines, unknown, stored, tuple(paid_by_use), ends)
    standing = {each.name: _standing(each, machines[each.name][1]) for each in scenes}
    machinery = {
        each.name: Machinery(each.files, *machines[each.name], each.name not in unknown, standing[each.name])
        for each in clusters
    }
    policy = judge.judge(dangers, machinery)
    report = Report(
        verdict=verdict(clusters, dangers, policy, found, crashed=gathered.crashed),
        sources=gathered.sources,
        capacity=amounts,
        cost=money,
        quota=quota_changes(
            (need for each in scenes for need in quota_needs(each.resources_before)),
            (need for each in scenes for need in quota_needs(each.resources_after)),
        ),
        risks=dangers,
        policy=policy,
        clusters=clusters,
        drift=tuple(changes.change(delta, each) for each in scenes for delta in each.drift),
        checks=tuple(check for each in scenes for check in each.checks),
        problems=found,
        commands=tuple(f"{each}{judge.options}" for each in gathered.commands),
        notes=(*judge.notes, *gathered.notes),
    )
    # Here everything passes that any form of the report shows: also names, addresses and paths.
    return masked(report)


def _standing(scene: ComparedCluster, machines: Sequence[Machines]) -> Standing | None:
    """The cluster as it will stand, if the change is about it and its blueprint is known."""
    if scene.after is None or not scene.is_compared or scene.status in {"unchanged", "removed", "orphaned"}:
        return None
    return Standing(scene.name, scene.after, machines)


def _cluster(scene: ComparedCluster) -> Cluster:
    files = dict.fromkeys(each.file for each in (scene.before, scene.after) if each)
    return Cluster(
        name=scene.name,
        kind=scene.kind,
        status=scene.status,
        is_compared=scene.is_compared,
        files=tuple(files),
        stacks=scene.stacks,
        counts=changes.counts(scene.deltas),
        causes=changes.causes(scene),
        groups=changes.groups(scene),
        outputs=tuple(_outputs(scene)),
        diagram=diagram(scene),
        notes=tuple(_notes(scene)),
    )


def _notes(scene: ComparedCluster) -> Sequence[str]:
    notes = []
    if scene.broken:
        notes.append(f"What would change is not known: {scene.broken}.")
    if scene.before and scene.after and scene.before.file != scene.after.file:
        notes.append(f"The blueprint moved from {scene.before.file} to {scene.after.file}.")
    notes += scene.upgrades
    rest = {section for _, section in scene.rest} - ({"required_providers"} if scene.upgrades else set())
    if rest and not scene.broken:
        sections = listed([f"`{section}`" for section in sorted(rest)], "and")
        notes.append(f"The Terraform JSON differs in {sections}: a Terraform plan shows what that does.")
    return [*notes, *protections(scene)]


def _outputs(scene: ComparedCluster) -> Sequence[OutputChange]:
    return [
        OutputChange(stack=stack, name=name, before=_value(before), after=_value(after))
        for stack, name, before, after in scene.outputs
    ]


def _value(value: object) -> Value:
    if isinstance(value, Hidden):
        return Value(state=value.state)
    if value is ABSENT:
        return Value(state="absent")
    return Value(state="known", text=values.shown(value))
