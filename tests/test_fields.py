"""A field does what it says: whatever a blueprint may write changes what is built.

Each field of each kind is changed in the blueprints that we have, one at a time, until the plan differs.
"""

import copy
import json
import re
from collections.abc import Iterator
from functools import cache
from importlib import import_module
from itertools import islice, permutations
from pathlib import Path
from pkgutil import walk_packages
from typing import Any, NamedTuple, get_args, get_type_hints

import msgspec
import pytest
from charts import of_all
from msgspec import UNSET
from support import ROOT, cases

import clusterprint.plan
from clusterprint.blueprint import KINDS, blueprint_type
from clusterprint.blueprint.broken import Broken, Unknowable
from clusterprint.blueprint.part import Part
from clusterprint.load import load
from clusterprint.plan.argument import named
from clusterprint.plan.part import PlanPart
from clusterprint.resolve import resolve
from clusterprint.validate.convert import _bare, convert
from clusterprint.validate.schemas import ALL, whole_schema
from clusterprint.validate.variants import properties

#: Fields that change nothing of what is built, and why they are there.
WITHOUT_EFFECT = {
    **{f"{kind}.clusterprint": "the version of the language: there is one" for kind in KINDS},
    **{f"{kind}.kind": "says which fields there are" for kind in KINDS},
    **{f"{kind}.budget.per_month": "what reviews compare the cost with" for kind in KINDS},
    "vm.wait.until": "says what is waited for: there is one thing yet",
    "vm.network.allow_public_cidr": "allows what GCP082 refuses otherwise",
    "vmss.storage.may_lose": "the second of two places that have to say the same (AZ092)",
    "gke.workloads.manifests.kustomization": "what `clusterprint vendor` renders a file from",
    "gke.workloads.manifests.url": "where `clusterprint vendor` fetches a file from",
    "gke.workloads.manifests.sha256": "what the file is compared with (GKE361)",
    **{f"{kind}.node_pools.host_maintenance": "refused (GCP162)" for kind in ("gke", "ray")},
    **{f"vm.{nodes}.update.wait": "refused (VM251)" for nodes in ("nodes", "node_groups")},
    **{
        f"vm.{nodes}.update.batch": "of a strategy, which groups of the examples lack (test_rolls.py)"
        for nodes in ("nodes", "node_groups")
    },
    **{
        f"ray.image_build.{name}": "about the build: what stands is the same (tests/unit/test_image_*.py)"
        for name in ("cache", "sbom")
    },
    **{
        f"gke.image_builds.{name}": "about the build: its lock file names the image (test_image_command.py)"
        for name in (
            *("base", "context", "timeout", "cache", "sbom"),
            *(f"{part}.{form}" for part in ("dockerfile", "requirements") for form in ("file", "inline")),
        )
    },
    **{
        f"{kind}.storage.may_lose": "the second of two places that have to say the same (GCP109)"
        for kind in ("vm", "gke", "ray")
    },
}

#: Fields that no golden can have, and why.
IN_NO_GOLDEN = {
    "vm.node_groups.startup_script.file": "only one of file and inline; the cluster's own is a file in some",
    **{name: why for name, why in WITHOUT_EFFECT.items() if name.startswith("vmss.storage.volumes.")},
    "gke.workloads.inference.values.file": "only one of file and inline; other charts have it in a file",
    **{
        f"gke.workloads.ml_diagnostics.{chart}": "only one of file and inline; the other chart has the other"
        for chart in ("webhook.values.inline", "operator.values.file")
    },
    **{
        f"gke.workloads.slurm.{chart}": "only one of file and inline; the other charts have the other"
        for chart in ("cluster.values.inline", "definitions.values.file", "operator.values.file")
    },
    **{
        name: why
        for name, why in WITHOUT_EFFECT.items()
        if name.endswith((".host_maintenance", ".update.wait"))
    },
    "ray.ray.operator_chart.values.file": "only one of file and inline; charts of kind gke have it in a file",
    "ray.image_build.dockerfile.file": "only one of file and inline; an image is built in few goldens",
}

# What no blueprint of ours has, by kind.
MORE = {
    "vm": {
        "node_groups": [
            {
                "name": "pinned",
                "machine_type": "n2-standard-8",
                "image": {"project": "my-images", "name": "worker-v2"},
            }
        ]
    },
    "gke": {
        "node_pools": [
            {
                "name": "t4",
                "machine_type": "n1-standard-8",
                "guest_accelerator": {"type": "nvidia-tesla-t4", "count": 1},
            }
        ]
    },
}

SCHEMA = json.loads(whole_schema(ALL))


class Field(NamedTuple):
    """A field of a kind: its path, with nothing for positions in lists, and the lists on the way."""

    kind: str
    path: tuple[str, ...]
    lists: frozenset[tuple[str, ...]]

    def __str__(self) -> str:
        return ".".join((self.kind, *self.path))


class Example(NamedTuple):
    """A blueprint that is built, as data."""

    data: dict[str, Any]
    folder: Path


def fields(
    kind: str,
    part: type[Part],
    path: tuple[str, ...] = (),
    lists: frozenset[tuple[str, ...]] = frozenset(),
) -> Iterator[Field]:
    """All fields below a part."""
    for field in msgspec.structs.fields(part):
        here = (*path, field.name)
        bare, many = _bare(field.type)
        # Some parts are written as the one text that matters in them.
        whole = shape(Field(kind, here, lists)).get("type") != "string"
        if isinstance(bare, type) and issubclass(bare, Part) and whole:
            yield from fields(kind, bare, here, lists | {here} if many else lists)
        else:
            yield Field(kind, here, lists)


def planned(kind: str, data: dict[str, Any], folder: Path) -> Any:
    """The plan; None of what lacks something, and a text of what is looked at and cannot be built."""
    blueprint, _ = convert(blueprint_type(kind), data, {})
    try:
        return [msgspec.to_builtins(each) for each in resolve(blueprint, folder)]
    except Exception as error:  # noqa: BLE001 - a value that makes no sense
        missing = isinstance(error, Unknowable) or Broken.__name__ in str(error)
        return None if missing else repr(error)


@cache
def examples(kind: str) -> tuple[Example, ...]:
    """The blueprints of a kind that are built in other tests."""
    found = []
    for case in cases():
        document = load(case, case.name).document
        assert document is not None
        own = document.data["kind"]
        for data in (document.data, document.data | MORE.get(own, {})):
            if own == kind:
                found.append(Example(data, case.parent))
            elif (own, kind) == ("gke", "ray") and data.get("node_pools"):
                # A Ray cluster is a GKE cluster that Ray runs in.
                worker = {"name": "w", "pool": data["node_pools"][0]["name"], "max": 1}
                found.append(Example(data | {"kind": "ray", "ray": {"workers": [worker]}}, case.parent))
    return tuple(found)


def owners(data: Any, field: Field, depth: int = 0) -> Iterator[dict[str, Any]]:
    """The maps that have, or could have, a field; those on the way that are left out are made."""
    if isinstance(data, list):
        for each in data:
            yield from owners(each, field, depth)
    elif isinstance(data, str):
        return  # a part in one word has nothing else
    elif depth == len(field.path) - 1:
        yield data
    else:
        missing: Any = [] if field.path[: depth + 1] in field.lists else {}
        yield from owners(data.setdefault(field.path[depth], missing), field, depth + 1)


@cache
def shape(field: Field) -> dict[str, Any]:
    """The schema of a field."""
    node = SCHEMA["definitions"][field.kind]
    for name in field.path:
        node = properties(node.get("items", node))[name]
    return dict(node)


def others(value: Any, field: Field, folder: Path) -> Iterator[Any]:
    """Values that a field could have in place of this one."""
    about = shape(field)
    yield from (each for each in (*about.get("enum", []), *about.get("examples", [])) if each != value)
    if field.path[-1] == "file":
        yield from (file.relative_to(folder).as_posix() for file in islice(folder.rglob("*.*"), 40))
    match about.get("type"):
        case "boolean":
            yield from (True, False)
        case "integer":
            yield (value if isinstance(value, int) else about.get("default", 0)) + 1
        case "array":
            yield from (value[:1], value[::-1]) if isinstance(value, list) else (["text"],)
        case "object":
            yield {"key": "value"}
        case "string":
            yield f"{value}x" if isinstance(value, str) else "text"


def variants(field: Field, example: Example) -> Iterator[list[dict[str, Any]]]:
    """For each place of the field, the example without it, as it is, and with other values there."""
    name = field.path[-1]
    for number in range(len(list(owners(copy.deepcopy(example.data), field)))):
        value = nth(copy.deepcopy(example.data), field, number).get(name, UNSET)
        found = []
        for other in (UNSET, value, *others(value, field, example.folder)):
            data = copy.deepcopy(example.data)
            owner = nth(data, field, number)
            # Of a text in place and one in a file there is one.
            for each in {"file", "inline"} if name in ("file", "inline") else {name}:
                owner.pop(each, None)
            if other is not UNSET:
                owner[name] = other
            found.append(data)
        yield found


def nth(data: dict[str, Any], field: Field, number: int) -> dict[str, Any]:
    """The map of that number that has, or could have, the field."""
    return next(islice(owners(data, field), number, None))


def has_effect(field: Field) -> bool:
    """Whether two values of the field, in one place of one example, make different plans."""
    for example in examples(field.kind):
        for alike in variants(field, example):
            first = None
            for data in alike:
                plan = planned(field.kind, data, example.folder)
                if first is not None and plan is not None and plan != first:
                    return True
                first = plan if first is None else first
    return False


def _is_later(field: Field) -> bool:
    """Whether it is about another capacity, which counts once a capacity lock says so (test_wishes.py)."""
    return bool({"fallbacks", "patience", "machine_types", "sizes"} & {*field.path})


@pytest.mark.slow
@pytest.mark.parametrize(
    "kind",
    # Most of what a Ray cluster has is from gke.
    [pytest.param(kind, marks=pytest.mark.long if kind == "ray" else ()) for kind in sorted(KINDS)],
)
def test_every_field_has_an_effect_or_a_reason(kind: str) -> None:
    fields_of_kind = [each for each in fields(kind, blueprint_type(kind)) if not _is_later(each)]
    idle = {str(each) for each in fields_of_kind if not has_effect(each)}
    assert idle == {each for each in WITHOUT_EFFECT if each.startswith(f"{kind}.")}


def test_every_decision_reaches_a_stack() -> None:
    """Fields of plans are read where stacks, files or commands are made."""
    text = "".join(
        file.read_text("utf-8")
        for folder in ("stacks", "clusterprint")
        for file in (ROOT / folder).rglob("*.py")
        if not {"plan", "rules"} & {*file.relative_to(ROOT).parts}
    )
    read = set(re.findall(r"\.(\w+)\b", text))
    for module in walk_packages(clusterprint.plan.__path__, "clusterprint.plan."):
        import_module(module.name)
    plans = [PlanPart]
    for each in plans:
        plans += (found for found in each.__subclasses__() if found.__module__.startswith("clusterprint."))
    assert len(plans) > 50
    set_as_named = {each for plan in plans if plan.__name__ in set(told()) for each in arguments_in(plan)}
    unread = {(plan.__name__, name) for plan in plans for name in plan.__struct_fields__ if name not in read}
    assert unread - set_as_named == set()


def told() -> Iterator[str]:
    """The plans of constructs that set the arguments which fields name."""
    for file in (ROOT / "stacks").rglob("*.py"):
        text = file.read_text("utf-8")
        if "set_arguments(" in text:
            yield from re.findall(r"def __init__\([^)]*\bplan: (\w+)", text)
            yield from re.findall(r"set_arguments\(.*, (\w+)\(\)\)", text)


def arguments_in(plan: type[PlanPart]) -> Iterator[tuple[str, str]]:
    """The fields of a plan, its bases, and parts in it, that name their argument or have some that do."""
    bases = [each for each in plan.__mro__ if each is not PlanPart and issubclass(each, PlanPart)]
    yield from ((base.__name__, name) for base in bases for name, _ in named(base))
    for name, hint in get_type_hints(plan).items():
        for each in (hint, *get_args(hint)):
            if isinstance(each, type) and issubclass(each, PlanPart):
                found = [*arguments_in(each)]
                yield from ((plan.__name__, name), *found) if found else ()


def written(data: Any, path: tuple[str, ...]) -> bool:
    """Whether a blueprint writes a field, in some item of each list on the way."""
    if not path:
        return True
    if isinstance(data, list):
        return any(written(each, path) for each in data)
    return isinstance(data, dict) and path[0] in data and written(data[path[0]], path[1:])


def alike(path: tuple[str, ...], word: str, other: str) -> tuple[str, ...]:
    """The same path below another first key."""
    return (other, *path[1:]) if path[:1] == (word,) else path


def blueprints() -> dict[str, list[dict[str, Any]]]:
    """The goldens, which are compared and run through Terraform, by kind."""
    found: dict[str, list[dict[str, Any]]] = {kind: [] for kind in KINDS}
    for case in cases():
        document = load(case, case.name).document
        assert document is not None
        found[document.data["kind"]].append(document.data)
    return found


def test_every_field_is_written_in_some_golden() -> None:
    ours = blueprints()
    of_gke = {field.path for field in fields("gke", blueprint_type("gke"))}
    missing = []
    for kind in KINDS:
        for field in fields(kind, blueprint_type(kind)):
            # What a Ray cluster has from gke is built by the same code.
            examples_of = ours[kind] + (ours["gke"] if kind == "ray" and field.path in of_gke else [])
            # So is a group of nodes: `nodes` is one without a name.
            paths = {
                *of_all(field.path),
                *(alike(field.path, *words) for words in permutations(("nodes", "node_groups"))),
            }
            # A fallback is built as the capacity in whose place it is.
            paths |= {tuple(each for each in path if each != "fallbacks") for path in paths}
            if not any(written(data, path) for data in examples_of for path in paths):
                missing.append(str(field))
    assert sorted(missing) == sorted(IN_NO_GOLDEN)
