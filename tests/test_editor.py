"""The published schema in a real editor's language server."""

import json
import os
from collections.abc import Iterator

import pytest
from language_server import SERVER, LanguageServer
from support import ROOT

from clusterprint.blueprint import KINDS
from clusterprint.validate.schemas import ALL, whole_schema
from clusterprint.validate.variants import properties

FILE = ROOT / "schema" / "blueprint.schema.json"
SCHEMA = json.loads(whole_schema(ALL))

pytestmark = [pytest.mark.slow, pytest.mark.long, pytest.mark.xdist_group("editor")]


@pytest.fixture(scope="module")
def editor() -> Iterator[LanguageServer]:
    if not SERVER.is_file():
        message = "needs yaml-language-server: run `python tools/install_clis.py` (npm registry)"
        pytest.fail(message) if os.environ.get("CI") else pytest.skip(message)
    with LanguageServer(FILE) as running:
        yield running


def keys(offered: set[str]) -> set[str]:
    """The completions without snippets, whose names are no keys."""
    return {each for each in offered if each.replace("_", "").isalnum()}


@pytest.mark.parametrize("kind", KINDS)
def test_only_keys_of_the_kind_are_offered(editor: LanguageServer, kind: str) -> None:
    known = SCHEMA["definitions"][kind]["properties"]
    offered = keys(editor.completions(f"clusterprint: v1\nkind: {kind}\n"))
    assert offered == known.keys() - {"clusterprint", "kind"}


@pytest.mark.parametrize("kind", ["vm", "vmss"])
def test_only_keys_of_the_kind_are_offered_further_down(editor: LanguageServer, kind: str) -> None:
    nodes = SCHEMA["definitions"][kind]["properties"]["nodes"]["properties"]
    text = f"clusterprint: v1\nkind: {kind}\nnodes:\n  "
    assert keys(editor.completions(text)) == nodes.keys()
    assert keys(editor.completions(f"{text}capacity:\n    ")) == properties(nodes["capacity"], {}).keys()


@pytest.mark.parametrize("written", ["kind: filestore", "kind: disk", "kind: netapp\n      create: false"])
def test_only_keys_of_the_kind_of_volume_are_offered(editor: LanguageServer, written: str) -> None:
    volumes = SCHEMA["definitions"]["vm"]["properties"]["storage"]["properties"]["volumes"]["items"]
    text = f"clusterprint: v1\nkind: vm\nstorage:\n  volumes:\n    - {written}\n      "
    part = {"kind": written.split()[1], **({"create": False} if "create" in written else {})}
    assert keys(editor.completions(text)) == properties(volumes, part).keys() - part.keys()


def test_a_key_of_another_kind_is_said_to_be_one(editor: LanguageServer) -> None:
    volume = "{name: a, kind: bucket, mount: /a, tier: zonal}"
    found = editor.problems(f"clusterprint: v1\nkind: vm\nstorage: {{volumes: [{volume}]}}\n")
    assert [each for each in found if "key of" in each] == [
        "This is a key of filestore volumes or created netapp volumes."
    ]


def test_an_example_is_shown_once(editor: LanguageServer) -> None:
    shown = editor.hover("clusterprint: v1\nkind: vm\nname: spani\n", 2, 1)
    assert shown.count("Example") == shown.count("spani") == 1
    assert "Name of the cluster." in shown


def test_problems_are_sentences_and_x_keys_are_none(editor: LanguageServer) -> None:
    text = (
        "clusterprint: v1\nkind: vm\nname: spani\nproject: my-project\nregion: us-central1\n"
        "zone: us-central1-f\nbackend: {gcs: {bucket: b-1}}\n"
        "nodes:\n  machine_type: n2-standard-8\n  capacity: *spot\n"
    )
    anchored = "x-spot: &spot {model: spot, max_run_duration: %s}\n" + text
    assert editor.problems(anchored % "2d") == []
    assert editor.problems(anchored % "2w") == [
        "Must be a duration: a whole number followed by s, m, h or d, such as 30m or 7d."
    ]
