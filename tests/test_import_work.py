"""How much work `clusterprint import` does: no more than its files are long, whatever they say."""

from collections.abc import Callable
from functools import partial
from typing import Any

import pytest
from support import effort

from clusterprint.importing.formats import Text, translate
from clusterprint.importing.hcl import from_tfvars
from clusterprint.importing.source import Source
from clusterprint.importing.toolkit.expressions import Unresolved, Variables
from clusterprint.importing.xpk.shell import Reader

TOOLKIT = "blueprint_name: a\nvars: {project_id: my-project, region: us-central1, zone: us-central1-a}\n"
XPK = "xpk cluster create --cluster a --zone us-central2-b --project my-project --device-type v5p-8"
SKYPILOT = "name: a\nresources: {cloud: gcp, accelerators: 'A100:1', zone: us-central1-a}\n"
RAY = "cluster_name: a\nprovider: {type: gcp}\navailable_node_types:\n  t: {max_workers: 2}\n"
AZURE = "VMSS_NAME=a\nRESOURCE_GROUP=r\n"


def lines(head: str, line: str) -> Callable[[int], str]:
    """A text with so many lines; `{}` is the number of each."""
    return lambda number: f"{head}\n" + "".join(f"{line.format(each)}\n" for each in range(number))


SHAPES: dict[str, list[Callable[[int], str]]] = {
    "toolkit": [
        lines(f"{TOOLKIT}deployment_groups:\n- group: g\n  modules:", "  - {{id: m{}, source: foo/bar}}"),
        lines("blueprint_name: a\nvars:", "  v{}: x"),
        lines("blueprint_name: a\nvars:\n  v: x", "  w{}: $(vars.v)$(vars.v)"),
        lambda number: f"{TOOLKIT}x: '{'$(vars.zone)' * number}'\n",
        lambda number: f"{TOOLKIT}x: '{'$(' * number}'\n",
    ],
    "tfvars": [
        lines('project_id = "my-project"', "v{} = 1"),
        lambda number: f"v = [{'1,' * number}]\n",
        lines("v = {", "k{} = 1"),
        lambda number: f"v = {'[' * number}\n",
    ],
    "xpk": [
        lines(XPK, "echo {}"),
        lines(XPK, "if true; then echo {}; fi"),
        lines(XPK, "v{}=x"),
        lines(XPK, "for a in 1; do"),
        lambda number: XPK + "".join(f" --option-{each} 1" for each in range(number)),
        lambda number: f"{XPK} --command {'$' * number}\n",
        lambda number: f"{XPK}\nfor a in {'{,' * number}; do x; done\n",
        lambda number: f"v={'x' * 900}\n{XPK} --command {'$v' * number}\n",
    ],
    "skypilot": [lines(SKYPILOT, "key{}: x"), lines(f"{SKYPILOT}envs:", "  V{}: x")],
    "ray": [lines(RAY, "key{}: x"), lines(RAY, "  t{}: {{max_workers: 1}}")],
    "azure-scripts": [
        lines(AZURE, "V{}=x"),
        lines(f"{AZURE}TAGS=(", "a{}=b"),
        lines(AZURE, "not a variable"),
    ],
    "env-file": [
        lines("ACTION=create", "V{}=x"),
        lines("ACTION=create", "V=x"),
        lambda number: "METADATA={" + ",".join(f'a{each}="b"' for each in range(number)) + "}\n",
    ],
    "mpi-tfvars": [lines("num_workers = 2", "v{} = 1")],
}


@pytest.mark.parametrize(
    ("name", "shape"), [(name, shape) for name, shapes in SHAPES.items() for shape in shapes]
)
def test_a_file_twice_as_long_takes_twice_the_work(name: str, shape: Callable[[int], str]) -> None:
    def read(number: int) -> None:
        translate([Text("input", shape(number))], name, {})

    read(1)
    assert effort(partial(read, 400)) < 2.5 * effort(partial(read, 200))


# What each call reads anew is not counted as calls: these end in seconds, or in minutes without their tables.
@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("tfvars", "".join(f"v{each} = 1\n" for each in range(50_000))),
        ("azure-scripts", AZURE + "TAGS=(\n" + "a=b\n" * 100_000 + ")\n"),
        ("xpk", f"{XPK} --command {'$' * 200_000}\n"),
        ("xpk", f"{XPK}\nfor a in {'{,' * 3000}; do x; done\n"),
        ("xpk", f"{XPK}{' --x 1' * 20_000}\n"),
    ],
    ids=["variables", "list", "dollars", "braces", "options"],
)
def test_the_longest_file_ends(name: str, text: str) -> None:
    translate([Text("input", text)], name, {})


# ---- references and loops multiply: what they become is bounded


def doubling(first: Any, again: Callable[[str], Any]) -> Variables:
    """18 variables, each of which names the one before eight times."""
    return Variables({"v0": first, **{f"v{each}": again(f"$(vars.v{each - 1})") for each in range(1, 18)}})


def test_a_variable_is_worked_out_once() -> None:
    variables = doubling("", lambda reference: reference * 8)
    assert effort(lambda: variables.resolve("$(vars.v17)")) < 20_000
    assert variables.resolve("$(vars.v17)") == ""


@pytest.mark.parametrize("again", [lambda each: each * 8, lambda each: [each] * 8], ids=["text", "list"])
def test_what_grows_with_each_reference_is_refused_by_name(again: Callable[[str], Any]) -> None:
    variables = doubling("x" * 10_000, again)
    with pytest.raises(Unresolved, match=r"vars\.v2 becomes more than 100,000 letters and items") as refused:
        variables.resolve("$(vars.v8)")
    assert refused.value.help == "write its result"
    assert len(str(variables.resolve("$(vars.v1)"))) >= 80_000
    with pytest.raises(Unresolved, match="references of this file become more than 2,000,000 "):
        variables.resolve(["$(vars.v1)"] * 30)


def test_what_a_variable_becomes_is_a_copy_for_each_that_names_it() -> None:
    variables = Variables({"a": ["x"], "b": ["$(vars.a)", "$(vars.a)"]})
    first = variables.resolve("$(vars.b)")
    first[0].append("y")
    assert (first, variables.resolve("$(vars.b)")) == ([["x", "y"], ["x"]], [["x"], ["x"]])


@pytest.mark.parametrize(
    ("value", "way_out"),
    [
        ("$(vars.none)", "give it with --var none=..., or in a deployment file"),
        ("$(vars.through)", "give it with --var none=..., or in a deployment file"),
        ("$(vars.none)-$(net.id)", "write its result"),
        ("$(vars.loop)", "write its result"),
    ],
)
def test_what_is_not_resolved_says_what_to_do(value: str, way_out: str) -> None:
    variables = Variables({"none": None, "through": "x-$(vars.none)", "loop": "$(vars.loop)"})
    with pytest.raises(Unresolved) as unresolved:
        variables.resolve(value)
    assert unresolved.value.help == way_out


@pytest.mark.parametrize(
    "body",
    [
        "".join(f"v{each}=1\n" for each in range(2000)),
        "if true; then x; fi\n" * 200,
        "for b in 1 2 3 4 5 6 7 8; do\n" * 18 + "done\n" * 18,
        f"for b in {'x ' * 20_000}; do a=1; done\n",
        "v=$v$v$v$v\n" * 20,
        'v=1234; w="$v"' + '"$v"' * 3000 + "\n",
    ],
    ids=["assignments", "conditions", "loops", "words", "growth", "pieces"],
)
def test_what_loops_repeat_is_bounded(body: str) -> None:
    script = f"for a in {' '.join(map(str, range(1000)))}; do\n{body}done\n"

    def read() -> None:
        assert len([*Reader("script", script).statements()]) <= 2000

    assert effort(read) < 8_000_000


def test_a_place_is_found_in_a_table_of_lines() -> None:
    source, findings = from_tfvars("x", 'a = 1\n\n# b\nb = {\n  c = "x"\n}\nd\n')
    assert isinstance(source, Source)
    assert [source.at(each).line for each in (("a",), ("b",), ("b", "c"))] == [1, 4, 5]
    assert [each.line for each in findings] == [7]
