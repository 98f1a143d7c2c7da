"""Our chart hands objects to Kubernetes as they are: rendered by the real Helm library."""

import json
from pathlib import Path
from typing import Any

import helm_python
import pytest
from ruamel.yaml import YAML
from support import GOLDENS, ROOT

CHART = ROOT / "stacks" / "kubernetes" / "objects_chart"

WORDS = {
    "expression": "${HOME} %{if true} {{ .Values.objects }}",
    "yaml": "yes no null ~ 0123 1e3 0o17 2001-01-01",
    "lines": "first\n  second\n\n",
    "tabs": "a\tb",
    "signs": "quote \" apostrophe ' back \\ colon: # hash",
    "unicode": "Grüße 😀 \u2028",
    "empty": "",
    **{f"word{index}": word for index, word in enumerate(("yes", "null", "0123", "1e3", "12:30", "~", "-"))},
}


def render(objects: dict[str, Any]) -> str:
    """The output of Helm for the chart."""
    with helm_python.Chart.load(str(CHART)) as chart:
        rendered: dict[str, str] = chart.render({"objects": objects}, name="release", namespace="here")
    return rendered["objects/templates/objects.yaml"]


def parsed(text: str) -> list[Any]:
    return [each for each in YAML(typ="safe").load_all(text) if each is not None]


@pytest.mark.parametrize(
    "value",
    [WORDS, {"numbers": [0, -1, 1000000, 12345678901, 0.5], "flags": [True, False], "none": [[], {}, [{}]]}],
    ids=["text", "numbers"],
)
def test_values_arrive_as_they_are(value: Any) -> None:
    made = {"apiVersion": "example.com/v1", "kind": "Thing", "metadata": {"name": "x"}, "spec": value}
    assert parsed(render({"x": made})) == [made]


def test_objects_come_in_the_order_of_their_keys() -> None:
    objects = {key: {"kind": key} for key in ("b", "a-2", "a-10", "C")}
    assert [each["kind"] for each in parsed(render(objects))] == ["C", "a-10", "a-2", "b"]
    assert render(objects) == render(dict(reversed(objects.items())))


def test_no_objects_are_no_mistake() -> None:
    assert parsed(render({})) == []


def test_an_object_never_vanishes_without_a_word() -> None:
    with pytest.raises(helm_python.HelmRenderError, match="object x cannot be written as YAML"):
        render({"x": {"kind": "Thing", "text": "\x7f"}})


def test_the_chart_is_nothing_but_its_metadata_and_one_template() -> None:
    files = {str(file.relative_to(CHART)) for file in Path(CHART).rglob("*") if file.is_file()}
    assert files == {"Chart.yaml", "templates/objects.yaml"}


def given(golden: Path) -> list[dict[str, Any]]:
    """The values of all releases of our chart in a golden file, as Terraform hands them to Helm."""
    stacks = json.loads(golden.read_text("utf-8"))
    inside = [stack for stack in stacks.values() if isinstance(stack, dict) and "resource" in stack]
    releases = [release for stack in inside for release in stack["resource"].get("helm_release", {}).values()]
    ours = [release["values"][0] for release in releases if release["chart"].startswith("./")]
    return [json.loads(text.replace("$${", "${").replace("%%{", "%{")) for text in ours]


@pytest.mark.parametrize("golden", sorted(GOLDENS.glob("gke-*.tf.json")), ids=lambda file: file.stem)
def test_what_we_make_arrives_as_it_is(golden: Path) -> None:
    for values in given(golden):
        objects = values["objects"]
        assert parsed(render(objects)) == [objects[key] for key in sorted(objects)]


def test_every_sort_of_object_is_among_them() -> None:
    kinds = {
        made["kind"]
        for golden in GOLDENS.glob("gke-*.tf.json")
        for values in given(golden)
        for made in values["objects"].values()
    }
    assert kinds >= {
        *(
            "MPIJob",
            "CustomResourceDefinition",
            "ResourceFlavor",
            "ClusterQueue",
            "LocalQueue",
            "AdmissionCheck",
        ),
        *("Network", "GKENetworkParamSet", "ResourceFlavor", "ClusterQueue", "LocalQueue", "AdmissionCheck"),
    }
