"""One trial: up, second plan, conformance, runs, change, third plan, down; it is always destroyed."""

import json
import os
import signal
import threading
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

from msgspec import structs

from clusterprint import __version__
from clusterprint.errors import ClusterprintError, EnvironmentFailure
from clusterprint.examine import Examined
from clusterprint.exit_codes import Code
from clusterprint.lifecycle import ephemeral, up
from clusterprint.lifecycle.failures import TerraformFailed
from clusterprint.lifecycle.processes import Interrupted
from clusterprint.lifecycle.session import Broken, Session
from clusterprint.lifecycle.stack import LocalState, Stack
from clusterprint.proof import checksums
from clusterprint.proof.answers import Answers, shapes
from clusterprint.proof.figures import ran
from clusterprint.proof.redact import all_redacted, own_names, redacted
from clusterprint.proof.trials import Estimate
from clusterprint.proof.types import STEPS, Cost, Evidence, Step, StepName, Versions
from clusterprint.review.model import Report
from clusterprint.status.programs import Programs
from clusterprint.words import counted

CHANGED = "clusterprint-proof-change"
# The part of a trial's time in which its jobs have to end.
_OF_RUNS = 0.5
_STANDING = (Code.DONE, Code.NOTHING_TO_DO)


class Limits(NamedTuple):
    """The trial, its time and cost at most, the cloud; `names` keeps names in the evidence."""

    trial: str
    minutes: float
    estimate: Estimate
    simulate: Path | None
    names: bool


class Proved(NamedTuple):
    """The result: evidence, what went wrong, and the signal that ended it, if one did."""

    evidence: Evidence
    broken: tuple[Broken | ClusterprintError, ...]
    left: tuple[ephemeral.Left, ...]
    told: int
    failed: BaseException | None = None


def labelled(examined: Examined, **labels: str) -> Examined:
    """The same blueprints with more labels."""
    return examined._replace(
        results=[
            each._replace(
                blueprint=structs.replace(each.blueprint, labels={**each.blueprint.labels, **labels})
            )
            for each in examined.results
            if each.blueprint is not None
        ]
    )


class Blueprints(NamedTuple):
    """The blueprint of a trial: as it is in the checkout, as it is made, and as it is changed."""

    plain: Examined
    made: Examined
    changed: Examined


class Runner:
    """A trial at work: `stacks` are those to make, to destroy with, and those of the change."""

    def __init__(
        self, limits: Limits, blueprints: Blueprints, stacks: ephemeral.Stacks, changed: Sequence[Stack]
    ) -> None:
        self._limits = limits
        self._blueprints = blueprints
        self._stacks = stacks
        self._changed = changed
        self._steps: dict[StepName, Step] = {}
        self._answers: Answers = {}
        self._cluster = str(blueprints.plain.results[0].document.data["name"])

    def run(self, session: Session, consent: up.Consent, say: Callable[[str], None]) -> Proved:
        """Run it all; it raises nothing that a cloud or Terraform did."""
        began = datetime.now(UTC)
        versions = _versions(session, self._stacks.full)
        applied = checksums.sums(list(self._stacks.full), self._cluster)
        timer = threading.Timer(self._limits.minutes * 60, os.kill, (os.getpid(), signal.SIGINT))
        timer.daemon = True
        timer.start()
        start = time.monotonic()
        destroying: list[float] = []

        def standing(made: up.Ended) -> None:
            self._keep("up", made, start)
            self._stand(session, consent)

        def ending() -> None:
            destroying.append(time.monotonic())
            say("destroying everything that was created; a second signal stops at once")

        agreed = ephemeral.Consent(consent, lambda _: True, standing, ending)
        try:
            lived = ephemeral.live(self._stacks, session, agreed, seconds=0)
        finally:
            timer.cancel()
        if "up" not in self._steps and lived.made is not None and lived.made.code is not Code.REFUSED:
            self._keep("up", lived.made, start)
        self._end(lived, destroying[0] if destroying else time.monotonic())
        evidence = self._evidence(began, versions, applied, lived)
        return Proved(
            evidence, self._broken(lived), lived.left, session.processes.told or _told(lived), _real(lived)
        )

    def _broken(self, lived: ephemeral.Lived) -> tuple[Broken | ClusterprintError, ...]:
        made = lived.made.broken if lived.made else ()
        return (*made, *lived.broken)

    def _stand(self, session: Session, consent: up.Consent) -> None:
        silent = consent._replace(show=lambda _: None, ask=lambda _: True)
        files = [each.state.file for each in self._stacks.full if isinstance(each.state, LocalState)]
        self._answers = shapes(json.loads(each.read_text("utf-8")) for each in files if each.exists())
        if self._steps["up"].result != "passed":
            return
        self._second_plan("second_plan", self._stacks.full, session, silent)
        self._conform(session)
        self._benchmark(session)
        start = time.monotonic()
        made = up.up(self._changed, session, silent, plan_only=False)
        self._keep("change", made, start)
        if made.code in _STANDING:
            self._second_plan("third_plan", self._changed, session, silent)

    def _second_plan(
        self, name: StepName, stacks: Sequence[Stack], session: Session, consent: up.Consent
    ) -> None:
        start = time.monotonic()
        ended = up.up(stacks, session, consent, plan_only=True)
        passed = ended.code is Code.NOTHING_TO_DO
        changes = () if passed else ("the plan is not empty",)
        self._keep(name, ended, start, () if ended.broken else changes)

    def _conform(self, session: Session) -> None:
        from clusterprint.status.inside.cluster import conform_of  # asks the cluster, by kubectl

        blueprint = self._blueprints.made.results[0].blueprint
        if blueprint is None or blueprint.kind not in ("gke", "ray"):
            self._leave_out("conformance", "only of Kubernetes")
            return
        start = time.monotonic()
        world = session.world
        programs = Programs(world.environment, simulated=True) if world.simulated else Programs(os.environ)
        (found,) = conform_of(self._blueprints.made.results, programs)
        compared = found.conformance
        differences = compared.differences if compared else ()
        if found.unknown and not differences:
            self._leave_out("conformance", f"not everything could be read: {'; '.join(found.unknown)}")
            return
        texts = [f"{each.phase}: {each.object} {each.text}" for each in differences]
        note = f"{compared.compared if compared else 0} comparisons"
        self._add("conformance", start, texts, note=note)

    def _leave_out(self, name: StepName, why: str) -> None:
        self._steps[name] = Step(name=name, result="not_run", note=why)

    def _benchmark(self, session: Session) -> None:
        from clusterprint.resolve import resolve

        (validated,) = self._blueprints.made.results
        if validated.blueprint is None:
            return
        start, world = time.monotonic(), session.world
        seconds = self._limits.minutes * 60 * _OF_RUNS
        programs = Programs(world.environment, simulated=True) if world.simulated else Programs(os.environ)
        plans = resolve(validated.blueprint, validated.document.folder)
        try:
            with TemporaryDirectory() as folder:
                found = ran(plans, programs, Path(folder), seconds=seconds)
        except EnvironmentFailure as error:
            self._leave_out("benchmark", str(error))
            return
        if not found.runs:
            self._leave_out("benchmark", "the blueprint has no job that ends")
            return
        note = f"{counted(found.runs, 'run')} ended"
        note += " in the simulated cloud, which measures nothing" if world.simulated else ""
        self._add("benchmark", start, found.failed, note=note, figures=dict(found.figures))

    def _keep(self, name: StepName, ended: up.Ended, start: float, more: Sequence[str] = ()) -> None:
        errors = [text for each in ended.broken for text in _errors(each.failed)]
        if ended.code not in (Code.DONE, Code.NOTHING_TO_DO, Code.CHANGES) and not errors:
            errors.append(f"it ended with exit code {int(ended.code)}")
        self._add(name, start, [*errors, *more], changes=_changes(ended.reports))

    def _add(self, name: StepName, start: float, errors: Sequence[str], **more: Any) -> None:
        self._steps[name] = Step(
            name=name,
            result="failed" if errors else "passed",
            seconds=round(time.monotonic() - start, 1),
            errors=tuple(errors),
            **more,
        )

    def _end(self, lived: ephemeral.Lived, start: float) -> None:
        if lived.made is None and lived.failed is None:
            return
        errors = [
            text
            for each in lived.broken
            for text in _errors(each.failed if isinstance(each, Broken) else each)
        ]
        errors += [f"left: {counted} of {kind}" for kind, counted in Counter(_types(lived)).items()]
        self._add("down", start, errors)
        if lived.failed is not None:
            why = str(lived.failed) or type(lived.failed).__name__
            undone = next((name for name in STEPS if name not in self._steps), None)
            if undone:
                self._steps[undone] = Step(name=undone, result="failed", errors=(f"stopped: {why}",))

    def _evidence(
        self, began: datetime, versions: Versions, applied: Mapping[str, str], lived: ephemeral.Lived
    ) -> Evidence:
        validated = self._blueprints.plain.results[0]
        taken: set[str] = set()
        names = {} if self._limits.names else own_names(dict(self._blueprints.made.results[0].document.data))
        steps = tuple(
            self._clean(
                self._steps.get(name) or Step(name=name, result="not_run", note="an earlier step failed"),
                names,
                taken,
            )
            for name in STEPS
        )
        left = tuple(sorted(set(_types(lived))))
        ended = datetime.now(UTC)
        failed = bool(left) or any(each.result == "failed" for each in steps)
        failed = failed or any(
            each.result != "passed" for each in steps if each.name in ("up", "second_plan", "down")
        )
        hours = (ended - began).total_seconds() / 3600
        data = validated.document.data
        return Evidence(
            version=1,
            trial=self._limits.trial,
            kind=str(data["kind"]),
            world="real" if self._limits.simulate is None else "simulated",
            began=began.replace(microsecond=0),
            ended=ended.replace(microsecond=0),
            result="failed" if failed else "passed",
            versions=versions,
            applied=dict(applied),
            steps=steps,
            cost=Cost(
                usd_at_most=self._limits.estimate.at_most(self._limits.minutes),
                usd_estimated=round(self._limits.estimate.usd_per_hour * hours, 4),
                without_price=self._limits.estimate.without_price,
            ),
            answers=self._answers,
            left=left,
            names={key: str(data[key]) for key in ("project", "subscription", "zone", "name") if key in data}
            if self._limits.names
            else {},
            redacted=tuple(sorted(taken)),
        )

    @staticmethod
    def _clean(step: Step, names: Mapping[str, str], taken: set[str]) -> Step:
        note = redacted(step.note, names, taken)[:4000]
        return structs.replace(step, errors=all_redacted(step.errors[:50], names, taken), note=note)


def _real(lived: ephemeral.Lived) -> BaseException | None:
    return (
        None if isinstance(lived.failed, Interrupted | TerraformFailed | ClusterprintError) else lived.failed
    )


def _told(lived: ephemeral.Lived) -> int:
    return lived.failed.exit_code - 128 if isinstance(lived.failed, Interrupted) else 0


def _types(lived: ephemeral.Lived) -> Iterator[str]:
    for each in lived.left:
        yield from (address.partition(".")[0] for address in (*each.resources, *each.underway))


def _errors(failed: TerraformFailed | ClusterprintError) -> Sequence[str]:
    return failed.errors if isinstance(failed, TerraformFailed) else (str(failed),)


def _changes(reports: Sequence[Report]) -> dict[str, dict[str, int]]:
    """The number of changes by type and action; of a plan that was shown twice, once."""
    steps = {
        (source.head, step.address): step.actions
        for report in reports
        for source in report.sources
        for step in source.steps
    }
    found: dict[str, dict[str, int]] = defaultdict(dict)
    for (_, address), actions in steps.items():
        kind, action = address.rpartition("module.")[2].partition(".")[0], " and ".join(actions)
        found[kind][action] = found[kind].get(action, 0) + 1
    return dict(found)


def _versions(session: Session, stacks: Sequence[Stack]) -> Versions:
    providers: dict[str, str] = {}
    for each in stacks:
        document = json.loads((each.folder / "cdk.tf.json").read_text("utf-8"))
        for one in document["terraform"].get("required_providers", {}).values():
            providers[str(one["source"])] = str(one["version"])
    return Versions(
        clusterprint=__version__,
        program="OpenTofu" if session.world.engine == "OpenTofu" else "Terraform",
        program_version=session.world.version() or "unknown",
        providers=providers,
    )
