"""The review of the very plans that are about to be applied."""

import json
import os
import tempfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import Any

from msgspec import structs

from clusterprint.derived import state_names
from clusterprint.document import Document
from clusterprint.examine import Examined
from clusterprint.lifecycle.stack import Stack
from clusterprint.review.assemble import assemble
from clusterprint.review.compared import ComparedCluster
from clusterprint.review.model import Report
from clusterprint.review.policy.find import Policies, find_policies, standing_policies
from clusterprint.review.policy.judge import Judge
from clusterprint.review.stack_file import read_stack
from clusterprint.review.synthesized import compare
from clusterprint.review.terraform_plan import gather_plans

_PARTLY = "another one has to follow it."
_LATER = "cannot be planned yet, so it is counted as its blueprint says"


Documents = Mapping[str, Document]


def documents_of(examined: Examined) -> Documents:
    """The blueprint of each stack that sound blueprints may have, by the name of the stack."""
    return {
        stack: each.document
        for each in examined.results
        if each.blueprint is not None
        for stack in state_names.stacks(each.blueprint.kind, each.blueprint.name)
    }


def review(
    plans: Mapping[str, Mapping[str, Any]],
    documents: Documents = MappingProxyType({}),
    allowed: Sequence[str] = (),
    *,
    later: Sequence[Stack] = (),
    partly: bool = False,
) -> Report:
    """The report on plans by stack, as the policies beside their blueprints and above judge them.

    Where no blueprint is known, those are the policies of this folder and above. `later` are stacks that
    cannot be planned before others stand: what they say is all new. `partly`: that plans leave out something
    is meant so, and protections are taken off before they are applied.
    """
    with tempfile.TemporaryDirectory(prefix="clusterprint-") as folder:  # only we may look into it
        gathered = gather_plans([_write(Path(folder) / f"{name}.json", each) for name, each in plans.items()])
    # Where the plans lay is nobody's business any more.
    gathered = gathered._replace(
        sources=tuple(structs.replace(each, head=Path(each.head).stem) for each in gathered.sources),
        scenes=tuple(
            each._replace(after=_document(each, documents), unguarded=partly)
            for each in _with_later(gathered.scenes, later, documents)
        ),
        commands=(),
        notes=tuple(
            each.removeprefix(f"{folder}/").replace(".json: ", ": ", 1)
            for each in gathered.notes
            if not (partly and each.endswith(_PARTLY))
        )
        + tuple(f"{each.name}: {_LATER}" for each in later),
    )
    return assemble(gathered, Judge(_policies(gathered.blueprints), tuple(allowed), ()))


def _with_later(
    scenes: Sequence[ComparedCluster], later: Sequence[Stack], documents: Documents
) -> Iterator[ComparedCluster]:
    """The scenes, each with what the stacks of its blueprint will add that cannot be planned yet."""
    for scene in scenes:
        blueprint = _document(scene, documents)
        stacks = [each for each in later if blueprint is not None and documents.get(each.name) is blueprint]
        added = [
            delta
            for each in stacks
            for delta in compare(None, read_stack(each.folder / "cdk.tf.json", each.name))
        ]
        yield scene._replace(
            stacks=(*scene.stacks, *(each.name for each in stacks)), deltas=(*scene.deltas, *added)
        )


def _document(scene: ComparedCluster, documents: Documents) -> Document | None:
    return next((documents[each] for each in scene.stacks if each in documents), None)


def _policies(blueprints: Sequence[str]) -> Policies:
    return standing_policies(blueprints) if blueprints else find_policies(None, None, (), ())


def _write(file: Path, plan: Mapping[str, Any]) -> Path:
    with os.fdopen(
        os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w", encoding="utf-8"
    ) as stream:
        json.dump(plan, stream)
    return file


def changes(plan: Mapping[str, Any]) -> dict[str, tuple[str, ...]]:
    """The changes of a plan by address, without reads and unchanged resources."""
    found = {}
    for change in plan.get("resource_changes") or ():
        actions = tuple(change["change"]["actions"])
        if actions not in (("no-op",), ("read",)) or change["change"].get("importing"):
            found[str(change["address"])] = actions
    return found


def stands(plan: Mapping[str, Any]) -> bool:
    """Whether a stack was there before a plan."""
    values = (plan.get("prior_state") or {}).get("values") or {}
    # Data sources are read when they are planned, and known outputs exist then as well.
    resources = (values.get("root_module") or {}).get("resources") or ()
    return any(each.get("mode") == "managed" for each in resources)


def steps(plans: Iterable[Mapping[str, tuple[str, ...]]]) -> int:
    """How many single steps there are; a replacement is two."""
    return sum(len(actions) for plan in plans for actions in plan.values())
