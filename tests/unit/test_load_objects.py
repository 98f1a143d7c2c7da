"""Manifests are read as kubectl reads them, within limits."""

from typing import Any

import pytest

from clusterprint.derived.kubernetes_objects import NotReadable, read_objects

HEAD = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: settings}\n"


def spec(text: str) -> Any:
    """The `spec` of the only object."""
    (found,) = read_objects(f"{HEAD}spec: {text}\n")
    return found.content["spec"]


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("0644", 0o644),
        ("0o17", 0o17),
        ("0x1F", 31),
        ("-12", -12),
        ("08", 8.0),
        ("1e3", 1000.0),
        ("0.5", 0.5),
        ("yes", True),
        ("off", False),
        ("True", True),
        ("~", None),
        ("''", ""),
        ("'yes'", "yes"),
        ('"0644"', "0644"),
        ("!!str 12", "12"),
        ("12:30:45", "12:30:45"),
        ("2001-01-01", "2001-01-01"),
        ("1.2.3.4", "1.2.3.4"),
        ("10Gi", "10Gi"),
        ("[1, {a: b}]", [1, {"a": "b"}]),
    ],
)
def test_values_are_what_kubectl_takes_them_for(written: str, meant: Any) -> None:
    value = spec(written)
    assert value == meant
    assert type(value) is type(meant)


def test_documents_and_lists_are_taken_apart() -> None:
    found = read_objects(
        f"---\n{HEAD}---\n# nothing\n---\napiVersion: v1\nkind: List\nitems:\n"
        "- {apiVersion: apps/v1, kind: Deployment, metadata: {name: web, namespace: here}}\n"
    )
    assert [each.identity for each in found] == [
        ("", "ConfigMap", "", "settings"),
        ("apps", "Deployment", "here", "web"),
    ]


def test_anchors_and_merges_are_written_out() -> None:
    assert spec("{a: &a {x: 1, y: 2}, b: {<<: *a, y: 3}, c: *a}") == {
        "a": {"x": 1, "y": 2},
        "b": {"x": 1, "y": 3},
        "c": {"x": 1, "y": 2},
    }


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("a: b: c", "is not valid YAML: mapping values are not allowed here"),
        ("- a", "holds something that is not an object"),
        ("just text", "holds something that is not an object"),
        ("kind: A\nmetadata: {name: x}", "holds an object without apiVersion"),
        ("apiVersion: v1\nmetadata: {name: x}", "holds an object without kind"),
        ("apiVersion: v1\nkind: A\nmetadata: {generateName: x}", "holds a A without metadata.name"),
        ("apiVersion: v1\nkind: List\nitems: [1]", "holds something that is not an object"),
        (f"{HEAD}a: !!python/object:os.system {{}}", "uses the tag !!python/object:os.system"),
        (f"{HEAD}a: !!binary aGk=", "uses the tag !!binary"),
        (f"{HEAD}a: 1\na: 2", "has the key 'a' twice in one map"),
        (f"{HEAD}a: *b", "is not valid YAML: found undefined alias 'b'"),
        (f"{HEAD}a: &a [*a]", "is nested too deeply"),
        ("[" * 1000, "is nested too deeply"),
        (f'{HEAD}a: "\\x01"', "holds a control character"),
        (f"{HEAD}? [a]\n: b", "has a key that is not text"),
        ("x" * (1 << 20) + "x", "is larger than 1 MiB"),
    ],
)
def test_what_is_no_object_is_refused(text: str, message: str) -> None:
    with pytest.raises(NotReadable) as caught:
        read_objects(text)
    assert str(caught.value).startswith(message)


@pytest.mark.long
@pytest.mark.slow
def test_as_deep_and_as_many_as_values_may_be() -> None:
    # The object is a level itself.
    assert read_objects(f"{HEAD}a: {'[' * 59}1{']' * 59}")
    with pytest.raises(NotReadable, match="nested too deeply"):
        read_objects(f"{HEAD}a: {'[' * 60}1{']' * 60}")
    # So are the object, what it begins with, and the list, values.
    many = ", ".join(["1"] * 49_994)
    assert read_objects(f"{HEAD}a: [{many}]")
    with pytest.raises(NotReadable, match="more than 50,000 values"):
        read_objects(f"{HEAD}a: [{many}, 1]")


def test_an_empty_text_holds_no_objects() -> None:
    assert read_objects("# nothing\n---\n") == []
