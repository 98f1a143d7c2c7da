"""Files of others: fetched by https alone, and kept only as the blueprint says they are."""

import hashlib
import json
import urllib.error
import urllib.request
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from clusterprint.cli.vendor import vendor as command
from clusterprint.derived import vendored
from clusterprint.errors import EnvironmentFailure
from clusterprint.files import safe_write
from clusterprint.vendoring import urls as vendor

OBJECT = b"apiVersion: v1\nkind: ConfigMap\nmetadata: {name: settings}\n"
SUM = hashlib.sha256(OBJECT).hexdigest()
URL = "https://example.com/v1/settings.yaml"
BLUEPRINT = f"""\
clusterprint: v1
kind: gke
name: c
project: my-project
region: us-central1
backend: {{gcs: {{bucket: my-state}}}}
workloads:
  manifests: [{{file: ./vendor/settings.yaml, url: "{URL}", sha256: {SUM}}}]
"""


def data(**said: Any) -> dict[str, Any]:
    manifest = {"file": "./vendor/settings.yaml", "url": URL, "sha256": SUM, **said}
    return {"workloads": {"manifests": [manifest]}}


def run(folder: Path, *options: str) -> tuple[int, str]:
    done = CliRunner().invoke(command, [*options, str(folder / "blueprint.yaml")])
    return done.exit_code, done.output


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A blueprint, and a network in which its file lies."""
    (tmp_path / "blueprint.yaml").write_text(BLUEPRINT)
    monkeypatch.setattr(vendor, "download", {URL: OBJECT}.__getitem__)
    return tmp_path


def test_a_file_is_fetched_once(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert run(folder, "--check")[0] == 1
    assert run(folder)[0] == 0
    kept = (folder / "vendor" / "settings.yaml").read_bytes()
    assert kept == vendored.fetched(URL, OBJECT)
    assert vendored.objects_of(kept) == OBJECT
    monkeypatch.setattr(vendor, "download", {}.__getitem__)
    assert run(folder)[0] == 0
    assert run(folder, "--check")[0] == 0


def test_another_file_is_not_kept(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(vendor, "download", {URL: b"something else"}.__getitem__)
    code, said = run(folder)
    assert code == 1
    assert hashlib.sha256(b"something else").hexdigest() in said
    assert not (folder / "vendor").exists()


def test_an_older_version_is_replaced_and_anything_else_only_if_it_is_named(folder: Path) -> None:
    (folder / "vendor").mkdir()
    file = folder / "vendor" / "settings.yaml"
    older = vendored.fetched(URL, b"apiVersion: v1\nkind: ConfigMap\nmetadata: {name: older}\n")
    file.write_bytes(older)
    assert run(folder)[0] == 0
    assert vendored.objects_of(file.read_bytes()) == OBJECT
    for mine in (b"mine: yes\n", older + b"---\n", vendored.fetched(URL, b"a: b\n").replace(b"a", b"c"), b""):
        file.write_bytes(mine)
        code, said = run(folder)
        assert (code, file.read_bytes()) == (1, mine)
        assert f"--force {file}" in said
        assert run(folder, "--force", str(folder / "another.yaml"))[0] == 1
        assert run(folder, "--force", str(file))[0] == 0
        assert vendored.objects_of(file.read_bytes()) == OBJECT


@pytest.mark.parametrize(
    "name",
    [
        *(".git/config", ".git/hooks/x.yaml", ".GIT/x.yaml", "x/.git/config.yaml", "git~1/x.yaml", ".envrc"),
        *(
            ".g\u200cit/x.yaml",
            "\u200c.git/x.yaml",
            ".git::$DATA/x.yaml",
            ".git /x.yaml",
            "x\\y.yaml",
            ".yaml",
        ),
        *(".github/workflows/x.yml", "Makefile", "x.sh", "x.yaml.", "x.yaml ", "x.json", "a/../.git/x.yaml"),
        *("../x.yaml", "a/../../x.yaml", "linked/x.yaml", "link.yaml", "dangling.yaml", "folder.yaml"),
        "plain/x.yaml",
    ],
)
def test_only_plain_files_of_objects_are_written(folder: Path, name: str) -> None:
    (folder / "linked").symlink_to(folder.parent)
    (folder / "plain").write_text("")
    (folder / "link.yaml").symlink_to("plain")
    (folder / "dangling.yaml").symlink_to(folder / "new.yaml")
    (folder / "folder.yaml").mkdir()
    before = sorted(folder.rglob("*"))
    (folder / "blueprint.yaml").write_text(BLUEPRINT.replace("./vendor/settings.yaml", json.dumps(name)))
    assert run(folder, "--force", str(folder / name))[0] == 1
    with pytest.raises(safe_write.NotPlaced):
        safe_write.check(folder / name, folder, (".yaml", ".yml"))
    assert sorted(folder.rglob("*")) == before
    assert not (folder / "plain").read_text()


@pytest.mark.parametrize(
    "content", [b"[core]\n fsmonitor = x\n", b"all: ; x\n", b"a: b\n", b"\xff\xfe", b"- run: x"]
)
def test_only_objects_are_kept(folder: Path, content: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    (folder / "blueprint.yaml").write_text(BLUEPRINT.replace(SUM, hashlib.sha256(content).hexdigest()))
    monkeypatch.setattr(vendor, "download", {URL: content}.__getitem__)
    assert run(folder)[0] == 1
    assert not (folder / "vendor").exists()


@pytest.mark.parametrize(
    "wrong",
    [
        "nodes: 3\n",
        "region: nowhere\n",
        "kind: []\n",
        "  jobs: [{name: j, script: {file: ./missing.sh}}]\n",
        "files: [{source: ./.git, destination: /x}]\n",
    ],
)
def test_nothing_is_fetched_for_a_blueprint_with_errors(folder: Path, wrong: str) -> None:
    (folder / "blueprint.yaml").write_text(BLUEPRINT.replace("region: us-central1\n", "") + wrong)
    code, said = run(folder)
    assert code == 1
    assert "error[" in said
    assert not (folder / "vendor").exists()


def test_nothing_is_written_outside_of_the_folder(tmp_path: Path) -> None:
    (tmp_path / "inside").mkdir()
    (tmp_path / "inside" / "vendor").symlink_to(tmp_path)
    assert list(vendor.kept_by(data(), tmp_path / "inside")) == []
    assert list(vendor.kept_by(data(file="../settings.yaml"), tmp_path / "inside")) == []


@pytest.mark.parametrize(
    "said", [{"url": "http://example.com/x"}, {"url": "file:///etc/passwd"}, {"sha256": "0"}, {"url": None}]
)
def test_what_is_not_written_as_it_should_be_is_not_fetched(said: dict[str, Any], tmp_path: Path) -> None:
    assert list(vendor.kept_by(data(**said), tmp_path)) == []
    assert len(list(vendor.kept_by(data(), tmp_path))) == 1


@pytest.mark.parametrize("text", [None, [], {"workloads": []}, {"workloads": {"manifests": {}}}])
def test_anything_may_be_no_blueprint(text: Any, tmp_path: Path) -> None:
    assert list(vendor.kept_by(text, tmp_path)) == []


def test_a_server_that_is_not_there_is_told() -> None:
    with pytest.raises(EnvironmentFailure, match="cannot be fetched"):
        vendor.download("https://localhost:1/settings.yaml")


def test_nobody_is_sent_on_to_what_is_not_https() -> None:
    handler = vendor.OnlyHttps()
    request = urllib.request.Request(URL)
    with pytest.raises(urllib.error.URLError, match="not https"):
        handler.redirect_request(request, None, 302, "", {}, "http://example.com/x")
