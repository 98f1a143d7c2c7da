"""Whatever a blueprint says, all that reads it says what is wrong, and nothing fails on its own account."""

from collections.abc import Iterator, Sequence
from functools import cache
from itertools import islice
from pathlib import Path

import pytest
from every import check_every
from readers import Readers
from spoiled import VALUES, Mutant, mutants, places, spoiled
from support import BLUEPRINTS, Run

from clusterprint.blueprint import KINDS
from clusterprint.load import load_text
from clusterprint.validate import Validated, check_alone, check_fleet


@pytest.fixture(scope="module")
def readers(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Readers]:
    with Readers(tmp_path_factory.mktemp("readers")) as made:
        yield made


def read_every(readers: Readers, found: Sequence[Mutant]) -> None:
    check_every(lambda each: readers.read(each[1], each[0]), enumerate(found), lambda each: each[1].about)


def every_value(kind: str, start: int, step: int) -> list[Mutant]:
    """Each value in each branch and leaf of a kind, or every so many of them."""
    found = ((*place, value) for place in places(kind) for value in VALUES)
    return [spoiled(*each) for each in islice(found, start, None, step)]


# Steps that share no factor with the number of values: each of them has its turn.
FEW, SOME, PARTS = 701, 101, 37


@pytest.mark.slow
@pytest.mark.process
@pytest.mark.parametrize("kind", KINDS)
def test_some_fields_hold_anything(readers: Readers, kind: str) -> None:
    read_every(readers, every_value(kind, 0, FEW))


@pytest.mark.long
@pytest.mark.process
@pytest.mark.parametrize("part", range(PARTS))
@pytest.mark.parametrize("kind", KINDS)
def test_every_field_holds_anything(readers: Readers, kind: str, part: int) -> None:
    read_every(readers, every_value(kind, part, PARTS))


@pytest.mark.slow
@pytest.mark.process
def test_mutants_are_read(readers: Readers) -> None:
    read_every(readers, [*islice(mutants(7), 10)])


# ---- one mistake, and other blueprints


@cache
def twins(host: Path) -> tuple[Validated, ...]:
    """A blueprint under two names: whatever rules compare, both have it."""
    return tuple(checked(host.read_text("utf-8"), host.with_name(name)) for name in ("a.yaml", "b.yaml"))


def checked(text: str, file: Path) -> Validated:
    document = load_text(text.encode(), str(file), file.parent).document
    assert document
    return check_alone(document)


@pytest.mark.slow
@pytest.mark.parametrize("kind", KINDS)
def test_a_mistake_hides_nothing_in_other_blueprints(kind: str) -> None:
    def codes(results: Sequence[Validated]) -> set[tuple[str, str]]:
        return {(found.place.file, found.code) for each in results for found in each.diagnostics}

    def check(mutant: Mutant) -> None:
        pair = twins(mutant.host)
        other = checked(mutant.text, mutant.host.with_name("c.yaml"))
        found = check_fleet([*pair, other])
        assert codes(check_fleet(pair)) <= codes(found[:2])
        assert not any(each.crashed for each in found)

    loaded = [each for each in every_value(kind, 3, SOME) if len(each.text) < 2**19]
    check_every(check, loaded, lambda each: each.about)


@pytest.mark.parametrize(
    "command",
    [
        *(("validate", "--format", form) for form in ("text", "json", "sarif", "github")),
        ("lint", "--format", "json"),
        ("lint", "--fix"),
    ],
    ids=" ".join,
)
def test_what_cannot_be_read_hides_no_other_blueprint(
    clusterprint: Run, tmp_path: Path, command: tuple[str, ...]
) -> None:
    good = (BLUEPRINTS / "gke-smallest.yaml").read_text("utf-8")
    wrong = {
        "a": b"kind: {}",
        "b": b"clusterprint: v1\nkind: [vm]\n",
        "c": b"a: [",
        "d": b"\xff",
        "e": b"x" * 2**21,
        "f": b"[" * 10_000,
        "g": good.replace("g2-standard-8", "{}").encode(),
        "h": b"- 1",
    }
    for name, content in wrong.items():
        (tmp_path / f"{name}.yaml").write_bytes(content)
    (tmp_path / "i.yaml").write_text(good.replace("project:", "projet:"), "utf-8")
    done = clusterprint(*command, tmp_path)
    assert done.returncode == 1
    said = done.stdout + done.stderr
    assert [name for name in (*wrong, "i") if f"{name}.yaml" not in said] == []
    assert "projet" in said
