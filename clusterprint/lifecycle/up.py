"""`up`: plan, review, consent, apply of that very plan; the stacks that need nothing else first."""

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from types import MappingProxyType
from typing import Any, NamedTuple

from clusterprint.derived import rolls
from clusterprint.errors import EnvironmentFailure
from clusterprint.exit_codes import Code
from clusterprint.lifecycle.adopt import adoptable, write_imports
from clusterprint.lifecycle.failures import TerraformFailed
from clusterprint.lifecycle.import_plans import keep, keeping, plan_with_imports, refuse_moved
from clusterprint.lifecycle.inventory import protected_in
from clusterprint.lifecycle.plan_review import Documents, changes, review, stands, steps
from clusterprint.lifecycle.protected import PROTECTED
from clusterprint.lifecycle.renew import Renewed, options, unreplaced
from clusterprint.lifecycle.session import Broken, Session
from clusterprint.lifecycle.stack import Stack, needing, waves
from clusterprint.lifecycle.terraform import Terraform
from clusterprint.review.model import Report

Changes = dict[str, tuple[str, ...]]
#: Is given the name of a stack and its state.
Read = Callable[[str, Mapping[str, Any]], None]


class Planned(NamedTuple):
    """The plan of a stack: as data, and what it changes. `moves` also where it changes only outputs."""

    document: Mapping[str, Any]
    changes: Changes
    moves: bool


class Consent(NamedTuple):
    """How people are asked: `show` is given each report before, `ask` whether to go on.

    `documents` are the blueprints, beside and above which policies are looked for. `read`, where somebody has
    to know, is given the state of each stack that would change, or that cannot be planned yet. With `look`,
    which is given Terraform with the plan of each stack, plans are neither reviewed nor applied.
    """

    show: Callable[[Report], None]
    ask: Callable[[Sequence[str]], bool]
    allowed: tuple[str, ...] = ()
    documents: Documents = MappingProxyType({})
    read: Read | None = None
    look: Callable[[Terraform], None] | None = None


class Ended(NamedTuple):
    """The result: failed stacks, stacks skipped because of them, and the outputs of the others."""

    code: Code
    broken: tuple[Broken, ...] = ()
    left_out: tuple[str, ...] = ()
    outputs: Mapping[str, Mapping[str, Any]] = {}
    reports: tuple[Report, ...] = ()


def up(  # noqa: PLR0913 - what people may ask for
    stacks: Sequence[Stack],
    session: Session,
    consent: Consent,
    *,
    plan_only: bool,
    adopt: bool = False,
    only: frozenset[str] | None = None,
    renewed: Renewed = MappingProxyType({}),
) -> Ended:
    """Make all stacks as their blueprints say, or only say what that would change.

    With `adopt`, existing resources with the names of new ones are imported into the state. With `only`,
    those stacks are made, and the others are judged with them. What is `renewed` is replaced.
    """
    with session.terraforms(stacks) as terraforms:
        chosen = frozenset(terraforms) if only is None else only
        made = _Up(stacks, session, consent, terraforms, adopt=adopt, only=chosen, renewed=renewed)
        return made.run(plan_only=plan_only)


class _Up:
    def __init__(  # noqa: PLR0913 - what people may ask for
        self,
        stacks: Sequence[Stack],
        session: Session,
        consent: Consent,
        terraforms: Mapping[str, Terraform],
        *,
        adopt: bool,
        only: frozenset[str],
        renewed: Renewed,
    ) -> None:
        self._adopt = adopt
        self._renewed = renewed
        self._only = only
        self._imports: dict[str, dict[str, str]] = {}
        self._stacks = stacks
        self._session = session
        self._consent = consent
        self._terraforms = terraforms
        self._broken: list[Broken] = []
        self._waiting: set[str] = set()
        self._changed = False
        self._reports: list[Report] = []
        self._reviewed: dict[str, Mapping[str, Any]] = {}

    def run(self, *, plan_only: bool) -> Ended:
        for wave in waves(self._stacks):
            wanted = [each for each in wave if each.name in self._only - self._lost()]
            while wanted:
                stopped = self._make(wanted, plan_only=plan_only)
                if stopped is not None:
                    return self._ended(stopped)
                wanted = self._adopted() if self._adopt else []
        if plan_only and self._consent.read:
            later = [self._terraforms[each] for each in sorted(self._lost() & self._only)]
            self._broken += self._session.each(later, self._read)[1]
        return self._finish(plan_only=plan_only)

    def _make(self, wanted: Sequence[Stack], *, plan_only: bool) -> Code | None:
        """Plan, review, consent, apply; the exit code if people or policies want no more."""
        planned, broken = self._plan(wanted)
        self._broken += broken
        moving = {name: each for name, each in planned.items() if each.moves}
        self._changed |= bool(moving)
        new = {name for name, each in moving.items() if not stands(each.document)}
        if self._consent.look or not moving:
            self._waiting |= new
            return None
        report = self._review(moving)
        self._reports.append(report)
        self._consent.show(report)
        if report.verdict.level == "forbidden":
            return Code.FORBIDDEN
        if report.verdict.level == "problems":  # of a policy: what it cannot judge is not applied
            return Code.PROBLEMS
        if plan_only:
            self._waiting |= new
            return None
        moving = self._without_protected(moving)
        if moving and not self._consent.ask(tuple(moving)):
            return Code.REFUSED
        self._apply(moving)
        return None

    def _without_protected(self, moving: Mapping[str, Planned]) -> dict[str, Planned]:
        """Plans that delete nothing protected; an apply of the others would fail on the way."""
        kept = {name: protected_in(each.document) for name, each in moving.items()}
        self._broken += [
            Broken(name, EnvironmentFailure(f"{', '.join(found)}: {PROTECTED}"))
            for name, found in kept.items()
            if found
        ]
        return {name: each for name, each in moving.items() if not kept[name]}

    def _review(self, moving: Mapping[str, Planned]) -> Report:
        """The report on some plans; on all of this run, where only together they are too much."""
        plans = {name: each.document for name, each in moving.items()}
        # What is planned a second time was there the first time, too.
        self._reviewed = {**plans, **self._reviewed}
        later = self._later(moving)
        report = self._judged(plans)
        if len(plans) == len(self._reviewed) and not later:
            return report
        together = self._judged(self._reviewed, later)
        return together if together.verdict.level != report.verdict.level else report

    def _later(self, moving: Mapping[str, Planned]) -> list[Stack]:
        """The stacks that lie in new ones, and are new themselves: too late to judge once those are made."""
        new = {name for name, each in moving.items() if not stands(each.document)}
        waiting = needing(self._stacks, new) - self._reviewed.keys()
        return [each for each in self._stacks if each.name in waiting]

    def _judged(self, plans: Mapping[str, Mapping[str, Any]], later: Sequence[Stack] = ()) -> Report:
        return review(plans, self._consent.documents, self._consent.allowed, later=later)

    def _adopted(self) -> list[Stack]:
        """The stacks that can go on, as all that was in their way is now to be imported."""
        again = []
        for broken in list(self._broken):
            found = adoptable(broken.failed) if isinstance(broken.failed, TerraformFailed) else {}
            known = self._imports.setdefault(broken.stack, {})
            if not found.keys() - known.keys():
                continue
            terraform = self._terraforms[broken.stack]
            # What is in the way of itself: a replacement that is created first never finds its name free.
            done, failed = self._session.each([terraform], partial(keep, addresses=found))
            if failed:
                self._broken += failed
                continue
            kept = done[broken.stack]
            known |= {address: number for address, number in found.items() if address not in kept}
            write_imports(terraform.place.folder, sorted(known.items()))
            self._session.display.line(f"[{broken.stack}] exists already, to be adopted: {', '.join(found)}")
            self._broken.remove(broken)
            again.append(terraform.place.stack)
        return again

    def _finish(self, *, plan_only: bool) -> Ended:
        if self._broken:
            return self._ended(Code.FAILED)
        if not self._changed:
            return self._ended(Code.NOTHING_TO_DO, outputs=self._outputs())
        if plan_only:
            return self._ended(Code.CHANGES)
        return self._ended(Code.DONE, outputs=self._outputs())

    def _ended(self, code: Code, outputs: Mapping[str, Mapping[str, Any]] | None = None) -> Ended:
        left_out = tuple(each.name for each in self._stacks if each.name in self._lost())
        left_out = tuple(name for name in left_out if name not in {each.stack for each in self._broken})
        return Ended(code, tuple(self._broken), left_out, outputs or {}, tuple(self._reports))

    def _lost(self) -> set[str]:
        """Stacks that cannot be planned, as what they need is not there."""
        return needing(self._stacks, {each.stack for each in self._broken} | self._waiting)

    def _plan(self, wanted: Sequence[Stack]) -> tuple[dict[str, Planned], list[Broken]]:
        return self._session.each([self._terraforms[each.name] for each in wanted], self._planned)

    def _planned(self, terraform: Terraform) -> Planned:
        name = terraform.place.stack.name
        self._session.display.begin(name, "planning")
        self._session.persisting(terraform, terraform.init, lambda: True)
        if self._adopt:
            moves = keeping(self._session, terraform, lambda: self._moves(terraform))
        else:
            moves = self._moves(terraform)
        document = terraform.planned() if moves else {}
        if moves and not self._adopt:
            refuse_moved(self._session, terraform.place.stack, document)
        if moves and self._consent.read:
            self._consent.read(name, terraform.state())
        if self._consent.look:
            self._consent.look(terraform)
        return Planned(document, changes(document), moves=moves)

    def _read(self, terraform: Terraform) -> None:
        self._session.persisting(terraform, terraform.init, lambda: True)
        if self._consent.read:
            self._consent.read(terraform.place.stack.name, terraform.state())

    def _moves(self, terraform: Terraform) -> bool:
        """Make the plan; whether it changes anything."""
        name = terraform.place.stack.name
        if self._adopt and name not in self._imports:
            self._imports[name] = plan_with_imports(self._session, terraform)
        display = self._session.display
        moves = self._session.persisting(
            terraform,
            lambda: terraform.plan(
                *options(self._renewed.get(name, ())), heard=lambda event: display.heard(name, event)
            ),
            lambda: True,
        )
        return bool(moves)

    def _apply(self, moving: Mapping[str, Planned]) -> None:
        def apply(terraform: Terraform) -> None:
            planned = moving[terraform.place.stack.name]
            if roll_pools(self._session, terraform, planned):
                apply_consented(
                    self._session, terraform, planned.changes, lambda: self._rest(terraform, planned)
                )

        _, broken = self._session.each([self._terraforms[name] for name in moving], apply)
        self._broken += broken

    def _rest(self, terraform: Terraform, planned: Planned) -> bool:
        """Plan what an apply that failed has left; whether there is anything."""
        renewed = self._renewed.get(terraform.place.stack.name, ())
        left = unreplaced(renewed, planned.document, terraform.state()) if renewed else ()
        return terraform.plan(*options(left), heard=lambda _: None)

    def _outputs(self) -> dict[str, Mapping[str, Any]]:
        chosen = [each for name, each in self._terraforms.items() if name in self._only]
        done, broken = self._session.each(chosen, lambda each: each.outputs())
        self._broken += broken
        return done


def roll_pools(session: Session, terraform: Terraform, planned: Planned) -> bool:
    """Create the pools that take the place of others, before anything else is applied; whether more is left.

    What fails here leaves the old pools alone. Terraform deletes and creates what has two addresses at once.
    """
    entries = [each for each in planned.document.get("resource_changes") or () if each["type"] == rolls.POOL]
    gone, made = (
        {each["address"]: each["change"][side] for each in entries if action in each["change"]["actions"]}
        for action, side in (("delete", "before"), ("create", "after"))
    )
    pairs = list(rolls.successors(gone, made))
    if not pairs:
        return True
    name = terraform.place.stack.name
    for old, new in pairs:
        session.display.line(f"[{name}] rolling: {new} is created before {old} is drained and deleted")
    targets = [f"-target={new}" for _, new in pairs]

    def plan(*options: str) -> bool:
        return terraform.plan(*options, heard=lambda _: None)

    def check() -> None:
        left = changes(terraform.planned())
        if not all(set(actions) <= _agreed(planned.changes.get(at, ())) for at, actions in left.items()):
            raise EnvironmentFailure(
                "what is left differs from the plan that was agreed to: run the same command again"
            )

    if session.persisting(terraform, lambda: plan(*targets), lambda: True):
        check()
        apply_consented(session, terraform, planned.changes, lambda: plan(*targets))
    if not session.persisting(terraform, plan, lambda: True):
        return False
    check()
    return True


def apply_consented(
    session: Session, terraform: Terraform, consented: Changes, plan: Callable[[], bool] | None = None
) -> None:
    """Apply the plan that was agreed to; where that is tried again, never more than was agreed to.

    `plan` makes another plan of the same sort for that.
    """
    name = terraform.place.stack.name
    display = session.display
    make_plan = plan or (lambda: terraform.plan(heard=lambda _: None))

    def again() -> bool:
        if not make_plan():
            return False
        left = changes(terraform.planned())
        if not all(set(actions) <= _agreed(consented.get(address, ())) for address, actions in left.items()):
            display.line(f"[{name}] what is left differs from the plan that was agreed to: stopping")
            raise original[0]
        return True

    original: list[Exception] = []

    def apply() -> None:
        display.begin(name, "applying", steps([consented]))
        try:
            terraform.apply(heard=lambda event: display.heard(name, event))
        except Exception as failed:
            original[:] = [failed]
            raise

    session.persisting(terraform, apply, again)


def _agreed(actions: Sequence[str]) -> set[str]:
    """Who agreed to a create agreed to clear away what a failed try of it left."""
    return {*actions, "delete"} if "create" in actions else set(actions)
