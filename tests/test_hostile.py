"""No text of the user's is ever an expression: every field of every kind, and everything that files carry."""

import json
import re
import shlex
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from charts import of_all
from hostile import MARK, NONCE, PAYLOADS, Field, blueprints, lay, live_expressions, read, strings
from support import ROOT, Run

from clusterprint.blueprint import KINDS
from clusterprint.terraform_text import plain
from clusterprint.validate.variants import properties
from clusterprint_simcloud import World

FORMS = ("inline", "file")

# Not in Terraform JSON as they are: what an image is made from and the words that make another run, of which
# it has checksums, and the scripts of machines on Azure, which are in base64.
NOT_SHOWN: dict[str, set[Field]] = {
    "gke": {
        ("workloads", "mpi", "jobs", "[]", "run"),
        ("workloads", "jobsets", "[]", "run"),
        ("workloads", "train_jobs", "[]", "run"),
        ("workloads", "manifests", "[]", "kustomization"),
    }
    | {("image_builds", "[]", part, form) for part in ("dockerfile", "requirements") for form in FORMS}
    | {("image_builds", "[]", "context")},
    "vm": {("bootstrap", "mpi", "run", "run"), ("benchmark", "nccl", "run")}
    | {
        (*part, "image_build", *field)
        for part in (("nodes",), ("node_groups", "[]"))
        for field in (("files", "[]", "source"), *(("script", form) for form in FORMS))
    },
    "ray": {("image_build", part, form) for part in ("dockerfile", "requirements") for form in FORMS}
    | {("image_build", "context")},
    "vmss": {
        (*part, field, form)
        for part in ((), ("head_node",))
        for field in ("startup_script", "cloud_init")
        for form in FORMS
    },
}


def free_texts(kind: str) -> set[Field]:
    """The fields of a kind, keys of maps too, whose pattern lets a payload pass; `<any>` is any key."""
    schema = json.loads((ROOT / "schema" / f"{kind}.schema.json").read_text("utf-8"))
    return set(_free(schema, ()))


def _free(schema: dict[str, Any], field: Field) -> Iterator[Field]:
    assert not {"$ref", "anyOf", "oneOf"} & schema.keys(), field
    # Keys that begin with x- hold anchors: no type has them, so nothing of them reaches a plan.
    assert schema.get("patternProperties", {}).keys() <= ({"^x-"} if not field else set()), field
    for key, value in properties(schema).items():
        yield from _free(value, (*field, key))
    if isinstance(schema.get("additionalProperties"), dict):
        keys = schema.get("propertyNames", {})
        assert not _lets_pass(keys), f"the keys of {field} are free"
        yield from _free(schema["additionalProperties"], (*field, "<any>"))
    if "items" in schema:
        yield from _free(schema["items"], (*field, "[]"))
    if schema.get("type") == "string" and _lets_pass(schema):
        yield field


def _lets_pass(schema: dict[str, Any]) -> bool:
    """Whether a payload, alone or in the company of a good value, is a value too."""
    if "enum" in schema or "const" in schema:
        return False
    if "pattern" not in schema:
        return True
    good = [each for each in schema.get("examples", []) if isinstance(each, str)] or ["a"]
    tried = [
        text for p in PAYLOADS for each in good for text in (p, f"{each}{p}", f"{p}{each}", f"{each}/{p}")
    ]
    return any(re.fullmatch(schema["pattern"].removeprefix("^").removesuffix("$"), text) for text in tried)


@pytest.mark.parametrize("kind", KINDS)
def test_every_free_text_of_a_kind_is_tried(kind: str) -> None:
    free = free_texts(kind)
    tried = {
        field for blueprint in blueprints(kind) for field, text in strings(read(blueprint)) if MARK in text
    }
    named = {field for field in free if "<any>" in field}
    tried |= {each for each in named for field in tried if _matches(field, each)}
    tried |= {each for field in tried for each in of_all(field)}
    assert free - tried == set(), "put the mark there, in tests/hostile/"
    assert len(free) >= 4 or not blueprints(kind), "a kind that has free texts has some"


def _matches(field: Field, pattern: Field) -> bool:
    return len(field) == len(pattern) and all(
        there in ("<any>", here) for here, there in zip(field, pattern, strict=True)
    )


def texts_of(value: Any) -> Iterator[str]:
    """All texts of Terraform JSON, keys too."""
    if isinstance(value, dict):
        for key, each in value.items():
            yield key
            yield from texts_of(each)
    elif isinstance(value, list):
        for each in value:
            yield from texts_of(each)
    elif isinstance(value, str):
        yield value


@pytest.mark.parametrize(
    "blueprint", [each for kind in KINDS for each in blueprints(kind)], ids=lambda path: path.stem
)
def test_no_text_of_the_users_is_an_expression(blueprint: Path, clusterprint: Run, tmp_path: Path) -> None:
    hostile = lay(blueprint, tmp_path)
    done = clusterprint("synth", hostile.file, "--out", tmp_path / "out")
    assert done.returncode == 0, (done.stdout, done.stderr)
    files = sorted((tmp_path / "out" / "stacks").glob("*/cdk.tf.json"))
    found = [text for file in files for text in texts_of(json.loads(file.read_text("utf-8")))]
    for text in found:
        assert [each for each in live_expressions(text) if NONCE in each] == [], text
    arrived = "\n".join(map(plain, found))
    shown = {field for field, payload in hostile.payloads.items() if _stands_in(payload, arrived)}
    assert hostile.payloads.keys() - shown <= NOT_SHOWN.get(blueprint.stem.partition("-")[0], set())


def _stands_in(payload: str, text: str) -> bool:
    """Whether it arrived, as it is, in JSON once or twice over, in a shell word, or as the name of a file."""
    quoted = json.dumps(payload)[1:-1]
    forms = (payload, quoted, json.dumps(quoted)[1:-1], shlex.quote(payload), payload.replace("/", "-"))
    return any(form in text for form in forms)


@pytest.mark.terraform
@pytest.mark.slow
def test_terraform_evaluates_nothing_of_the_users(clusterprint: Run, tmp_path: Path) -> None:
    """Of a chart's values, which are JSON within a text: what Terraform makes of them is what was written."""
    [blueprint] = (each for each in blueprints("gke") if each.stem == "gke-inline")
    hostile = lay(blueprint, tmp_path)
    done = clusterprint("synth", hostile.file, "--out", tmp_path / "out")
    assert done.returncode == 0, done.stderr
    with World("my-terraform-state") as world:
        world.apply(tmp_path / "out" / "stacks" / "hostile-cluster")
        plan = world.plan(tmp_path / "out" / "stacks" / "hostile-workloads")
    planned = {each["address"]: each["change"]["after"] for each in plan["resource_changes"]}
    [objects] = json.loads(planned["helm_release.manifests"]["values"][0])["objects"].values()
    payload = hostile.payloads["workloads", "manifests", "[]", "inline"]
    number = "-8.109562212591379e+298"
    assert objects["data"] == {"text": payload, payload: "key", "number": float(number)}
    files = planned["kubernetes_config_map_v1.mpi-hpl_files"]["data"]
    payload = hostile.payloads["workloads", "mpi", "jobs", "[]", "files", "[]", "source"]
    assert list(files.values()) == [f"{payload}\n"]
