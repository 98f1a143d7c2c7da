"""Rules are asked about the kinds that have what they are about, and about no others."""

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Annotated, Literal

import pytest
from msgspec import Meta
from support import BLUEPRINTS, ROOT

from clusterprint import blueprint, rules, validate
from clusterprint.blueprint.google import GoogleBlueprint
from clusterprint.blueprint.storage import KubernetesStorage
from clusterprint.load import load_text
from clusterprint.rules import folders, index, rules_for
from clusterprint.validate.codes import RULE_CRASHED
from clusterprint.validate.schema import SchemaResult


class ArchiveBlueprint(GoogleBlueprint, frozen=True, kw_only=True):
    """A kind on Google Cloud as somebody might add it: without machines and without a network."""

    kind: Annotated[Literal["archive"], Meta(description="Kind of cluster.", examples=["archive"])]
    storage: Annotated[KubernetesStorage, Meta(description="Data.")] = KubernetesStorage()


ARCHIVE = """\
clusterprint: v1
kind: archive
name: attic
project: my-project
region: us-central1
backend: {gcs: {bucket: my-terraform-state}}
storage: {volumes: [{name: data, kind: bucket, bucket: attic-data}]}
"""


@pytest.fixture
def archive(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """The kind, registered where CONTRIBUTING says."""
    module = ModuleType("archive_kind")
    monkeypatch.setattr(module, "ArchiveBlueprint", ArchiveBlueprint, raising=False)
    monkeypatch.setitem(sys.modules, module.__name__, module)
    monkeypatch.setitem(blueprint.KINDS, "archive", f"{module.__name__}:ArchiveBlueprint")
    monkeypatch.setattr(validate, "check_schema", lambda *_: SchemaResult([], {}))
    folders.cache_clear()
    yield
    folders.cache_clear()


def found(text: str) -> list[str]:
    document = load_text(text.encode(), "attic.yaml", Path()).document
    assert document is not None
    return [f"{each.code} {each.message}" for each in validate.validate(document).diagnostics]


@pytest.mark.usefixtures("archive")
def test_a_google_kind_without_a_network_is_checked_for_the_rest() -> None:
    assert found(ARCHIVE) == []
    wrong = found(ARCHIVE.replace("bucket: attic-data", "bucket: my-terraform-state"))
    assert [each.partition(" ")[0] for each in wrong] == ["GCP063"]
    assert not any(each.startswith(RULE_CRASHED.code) for each in wrong)


@pytest.mark.parametrize("kind", blueprint.KINDS)
def test_each_rule_of_a_kind_can_look_at_its_blueprint(kind: str) -> None:
    needs = {each.blueprint for each in rules_for(kind)}
    assert all(issubclass(blueprint.blueprint_type(kind), each) for each in needs)


def test_no_rule_is_lost_to_its_types() -> None:
    asked = {each.topic.code for kind in blueprint.KINDS for each in rules_for(kind)}
    fleet = {each.topic.code for each in rules.fleet_rules()}
    assert asked | fleet == {each.topic.code for each in rules.all_rules()}


def test_a_run_imports_only_rules_about_what_the_blueprint_has(tmp_path: Path) -> None:
    program = (
        "import sys; from clusterprint.cli import main, process_end; process_end.leave = sys.exit\n"
        "sys.argv[1:] = ['validate', sys.argv[1]]\n"
        "try: main()\n"
        "finally: print(*sys.modules)"
    )
    done = subprocess.run(
        [sys.executable, "-c", program, BLUEPRINTS / "gke-smallest.yaml"],
        cwd=tmp_path, capture_output=True, text=True, check=True,
    )  # fmt: skip
    loaded = {each.rpartition(".")[2] for each in done.stdout.split()}
    assert "jsonschema" not in loaded
    assert "versions" in loaded
    written = {file.stem for file in (ROOT / "clusterprint" / "rules").rglob("*.py")}
    unneeded = {"mpi_launchers", "beyond_key", "provisioner_images"}
    assert unneeded <= written
    assert not loaded & unneeded, "no pool has the fields that they are about"
    others = {"cluster_twice", "image_builds"}
    assert others <= written
    assert not loaded & others, "there is one blueprint, and of another kind"
    assert not loaded & {"tomllib", "tempfile"}, "they are for what is wrong"


def test_a_file_that_the_index_does_not_have_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """While a file of rules is being written, nothing has to be made again for them to run."""
    all_of_them = index.entries("google")
    monkeypatch.setattr(
        index, "_index", lambda: {"google": [each for each in all_of_them if each.module != "google.places"]}
    )
    index.entries.cache_clear()
    try:
        assert [each.code for each in index.entries("google")] == [each.code for each in all_of_them]
    finally:
        index.entries.cache_clear()
