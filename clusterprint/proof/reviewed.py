"""The part of a review about evidence: the clusters of the work tree that a signed proof is about."""

from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from clusterprint.errors import ClusterprintError
from clusterprint.masking import masked
from clusterprint.proof import checksums
from clusterprint.proof.envelope import ENDING, KEYS, Sealed, trusted, trusted_in
from clusterprint.proof.judge import Asked, Verdict, files_in, judge
from clusterprint.review.compared import ComparedCluster
from clusterprint.review.model import ProofRow
from clusterprint.review.side import is_folder
from clusterprint.revision import at_revision

FOLDER = KEYS.parent
# The age is part of each row, for the reader to judge.
_ANY_AGE = 100_000


def compared(
    base: str, head: str | None, clusters: Iterable[ComparedCluster]
) -> tuple[tuple[ProofRow, ...], tuple[str, ...]]:
    """A row for each cluster of the work tree, and notes on evidence that does not count.

    Evidence counts that is of a real cloud, passed, and is signed by a key that the base trusts: a change
    cannot bring its own judge. Nothing is said where the folder `evidence` has no evidence.
    """
    if FOLDER.is_symlink():  # to all of the machine, perhaps
        return (), (f"{FOLDER}/ is not compared: it is a link",)
    if not any(FOLDER.rglob(f"*{ENDING}")):
        return (), ()
    if head is not None:
        return (), (f"{FOLDER}/ is compared with the work tree only: leave --head out",)
    try:
        with _trusted(base) as keys:
            asked = Asked(keys, False, _ANY_AGE, None)
            verdicts = [_verdict(each, asked) for each in files_in((FOLDER,))]
        notes = tuple(filter(None, map(_refusal, verdicts)))
        counting = [each for each in verdicts if not _refusal(each)]
        rows = tuple(_row(each.name, each.after.file, counting) for each in clusters if each.after)
    except ClusterprintError as error:
        return (), masked((f"{FOLDER}/ is not compared: {error}",))
    return masked(rows), masked(notes)


@contextmanager
def _trusted(base: str) -> Iterator[Mapping[str, Any]]:
    """The public keys and identities that the base trusts."""
    if is_folder(base):
        yield trusted(trusted_in(Path(base) / KEYS))
        return
    with at_revision(base, [KEYS]) as earlier:
        yield trusted([file for folder in earlier.paths for file in trusted_in(folder)])


def _verdict(file: Path, asked: Asked) -> Verdict:
    """The verdict on a file, which is not opened if it is a link."""
    return Verdict(file, None, "", ("it is a link",)) if file.is_symlink() else judge(file, asked)


def _refusal(verdict: Verdict) -> str:
    """Why evidence does not count; empty if it does."""
    if verdict.sealed is None or verdict.problems:
        return f"{verdict.file} does not count: {verdict.problems[0]}"
    evidence = verdict.sealed.statement.predicate
    if evidence.world == "simulated":
        return f"{verdict.file} does not count: it is from the simulated cloud"
    return f"{verdict.file} does not count: it is of a failure" if evidence.result == "failed" else ""


def _row(cluster: str, file: str, counting: list[Verdict]) -> ProofRow:
    """The evidence about a cluster that fits best, the newest of several."""
    found = checksums.of_file(Path(file), file, Path())
    if isinstance(found, str):
        return ProofRow(cluster=cluster)
    now = {name: each for name, each in found.items() if name.startswith(checksums.STACK)}
    about = [each for each in counting if _is_about(_sums(each.sealed), file, now)]
    if not about:
        return ProofRow(cluster=cluster)

    def rows() -> Iterator[ProofRow]:
        for each in about:
            then = _sums(each.sealed)
            same = {name for name in now if then.get(name) == now[name]}
            gone = {name for name in then if name.startswith(checksums.STACK)} - now.keys()
            yield ProofRow(
                cluster=cluster,
                evidence=str(each.file),
                day=f"{each.sealed.statement.predicate.ended:%Y-%m-%d}" if each.sealed else "",
                key=each.signer if ":" in each.signer else each.signer[:16],
                proven=_parts(same),
                changed=_parts((now.keys() - same) | gone),
            )

    return min(sorted(rows(), key=lambda row: row.day, reverse=True), key=lambda row: len(row.changed))


def _is_about(proven: Mapping[str, str], file: str, now: Mapping[str, str]) -> bool:
    """Whether evidence names a file, or names none and is about a stack as it is now."""
    if f"{checksums.BLUEPRINT}{file}" in proven:
        return True
    return f"{checksums.BLUEPRINT}{checksums.PUBLIC}" in proven and not proven.items().isdisjoint(now.items())


def _sums(sealed: Sealed | None) -> dict[str, str]:
    return {each.name: each.digest.sha256 for each in sealed.statement.subject} if sealed else {}


def _parts(names: Iterable[str]) -> tuple[str, ...]:
    return tuple(sorted(each.removeprefix(checksums.STACK) for each in names))
