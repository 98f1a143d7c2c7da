"""Verdicts on evidence: whether it is whole, by whom it is signed, and whether it is about this checkout."""

from collections.abc import Iterator, Mapping
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, NamedTuple

from clusterprint.errors import UsageError
from clusterprint.proof import checksums
from clusterprint.proof.envelope import ENDING, Invalid, Sealed, read, signed_by
from clusterprint.proof.types import NEEDED, STEPS, Evidence

# By so much the clocks of two machines may differ.
_CLOCKS = timedelta(minutes=5)
_MOST_FILES = 1000


class Asked(NamedTuple):
    """The requirements: keys, whether unsigned is accepted, age at most, the checkout (None: any)."""

    keys: Mapping[str, Any]
    unsigned: bool
    days: int
    root: Path | None


class Verdict(NamedTuple):
    """The verdict on one file: valid evidence has no problems. `signer` is the checksum of a trusted key."""

    file: Path
    sealed: Sealed | None
    signer: str
    problems: tuple[str, ...]
    notes: tuple[str, ...] = ()


def files_in(paths: tuple[Path, ...]) -> list[Path]:
    """The files of evidence among paths. Raises UsageError where there is none."""
    found: list[Path] = []
    for path in paths:
        if path.is_dir():
            inside = sorted(path.rglob(f"*{ENDING}"))
            if not inside:
                raise UsageError(f"{path} has no evidence: no file in it ends with {ENDING}")
            found += inside
        else:
            found.append(path)
    if len(found) > _MOST_FILES:
        raise UsageError(f"more than {_MOST_FILES:,} files of evidence: name a smaller folder")
    return list(dict.fromkeys(found))


def judge(file: Path, asked: Asked) -> Verdict:
    """The verdict on a file."""
    try:
        sealed = read(file)
    except Invalid as invalid:
        return Verdict(file, None, "", (str(invalid),))
    problems, signer = [], ""
    try:
        signer = signed_by(sealed, asked.keys)
        if not signer and not asked.unsigned:
            problems.append("it is not signed, so anybody may have written it: --allow-unsigned accepts that")
    except Invalid as invalid:
        problems.append(str(invalid))
    evidence = sealed.statement.predicate
    problems += _contradictions(sealed)
    problems += _age(evidence, asked.days)
    if asked.root is not None and not problems:  # what is not to be trusted is not worth a synth
        problems += _differences(sealed, asked.root)
    return Verdict(file, sealed, signer, tuple(problems), tuple(_notes(evidence, signer)))


def _notes(evidence: Evidence, signer: str) -> Iterator[str]:
    if evidence.world == "simulated":
        yield "it is from the simulated cloud, and proves nothing of the real ones"
    if evidence.result == "failed":
        yield "it is evidence of a failure"
    if not signer:
        yield "it is not signed by a trusted key"


def _contradictions(sealed: Sealed) -> Iterator[str]:
    evidence = sealed.statement.predicate
    names = [each.name for each in sealed.statement.subject]
    blueprints = [each for each in names if each.startswith(checksums.BLUEPRINT)]
    stacks = {each.removeprefix(checksums.STACK) for each in names if each.startswith(checksums.STACK)}
    if len(set(names)) != len(names) or len(blueprints) != 1 or len(stacks) + 1 != len(names):
        yield "its subjects are not one blueprint and its stacks, each once"
    if stacks != evidence.applied.keys():
        yield "the stacks that were applied are not those it is about"
    if evidence.ended < evidence.began:
        yield "it ended before it began"
    done = [each.name for each in evidence.steps]
    if done != sorted(set(done), key=STEPS.index):
        yield "its steps are not in their order, each once"
    passed = {each.name for each in evidence.steps if each.result == "passed"}
    failed = any(each.result == "failed" for each in evidence.steps) or bool(evidence.left)
    failed = failed or not passed >= NEEDED
    if failed != (evidence.result == "failed"):
        yield f"its result is {evidence.result!r}, and its steps say something else"
    if any(each.errors and each.result != "failed" for each in evidence.steps):
        yield "a step has errors, and did not fail"


def _age(evidence: Evidence, days: int) -> Iterator[str]:
    now = datetime.now(UTC)
    if evidence.ended > now + _CLOCKS:
        yield "it ends in the future"
    elif evidence.ended < now - timedelta(days=days):
        day = f"{evidence.ended:%Y-%m-%d}"
        yield f"it is from {day}, older than {days} days: --max-age accepts older evidence"


def _differences(sealed: Sealed, root: Path) -> Iterator[str]:
    said = {each.name: each.digest.sha256 for each in sealed.statement.subject}
    (named,) = (
        each.removeprefix(checksums.BLUEPRINT) for each in said if each.startswith(checksums.BLUEPRINT)
    )
    found = checksums.of_checkout(sealed.statement.predicate, named, root)
    if isinstance(found, str):
        yield found
        return
    for name in sorted({*said, *found}):
        if said.get(name) != found.get(name):
            change = "differs in" if name in said and name in found else "is only in one of it and"
            yield f"{name} {change} this checkout: it proves another version"
