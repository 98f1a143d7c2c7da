"""Whatever a blueprint says, all that reads it says what is wrong, and nothing fails on its own account.

The long tests have one value in every sixth field, which takes a minute of processor time. The others have
a few fields and mutants. `tools/fuzz.py` has every value in every field, and as many mutants as asked for.
"""

from collections.abc import Iterator, Sequence
from functools import cache
from itertools import islice
from pathlib import Path

import pytest
from every import check_every
from readers import Readers
from spoiled import LONG_WORD, Mutant, every_value, mutants, one_value_each, places, spoiled
from support import BLUEPRINTS, Run

from clusterprint.blueprint import KINDS
from clusterprint.load import load_text
from clusterprint.validate import Validated, check_alone, check_fleet


@pytest.fixture(scope="module")
def readers(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Readers]:
    with Readers(tmp_path_factory.mktemp("readers")) as made:
        yield made


def read_every(readers: Readers, found: Sequence[Mutant]) -> None:
    check_every(readers.read, found, lambda each: each.about)


# Steps that share no factor with the number of values: each of them has its turn.
FEW, SOME, PARTS, SIXTH = 67, 101, 3, 6


@pytest.mark.slow
@pytest.mark.process
@pytest.mark.parametrize("kind", KINDS)
def test_some_fields_hold_anything(readers: Readers, kind: str) -> None:
    """Some of the fields that the long test has."""
    read_every(readers, [*one_value_each(kind, 0, FEW)])


@pytest.mark.long
@pytest.mark.process
@pytest.mark.parametrize("part", range(PARTS))
@pytest.mark.parametrize("kind", KINDS)
def test_many_fields_hold_anything(readers: Readers, kind: str, part: int) -> None:
    read_every(readers, [*one_value_each(kind, part, PARTS * SIXTH)])


@pytest.mark.long
@pytest.mark.process
@pytest.mark.parametrize("kind", KINDS)
def test_a_field_holds_a_long_word(readers: Readers, kind: str) -> None:
    """One field of each kind: all that reads it takes seconds."""
    found = places(kind)
    read_every(readers, [spoiled(*found[len(found) // 3], LONG_WORD)])


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


@cache
def codes_of_twins(host: Path) -> set[tuple[str, str]]:
    return codes(check_fleet(twins(host)))


def codes(results: Sequence[Validated]) -> set[tuple[str, str]]:
    return {(found.place.file, found.code) for each in results for found in each.diagnostics}


@pytest.mark.slow
@pytest.mark.parametrize("kind", KINDS)
def test_a_mistake_hides_nothing_in_other_blueprints(kind: str) -> None:
    def check(mutant: Mutant) -> None:
        pair = twins(mutant.host)
        other = checked(mutant.text, mutant.host.with_name("c.yaml"))
        found = check_fleet([*pair, other])
        assert codes_of_twins(mutant.host) <= codes(found[:2])
        assert not any(each.crashed for each in found)

    check_every(check, every_value(kind, 3, SOME), lambda each: each.about)


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
