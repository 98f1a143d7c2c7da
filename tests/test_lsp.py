"""`clusterprint lsp`, asked by a client over standard input and output."""

import sys
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from lsp_client import Editor
from lsprotocol import types as lsp
from pygls.exceptions import JsonRpcException
from support import BLUEPRINTS, ROOT, effort

from clusterprint.cli.lsp import lsp as lsp_command
from clusterprint.editor import answers
from clusterprint.editor.answers import Seen
from clusterprint.editor.open_file import opened
from clusterprint.errors import EnvironmentFailure
from clusterprint.load import load
from clusterprint.validate import validate

FILE = ROOT / "blueprints" / "opened.yaml"
URI = FILE.as_uri()
DOCUMENT = lsp.TextDocumentIdentifier(URI)
GKE = """\
clusterprint: v1
kind: gke
name: tests
project: my-project
region: us-central1
zone: us-central1-a
backend: {gcs: {bucket: my-state-1}}
node_pools:
  - name: workers
    machine_type: a2-highgpu-8g
    count: 2
workloads:
  mpi:
    jobs:
      - name: hpl
        image: cornellcac/nix-mpi-benchmarks:a4f3cd6
        node_pool: workers
        workers: 2
        slots_per_worker: 8
        command: [xhpl]
"""


@pytest.fixture(scope="module")
def editor() -> Iterator[Editor]:
    with Editor() as running:
        yield running


def at(text: str, mark: str = "|") -> tuple[str, lsp.Position]:
    """A text without its mark, and where the mark was."""
    before, _, after = text.partition(mark)
    return before + after, lsp.Position(before.count("\n"), len(before) - (before.rfind("\n") + 1))


def completed(editor: Editor, marked: str) -> dict[str, lsp.CompletionItem]:
    text, position = at(marked)
    editor.open(text)
    found = editor.ask("text_document_completion", lsp.CompletionParams(DOCUMENT, position))
    return {each.label: each for each in sorted(found.items, key=lambda each: each.sort_text)}


def actions(editor: Editor, text: str, only: list[Any] | None = None) -> dict[str, str]:
    """The actions offered in a text, and the text after each."""
    found = editor.open(text)
    whole = lsp.Range(lsp.Position(0, 0), lsp.Position(text.count("\n"), 0))
    asked = lsp.CodeActionParams(DOCUMENT, whole, lsp.CodeActionContext(found, only))
    return {
        each.title: edited(text, each.edit.changes[URI])
        for each in editor.ask("text_document_code_action", asked)
    }


def edited(text: str, edits: list[lsp.TextEdit]) -> str:
    lines = text.splitlines(keepends=True)
    starts = [sum(map(len, lines[:number])) for number in range(len(lines) + 1)]
    for each in sorted(
        edits, key=lambda edit: (edit.range.start.line, edit.range.start.character), reverse=True
    ):
        begin = starts[each.range.start.line] + each.range.start.character
        end = starts[each.range.end.line] + each.range.end.character
        text = text[:begin] + each.new_text + text[end:]
    return text


# ---- problems


@pytest.mark.parametrize("name", ["vm-sample", "ray-h200", "vmss-h200"])
def test_our_own_blueprints_are_as_validate_says(editor: Editor, name: str) -> None:
    file = BLUEPRINTS / f"{name}.yaml"
    loaded = load(file)
    assert loaded.document
    expected = [each.code for each in validate(loaded.document).diagnostics]
    assert [each.code for each in editor.open(loaded.text, file)] == expected


def test_problems_come_and_go_as_one_types(editor: Editor) -> None:
    assert editor.open(GKE) == []
    line = GKE.split("\n").index("region: us-central1")
    (problem,) = editor.type(URI, (line, 8, line, 19), "us-cental1")[:1]
    assert (problem.code, problem.range.start) == ("GCP090", lsp.Position(line, 8))
    assert "did you mean us-central1?" in problem.message
    assert editor.type(URI, (line, 8, line, 18), "us-central1") == []


def test_half_a_line_is_one_problem(editor: Editor) -> None:
    found = editor.open(GKE + "labels: {a: [")
    assert [each.code for each in found] == ["BP013"]


def test_what_is_no_blueprint_has_no_problems(editor: Editor) -> None:
    assert editor.open("apiVersion: v1\nkind: ConfigMap\n") == []
    assert editor.open("") == []
    assert editor.open("clusterprint: v1\n", ROOT / "clusterprint.policy.yaml") == []
    assert editor.open("clusterprint: v1\n", ROOT / "clusterprint.defaults.yaml") == []


def test_columns_count_as_the_editor_counts(editor: Editor) -> None:
    text = GKE.replace("name: tests", 'labels: {"\U0001f642": ok}\nname: tests')
    found = next(each for each in editor.open(text) if each.range.start.line == 2)
    assert (found.range.start.character, found.range.end.character) == (9, 13)
    with Editor(lsp.PositionEncodingKind.Utf8) as other:
        found = next(each for each in other.open(text) if each.range.start.line == 2)
        assert (found.range.start.character, found.range.end.character) == (9, 15)


@pytest.mark.parametrize("letter", [*"\x0b\x0c\x1c\x1d\x1e\x85\u2028\u2029"])
@pytest.mark.parametrize("end", ["\n", "\r", "\r\n"])
def test_lines_end_where_the_protocol_ends_them(editor: Editor, letter: str, end: str) -> None:
    """Python's `splitlines`, which pygls applies changes by, ends lines at each of these letters."""
    last = GKE.count("\n")
    text = f"# a{letter}b\n{GKE}x: 1 # {letter}\n".replace("\n", end)
    assert [each.code for each in editor.open(text)] == ["BP006"]
    assert [each.code for each in editor.type(URI, (0, 3, 0, 4), "")] == ["BP006"]
    (problem,) = editor.type(URI, (last + 1, 7, last + 1, 8), "")
    assert (problem.code, problem.range.start) == ("BP102", lsp.Position(last + 1, 0))
    assert editor.type(URI, (last + 1, 0, last + 2, 0), "") == []


# ---- completion


def test_keys_of_the_place_that_are_not_there_yet(editor: Editor) -> None:
    found = completed(editor, GKE.replace("    count: 2", "    |"))
    known = validate_keys("node_pools")
    assert found.keys() == known - {"name", "machine_type"}
    assert "count" in found
    top = completed(editor, f"{GKE}|")
    assert next(iter(completed(editor, "clusterprint: v1\nkind: gke\n|"))) == "name"
    assert "node_pools" not in top
    opening = top["storage"].text_edit
    assert opening
    assert opening.new_text == "storage:\n  "


def validate_keys(key: str) -> set[str]:
    from clusterprint.validate.schemas import schema_of

    return set(schema_of("gke")["properties"][key]["items"]["properties"])


@pytest.mark.parametrize(
    ("line", "expected", "missing"),
    [
        ("    machine_type: a3-ul|", "a3-ultragpu-8g", "Standard_D4s_v5"),
        ("    capacity: {model: |", "spot", "machine_type"),
        ("    auto_repair: |", "true", "spot"),
        ("    zones: [|", "us-central1-a", "us-east4-a"),
    ],
)
def test_values_of_a_pool(editor: Editor, line: str, expected: str, missing: str) -> None:
    found = completed(editor, GKE.replace("    machine_type: a2-highgpu-8g", line))
    assert expected in found
    assert missing not in found


def test_zones_that_have_the_machines_come_first(editor: Editor) -> None:
    text = GKE.replace("a2-highgpu-8g", "a3-ultragpu-8g").replace("zone: us-central1-a", "zone: |")
    found = completed(editor, text)
    assert next(iter(found)) == "us-central1-b"
    assert found["us-central1-b"].detail == "has a3-ultragpu-8g"
    assert found["us-central1-a"].detail == "lacks a3-ultragpu-8g"


def test_names_of_pools_of_this_file(editor: Editor) -> None:
    found = completed(editor, GKE.replace("node_pool: workers", "node_pool: |"))
    assert found.keys() == {"workers"}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("|", "clusterprint"),
        ("clusterprint: v1\nkind: |", "vmss"),
        ("clusterprint: v1\nkind: gke\ncluster: {release_channel: |}", "rapid"),
        (
            "clusterprint: v1\nkind: vm\nnodes: {image: {family: |",
            "ubuntu-accelerator-2404-amd64-with-nvidia-580",
        ),
        ("clusterprint: v1\nkind: vm\nservice_account:\n  roles: [|", "roles/storage.admin"),
        ("clusterprint: v1\nkind: vmss\nlocation: |", "southcentralus"),
        ("clusterprint: v1\nkind: vmss\nnodes:\n  size: Standard_ND|", "Standard_ND96isr_H200_v5"),
        ("clusterprint: v1\nkind: vm\nnodes: {\n  count: 1,\n  |\n}", "machine_type"),
        ("clusterprint: v1\nkind: ray\nnode_pools: [{name: a, machine_type: a3|", "a3-megagpu-8g"),
    ],
)
def test_completion_while_the_text_is_no_yaml(editor: Editor, text: str, expected: str) -> None:
    assert expected in completed(editor, text)


# ---- fixes


@pytest.mark.parametrize(
    ("right", "wrong", "title"),
    [
        ("project:", "projet:", "Write project"),
        ("us-central1\n", "us-cental1\n", "Write us-central1"),
        ("count: 2", 'count: "2"', "Write 2"),
        ("node_pool: workers", "node_pool: worker", "Write workers"),
        ("count: 2", "count: 2  # clusterprint: ignore[GCP009] not so", "Remove the comment"),
        ("count: 2", "count: 2\n    accelerator_network_profile: auto", "Remove accelerator_network_profile"),
    ],
)
def test_what_can_only_be_meant_in_one_way_is_offered(
    editor: Editor, right: str, wrong: str, title: str
) -> None:
    assert actions(editor, GKE.replace(right, wrong, 1))[title] == GKE


def test_what_was_a_bucket_is_rewritten_as_a_volume(editor: Editor) -> None:
    found = actions(editor, f"{GKE}storage: {{buckets: [{{name: sets, create: true}}]}}\n")
    volumes = "storage: {volumes: [{name: sets, kind: bucket, bucket: sets, create: true}]}\n"
    assert found["Rewrite 'buckets' in storage"] == f"{GKE}{volumes}"


def test_missing_keys_are_added_where_they_belong(editor: Editor) -> None:
    found = actions(editor, GKE.replace("project: my-project\n", ""))
    assert "\nproject: " in found["Add project"]
    in_list = actions(editor, GKE.replace("    machine_type: a2-highgpu-8g\n", ""))["Add machine_type"]
    assert editor.open(in_list) == [] or all(each.code != "BP103" for each in editor.open(in_list))
    in_brackets = actions(editor, GKE.replace("{bucket: my-state-1}", "{}"))["Add bucket"]
    assert "backend: {gcs: {bucket: " in in_brackets


def test_of_a_misspelt_kind_no_key_is_added() -> None:
    """`validate` checks it as the kind that was probably meant, which may be another one."""
    seen = Seen(
        URI, opened(GKE.replace("kind: gke", "kind: gek").replace("project:", "x-project:"), FILE), "utf-16"
    )
    assert "BP103" in [each.code for each in seen.blueprint.diagnostics]
    whole = lsp.Range(lsp.Position(0, 0), lsp.Position(99, 0))
    found = answers.actions(seen, lsp.CodeActionParams(DOCUMENT, whole, lsp.CodeActionContext([])))
    assert "Write gke" in [each.title for each in found]
    assert "Add project" not in [each.title for each in found]


def test_a_warning_can_be_ignored_with_a_reason(editor: Editor) -> None:
    text = GKE.replace("a2-highgpu-8g", "a3-ultragpu-8g")
    found = actions(editor, text)
    ignored = found["Ignore GCP009, with a reason"]
    assert "# clusterprint: ignore[GCP009] " in ignored
    assert "GCP009" not in [each.code for each in editor.open(ignored)]


def test_everything_at_once(editor: Editor) -> None:
    wrong = GKE.replace("project:", "projet:").replace("count: 2", 'count: "2"')
    found = actions(editor, wrong, [lsp.CodeActionKind.SourceFixAll])
    assert list(found.values()) == [GKE]
    assert actions(editor, GKE, [lsp.CodeActionKind.SourceFixAll]) == {}


# ---- what is there


def shown(editor: Editor, marked: str) -> str:
    text, position = at(marked)
    editor.open(text)
    found = editor.ask("text_document_hover", lsp.HoverParams(DOCUMENT, position))
    return found.contents.value if found else ""


def test_hover_explains_keys_and_machines(editor: Editor) -> None:
    assert "default: regular" in shown(editor, GKE + "cluster: {release_ch|annel: rapid}\n")
    machine = shown(editor, GKE.replace("a2-highgpu-8g", "a2-high|gpu-8g"))
    assert "8 x A100 40GB" in machine
    assert "us-central1-a" in machine
    assert "USD per hour" in machine
    assert shown(editor, f"{GKE}|# nothing") == ""


def test_a_name_leads_to_the_pool(editor: Editor) -> None:
    text, position = at(GKE.replace("node_pool: workers", "node_pool: wor|kers"))
    editor.open(text)
    found = editor.ask("text_document_definition", lsp.DefinitionParams(DOCUMENT, position))
    line = text.split("\n").index("  - name: workers")
    assert found.range.start == lsp.Position(line, 10)


VOLUMES = "storage: {volumes: [{name: data, kind: bucket}, {name: home, kind: filestore}]}\n"
MOUNTING = {
    "MPI jobs": (GKE, "        command: [xhpl]\n        mounts: [{volume: @}]\n"),
    "JobSets": (GKE, "  jobsets: [{name: train, image: i, command: [x], mounts: [{volume: @}]}]\n"),
    "LeaderWorkerSets": (
        GKE,
        "  leader_worker_sets: [{name: chat, image: i, command: [x], mounts: [{volume: @}]}]\n",
    ),
    "Ray's head": ("clusterprint: v1\nkind: ray\n", "ray: {head: {mounts: [{volume: @}]}}\n"),
    "Ray's workers": (
        "clusterprint: v1\nkind: ray\n",
        "ray: {workers: [{name: a, mounts: [{volume: @}]}]}\n",
    ),
    "Ray's jobs": ("clusterprint: v1\nkind: ray\n", "ray: {jobs: [{name: a, mounts: [{volume: @}]}]}\n"),
    "Ray's services": (
        "clusterprint: v1\nkind: ray\n",
        "ray: {services: [{name: a, mounts: [{volume: @}]}]}\n",
    ),
}


@pytest.mark.parametrize(("before", "mounts"), MOUNTING.values(), ids=MOUNTING)
def test_mounts_name_volumes(editor: Editor, before: str, mounts: str) -> None:
    text = before.replace("        command: [xhpl]\n", "") + mounts + VOLUMES
    assert completed(editor, text.replace("@", "|")).keys() == {"data", "home"}
    marked, position = at(text.replace("@", "ho|me"))
    editor.open(marked)
    found = editor.ask("text_document_definition", lsp.DefinitionParams(DOCUMENT, position))
    assert marked.split("\n")[found.range.start.line][found.range.start.character :].startswith("home, kind")


RENAMED = f"""\
{GKE}  jobsets: [{{name: train, image: i, command: [x], node_pool: workers, mounts: [{{volume: home}}]}}]
{VOLUMES}"""


@pytest.mark.parametrize("before", ["node_pool: wor|kers", "- name: wor|kers"])
def test_a_name_is_found_and_renamed_wherever_it_is_used(editor: Editor, before: str) -> None:
    text, position = at(RENAMED.replace(before.replace("|", ""), before, 1))
    editor.open(text)
    asked = lsp.ReferenceParams(lsp.ReferenceContext(include_declaration=True), DOCUMENT, position)
    found = editor.ask("text_document_references", asked)
    assert len(found) == 3
    offered = editor.ask("text_document_prepare_rename", lsp.PrepareRenameParams(DOCUMENT, position))
    assert offered.start.line == position.line
    renaming = lsp.RenameParams(DOCUMENT, position, "h200")
    changed = editor.ask("text_document_rename", renaming)
    assert edited(text, changed.changes[URI]) == text.replace("workers\n", "h200\n").replace(
        "workers,", "h200,"
    )


@pytest.mark.parametrize("place", ["name: spa|ni", "volume: nothing|", "command: [x|hpl]", "na|me: home"])
def test_what_names_nothing_cannot_be_renamed(editor: Editor, place: str) -> None:
    text, position = at(RENAMED.replace("home}]", "nothing}]").replace(place.replace("|", ""), place, 1))
    editor.open(text)
    assert editor.ask("text_document_prepare_rename", lsp.PrepareRenameParams(DOCUMENT, position)) is None
    assert editor.ask("text_document_rename", lsp.RenameParams(DOCUMENT, position, "x")) is None


def test_what_may_be_lost_is_a_volume(editor: Editor) -> None:
    text = GKE + VOLUMES.replace("storage: {", "storage: {may_lose: [|], ")
    assert completed(editor, text).keys() == {"data", "home"}


def test_symbols_are_keys_and_named_items(editor: Editor) -> None:
    editor.open(GKE)
    found = editor.ask("text_document_document_symbol", lsp.DocumentSymbolParams(DOCUMENT))
    assert [each.name for each in found][:4] == ["clusterprint", "kind", "name", "project"]
    pools = next(each for each in found if each.name == "node_pools")
    assert [each.name for each in pools.children] == ["workers"]
    assert [each.name for each in pools.children[0].children] == ["name", "machine_type", "count"]


def test_hints_say_what_is_resolved(editor: Editor) -> None:
    editor.open(GKE)
    everything = lsp.Range(lsp.Position(0, 0), lsp.Position(100, 0))
    (hint,) = editor.ask("text_document_inlay_hint", lsp.InlayHintParams(DOCUMENT, everything))
    assert hint.position.line == GKE.split("\n").index("    machine_type: a2-highgpu-8g")
    assert hint.label.startswith("2 nodes, 16 A100 40GB GPUs, $")


def test_formatting_is_that_of_fmt(editor: Editor) -> None:
    untidy = GKE.replace("    count: 2", "    count:   2  ")
    editor.open(untidy)
    options = lsp.FormattingOptions(tab_size=2, insert_spaces=True)
    found = editor.ask("text_document_formatting", lsp.DocumentFormattingParams(DOCUMENT, options))
    assert edited(untidy, found) == GKE
    editor.open(GKE)
    assert not editor.ask("text_document_formatting", lsp.DocumentFormattingParams(DOCUMENT, options))


# ---- whatever an editor sends


@pytest.mark.parametrize(
    "text", ["", "\n", "clusterprint: v1", GKE, GKE.rstrip(), f"{GKE}labels: {{\U0001f642: [", "x" * 2**21]
)
def test_places_beyond_the_text_are_at_its_end(editor: Editor, text: str) -> None:
    editor.open(text)
    last = text.count("\n")
    editor.ask_all(URI, (0, 0), (0, 10**6), (last, 3), (last + 1, 0), (last + 1, 7), (2**31 - 1, 2**31 - 1))
    editor.open(f"{GKE}storage: {{")
    found = editor.ask("text_document_completion", lsp.CompletionParams(DOCUMENT, lsp.Position(99, 9)))
    assert "volumes" in {each.label for each in found.items}


def test_a_range_may_be_the_wrong_way_round(editor: Editor) -> None:
    editor.open(GKE)
    for at_first in (lsp.Position(0, 0), lsp.Position(99, 0)):
        turned = lsp.Range(lsp.Position(9, 4), at_first)
        editor.ask("text_document_inlay_hint", lsp.InlayHintParams(DOCUMENT, turned))
        editor.ask(
            "text_document_code_action", lsp.CodeActionParams(DOCUMENT, turned, lsp.CodeActionContext([]))
        )
    editor.type(URI, (99, 0, 0, 0), "x")
    assert editor.open(GKE) == []


@pytest.mark.parametrize(
    "uri",
    [
        (BLUEPRINTS / "vm-smallest.yaml").as_uri(),
        "file:///dev/zero",
        "file:///",
        "untitled:a",
        "",
        "file://[",
        "%",
    ],
)
def test_what_is_not_open_is_not_read(editor: Editor, uri: str) -> None:
    editor.change(uri, (0, 0, 0, 0), "x")
    editor.close(uri)
    assert set(editor.ask_all(uri, (0, 0), (3, 8))) == {None}
    assert editor.open(GKE) == []


@pytest.mark.parametrize(
    "uri",
    [
        "untitled:Untitled-1",
        "git:/blueprints/a.yaml?%7B%22ref%22%3A%22~%22%7D",
        "vscode-vfs://github/owner/name/a.yaml",
        "a.yaml",
        "file:///dev/zero",
        "file:///a%00b.yaml",
        "file:///%FF%FE.yaml",
        "file:///c%3A/a.yaml",
        "file://host/share/a.yaml",
        f"file:///{'long/' * 2000}a.yaml",
        f"file:///{'long' * 200}.yaml",
    ],
    ids=lambda uri: uri[:30],
)
def test_a_document_need_not_be_a_file(editor: Editor, uri: str) -> None:
    assert editor.until_told(uri, lambda: editor.show(uri, GKE)) == []
    symbols, *_ = editor.ask_all(uri, (9, 20))
    assert symbols[0].name == "clusterprint"
    editor.until_told(uri, lambda: editor.close(uri))
    assert (
        editor.ask(
            "text_document_hover", lsp.HoverParams(lsp.TextDocumentIdentifier(uri), lsp.Position(0, 0))
        )
        is None
    )


def test_of_many_problems_the_worst_are_shown(editor: Editor) -> None:
    unused = "# clusterprint: ignore[GCP009] not so\n" * 1200
    found = editor.open(f"{unused}{GKE}x: 1\n")
    assert len(found) == 1001
    assert (found[-2].code, found[-2].severity) == ("BP102", lsp.DiagnosticSeverity.Error)
    assert found[-1].message == "201 more problems: `clusterprint validate` shows all"


SLOW = """
import sys, time
from pathlib import Path
from clusterprint.editor import server
look, server._PATIENCE = server.opened, 0.1
def opened(text, file):
    while "slow" in text and not Path(sys.argv[1]).exists():
        time.sleep(0.01)
    if "broken" in text:
        raise ValueError("of our own")
    return look(text, file)
server.opened = opened
server.serve()
"""


def test_a_newer_text_takes_the_place_of_an_older_one(tmp_path: Path) -> None:
    """A text that takes long blocks nothing, and is not heeded once there is another."""
    done, last = tmp_path / "done", GKE.count("\n")
    with Editor(command=(sys.executable, "-c", SLOW, str(done))) as editor:
        editor.show(URI, f"{GKE}# slow 1\n")
        assert set(editor.ask_all(URI, (0, 0))) == {None}, "which took too long"

        def type_on() -> None:
            for number in range(20):
                editor.change(URI, (last, 7, last, 8), str(number % 10))
            editor.change(URI, (last, 0, last + 1, 0), "x: 1\n")
            done.touch()

        (problem,) = editor.until_told(URI, type_on)
        assert problem.message.startswith("unknown key 'x'")
        assert editor.told == [(URI, 22)]


def test_a_failure_of_our_own_is_told_in_one_line(tmp_path: Path) -> None:
    with Editor(command=(sys.executable, "-c", SLOW, str(tmp_path))) as editor:
        editor.show(URI, f"{GKE}# broken\n")
        with pytest.raises(JsonRpcException) as failed:
            editor.ask_all(URI, (0, 0))
        assert (failed.value.message, failed.value.data) == (
            "clusterprint failed: ValueError: of our own",
            None,
        )
        assert editor.open(GKE) == [], "and the server goes on"


@pytest.mark.parametrize(("pools", "whole"), [(2, True), (800, False)])
def test_a_long_text_is_fixed_one_problem_at_a_time(pools: int, whole: bool) -> None:
    """To fix all of it takes seconds, and an editor asks for that with each move of the cursor."""
    line = "- {name: p%d, machine_typ: n2-standard-8, count: 3}\n"
    text = GKE.partition("node_pools")[0] + "node_pools:\n" + "".join(line % each for each in range(pools))
    seen = Seen(URI, opened(text, FILE), "utf-16")
    span = seen.blueprint.diagnostics[0].place.span
    assert span is not None
    first = seen.places.range(span)
    found = answers.actions(seen, lsp.CodeActionParams(DOCUMENT, first, lsp.CodeActionContext([])))
    assert [each.title for each in found] == [
        "Write machine_type",
        *(["Apply all unambiguous fixes"] if whole else []),
    ]


@pytest.mark.parametrize(
    "line",
    ["# clusterprint: ignore[GCP009] not so", "# clusterprint: ignore[GCP{}] x", "key{}: 1", "  # deeper {}"],
)
def test_what_an_editor_asks_takes_as_long_as_the_text_is(line: str) -> None:
    def ask(number: int) -> None:
        text = GKE + "".join(f"{line.format(each)}\n" for each in range(number))
        seen = Seen(URI, opened(text, FILE), "utf-16")
        whole = lsp.Range(lsp.Position(0, 0), lsp.Position(number + 99, 0))
        answers.diagnostics(seen)
        answers.symbols(seen, lsp.DocumentSymbolParams(DOCUMENT))
        answers.actions(seen, lsp.CodeActionParams(DOCUMENT, whole, lsp.CodeActionContext([])))
        answers.completion(seen, lsp.CompletionParams(DOCUMENT, whole.end))
        answers.formatted(
            seen, lsp.DocumentFormattingParams(DOCUMENT, lsp.FormattingOptions(2, insert_spaces=True))
        )

    ask(1)
    assert effort(partial(ask, 400)) < 2.5 * effort(partial(ask, 200))


def test_without_pygls_it_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pygls.workspace", None)
    monkeypatch.delitem(sys.modules, "clusterprint.editor.server", raising=False)
    with pytest.raises(EnvironmentFailure, match=r"pip install pygls"):
        lsp_command.main([], standalone_mode=False)
