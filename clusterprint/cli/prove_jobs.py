"""Trials that `clusterprint prove` is asked for, and their list."""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from clusterprint.cli import cluster_arguments
from clusterprint.cli.output import say
from clusterprint.errors import UsageError
from clusterprint.examine import Examined, examine
from clusterprint.words import counted, did_you_mean
from clusterprint.words.guesses import alike

if TYPE_CHECKING:
    from clusterprint.proof.trial import Blueprints
    from clusterprint.proof.trials import Estimate, Place, Trial

_PROJECT = re.compile(r"(?:[a-z0-9][-a-z0-9.]{0,80}:)?[a-z][-a-z0-9]{4,28}[a-z0-9]")
_BUCKET = re.compile(r"[a-z0-9][-a-z0-9_.]{1,61}[a-z0-9]")
_ZONE = re.compile(r"[a-z]+(?:-[a-z]+)+[0-9]+-[a-z]")


class Job(NamedTuple):
    """A trial to run: its name (`blueprint` for one of the user's own), that of its subject, its limits."""

    name: str
    called: str
    minutes: float
    blueprints: "Blueprints"
    estimate: "Estimate"


def place_of(project: str, zone: str, bucket: str) -> "Place":
    """The place of trials. Raises UsageError for what cannot be one."""
    from clusterprint.proof.trials import Place

    if project and not _PROJECT.fullmatch(project):
        raise UsageError(f"--project: {project!r} is not the id of a project")
    if zone and not _ZONE.fullmatch(zone):
        raise UsageError(f"--zone: {zone!r} is not a zone such as us-central1-a")
    if bucket and not _BUCKET.fullmatch(bucket):
        raise UsageError(f"--bucket: {bucket!r} is not the name of a bucket, without gs://")
    return Place(project, zone, bucket)


@contextmanager
def jobs_of(
    paths: tuple[Path, ...],
    only: tuple[str, ...],
    budget: float | None,
    seconds: int | None,
    place: "Place",
) -> Iterator[list[Job]]:
    """The trials that are asked for and fit, the cheapest first. Raises UsageError for unknown names."""
    from clusterprint.proof.trials import TRIALS, by_cost, chosen

    if paths:
        yield [_own(each) for each in paths]
        return
    for name in only:
        if name not in TRIALS:
            guess = did_you_mean(*alike(name, TRIALS))
            raise UsageError(f"no trial is called {name!r}: {guess or 'see `clusterprint prove --list`'}")
    with ExitStack() as stack:
        found = {name: _job(TRIALS[name], place, stack) for name in dict.fromkeys(only or TRIALS)}
        costs = {
            name: None if each.estimate.without_price else each.estimate.at_most(each.minutes)
            for name, each in found.items()
        }
        names, left = chosen(costs, budget, seconds / 60 if seconds else None)
        if left and names:
            say(f"left out, as they do not fit: {', '.join(left)}", err=True)
        yield [found[name] for name in by_cost({name: costs[name] for name in names})]


def _job(trial: "Trial", place: "Place", stack: ExitStack) -> Job:
    from clusterprint.proof.record import LABEL
    from clusterprint.proof.trial import CHANGED, Blueprints, labelled
    from clusterprint.proof.trials import estimate, written

    plain, made, changed = (
        _sound(examine([stack.enter_context(written(trial, where, changed=change))]), trial.name)
        for where, change in (((type(place))(), False), (place, False), (place, True))
    )
    blueprints = Blueprints(
        plain,
        labelled(made, **{LABEL: trial.name}),
        labelled(changed, **{LABEL: trial.name, **({} if trial.change else {CHANGED: "1"})}),
    )
    # A change may add a node, which costs as much as the others for all of the time.
    costs = [estimate(each, trial.more_usd_per_hour, trial.more_source) for each in (made, changed)]
    dearest = max(costs, key=lambda each: each.usd_per_hour)
    return Job(trial.name, trial.name, trial.minutes, blueprints, dearest)


def _own(file: Path) -> Job:
    examined = cluster_arguments.sound([file], "nothing was created: the blueprint has problems")
    if len(examined.results) != 1:
        raise UsageError(f"{file} has several blueprints: name one of them")
    return job_of(examined, _relative(file))


def job_of(examined: Examined, called: str) -> Job:
    """The trial of a sound blueprint."""
    from clusterprint.proof.record import LABEL
    from clusterprint.proof.trial import CHANGED, Blueprints, labelled
    from clusterprint.proof.trials import OWN_MINUTES, estimate

    blueprints = Blueprints(
        examined,
        labelled(examined, **{LABEL: "blueprint"}),
        labelled(examined, **{LABEL: "blueprint", CHANGED: "1"}),
    )
    return Job("blueprint", called, OWN_MINUTES, blueprints, estimate(examined))


def _relative(file: Path) -> str:
    try:
        return file.resolve().relative_to(Path.cwd().resolve()).as_posix()
    except ValueError:
        return file.name


def _sound(examined: Examined, name: str) -> Examined:
    if examined.errors:
        texts = "; ".join(each.message for each in examined.diagnostics)
        raise UsageError(f"trial {name} is not possible there: {texts}")
    return examined


def print_list(jobs: Sequence[Job], form: str) -> None:
    """Print what each trial costs, creates and needs."""
    from clusterprint.cli.quota_needs import quota_of
    from clusterprint.lifecycle.stack import synthesized
    from clusterprint.proof.trials import TRIALS
    from clusterprint.rights import needs

    found = []
    for job in jobs:
        examined = job.blueprints.made
        with synthesized(examined) as folders:
            stacks = [json.loads((each.folder / "cdk.tf.json").read_text("utf-8")) for each in folders]
        resources: dict[str, int] = {}
        for stack in stacks:
            for kind, named in stack.get("resource", {}).items():
                resources[kind] = resources.get(kind, 0) + len(named)
        trial = TRIALS.get(job.name)
        found.append(
            {
                "name": job.name,
                "blueprint": None if trial else job.called,
                "proves": trial.proves if trial else "",
                "usd_at_most": job.estimate.at_most(job.minutes),
                "usd_per_hour": job.estimate.usd_per_hour,
                "without_price": list(job.estimate.without_price),
                "sources": list(job.estimate.sources),
                "minutes_at_most": job.minutes,
                "creates": resources,
                "quota": [
                    {"metric": each.metric.name, "region": each.metric.region, "most": each.most}
                    for each in quota_of(job.blueprints.changed)
                ],
                "permissions": sorted(_permissions(needs(stacks))),
                "by_hand": trial.by_hand if trial else "",
            }
        )
    if form == "json":
        say(json.dumps({"trials": found}, indent=2, ensure_ascii=False))
        return
    for each in found:
        say("\n".join(_lines(each)))


def _permissions(needs: Sequence[Any]) -> set[str]:
    return {name for each in needs for of_task in each.permissions.values() for name in of_task}


def _lines(trial: Mapping[str, Any]) -> Iterator[str]:
    unpriced = f" without {', '.join(trial['without_price'])}" if trial["without_price"] else ""
    yield (
        f"{trial['blueprint'] or trial['name']}: {trial['usd_at_most']:,.2f} USD{unpriced}, "
        f"{trial['minutes_at_most']:.0f} minutes at most"
    )
    if trial["proves"]:
        yield f"  proves: {trial['proves']}"
    if trial["by_hand"]:
        yield f"  by hand, and not in the evidence: {trial['by_hand']}"
    yield f"  creates: {counted(sum(trial['creates'].values()), 'resource')}"
    quota = (f"{each['metric']} {each['most']:,}" for each in trial["quota"])
    yield f"  quota: {', '.join(quota) or 'none that is counted'}"
    yield f"  permissions: {len(trial['permissions'])} (--format json lists them)"
