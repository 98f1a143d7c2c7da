"""The language server in blueprints that are JSON, which is YAML: as in the same blueprint in lines."""

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from every import check_every
from lsprotocol import types as lsp
from support import BLUEPRINTS

from clusterprint.document import Place
from clusterprint.editor import answers, at_position
from clusterprint.editor.complete import complete
from clusterprint.editor.open_file import Opened, is_blueprint, opened
from clusterprint.find import find

NAMES = ("vm-sample", "gke-mpi-hpl", "ray-h200", "vmss-h200")
FORMS: dict[str, Callable[[Any], str]] = {
    "indented": lambda data: json.dumps(data, indent=2),
    "sorted": lambda data: "# made elsewhere\n---\n" + json.dumps(data, indent=4, sort_keys=True) + "\n",
    "one line": lambda data: json.dumps(data, separators=(",", ":")),
    "carriage returns": lambda data: json.dumps(data, indent="\t").replace("\n", "\r\n"),
}


@pytest.fixture(params=NAMES, scope="module")
def in_lines(request: pytest.FixtureRequest) -> Opened:
    file = BLUEPRINTS / f"{request.param}.yaml"
    return opened(file.read_text(), file)


@pytest.fixture(params=FORMS)
def in_json(request: pytest.FixtureRequest, in_lines: Opened) -> Opened:
    assert in_lines.document
    text = FORMS[request.param](in_lines.document.data)
    assert is_blueprint(text)
    return opened(text, BLUEPRINTS / "a.yaml")


def places(blueprint: Opened) -> Iterator[tuple[Place, tuple[int, int], tuple[int, int]]]:
    """The keys of a blueprint, each with the ends of its key and of its value."""
    assert blueprint.document
    for place, written in blueprint.document.written.items():
        if place and not written.file and isinstance(place[-1], str):
            yield (
                place,
                (written.key.end_line - 1, written.key.end_column - 2),
                (written.value.line - 1, written.value.column),
            )


def offered(blueprint: Opened, at: tuple[int, int]) -> list[tuple[str, str]]:
    """The completions there: names of the blueprint have the order of their places."""
    return sorted((each.label, each.detail) for each in complete(blueprint, *at).choices)


def test_all_that_is_known_of_a_place_is_the_same(in_lines: Opened, in_json: Opened) -> None:
    assert in_json.kind == in_lines.kind
    assert {each.code for each in in_json.diagnostics} == {each.code for each in in_lines.diagnostics}
    assert len(at_position.hints(in_json)) == len(at_position.hints(in_lines)) > 0
    there = {place: ends for place, *ends in places(in_lines)}
    assert in_json.document
    data = in_json.document

    def is_the_same(where: tuple[Place, tuple[int, int], tuple[int, int]]) -> None:
        (place, key, value), (of_key, of_value) = where, there[where[0]]
        value_of = at_position._value(data, place)  # noqa: SLF001
        is_scalar = not isinstance(value_of, dict | list)
        for here, other in ((key, of_key), (value, of_value))[: 1 + is_scalar]:
            shown, expected = at_position.hover(in_json, *here), at_position.hover(in_lines, *other)
            assert (shown and shown.markdown) == (expected and expected.markdown)
        if isinstance(value_of, str):
            goals = at_position.definition(in_json, *value), at_position.definition(in_lines, *of_value)
            assert (goals[0] is None) == (goals[1] is None)
            assert offered(in_json, value) == offered(in_lines, of_value)

    check_every(is_the_same, places(in_json))


def test_keys_are_offered_within_quotes_and_without() -> None:
    text = (
        '{\n  "clusterprint": "v1", "kind": "gke", "name": "a",\n'
        '  "node_pools": [\n    {\n      "name": "say \\"{[\'", "count": 2,\n      |\n'
        '      "labels": {"a": "b"}\n    }\n  ]\n}\n'
    )
    for typed, written in (
        ('"', "machine_type"),
        ('"mach', "machine_type"),
        ("mach", "machine_type: "),
        ("", "machine_type: "),
    ):
        blueprint = opened(text.replace("|", typed), Path("a.yaml"))
        found = {each.label: each for each in complete(blueprint, 5, 6 + len(typed)).choices}
        assert not {"name", "count", "labels", "kind", "project"} & found.keys()
        assert found["machine_type"].text == written


@pytest.mark.parametrize(
    "text", ['{"clusterprint": "v1", |}', '{\n  "kind": "vm",\n  "clusterprint": "v1", |']
)
def test_keys_of_the_top(text: str) -> None:
    blueprint = opened(text.replace("|", ""), Path("a.yaml"))
    lines = text.split("\n")
    found = {each.label for each in complete(blueprint, len(lines) - 1, lines[-1].index("|")).choices}
    assert ("nodes" in found) == ("vm" in text) == ("kind" not in found)


def test_behind_the_last_bracket_is_nothing() -> None:
    text = '{"clusterprint": "v1", "kind": "vm"}\n'
    assert not complete(opened(text, Path("a.yaml")), 1, 0).choices


def test_a_missing_key_is_added_within_the_brackets() -> None:
    text = '{\n  "clusterprint": "v1", "kind": "vm"\n}\n'
    seen = answers.Seen("file:///a.yaml", opened(text, Path("/a.yaml")), "utf-16")
    whole = lsp.Range(lsp.Position(0, 0), lsp.Position(9, 0))
    asked = lsp.CodeActionParams(lsp.TextDocumentIdentifier(seen.uri), whole, lsp.CodeActionContext([]))
    found = next(each.edit for each in answers.actions(seen, asked) if each.title == "Add name")
    assert found
    assert found.changes
    (edit,) = found.changes[seen.uri]
    assert edit.range.start == lsp.Position(0, 1)


@pytest.mark.parametrize(
    "text",
    [
        '{"a": "clusterprint: 1"}',
        '{"labels": {"clusterprint": "spani"}}',
        '[{"clusterprint": "v1"}]',
        "a: {\n clusterprint: v1}",
    ],
)
def test_what_only_mentions_it_is_no_blueprint(text: str, tmp_path: Path) -> None:
    assert not is_blueprint(text)
    (tmp_path / "a.yaml").write_text("")
    (tmp_path / "files").mkdir()
    (tmp_path / "files" / "b.yaml").write_text(text)
    assert find([tmp_path]) == [tmp_path / "a.yaml"]


@pytest.mark.parametrize("text", ['{\n "kind": "vm",\n "clusterprint": "v1"\n}', "# a\rclusterprint: v1\r"])
def test_further_down_such_blueprints_are_found(text: str, tmp_path: Path) -> None:
    (tmp_path / "team").mkdir()
    (tmp_path / "team" / "a.yaml").write_bytes(text.encode())
    assert find([tmp_path]) == [tmp_path / "team" / "a.yaml"]
