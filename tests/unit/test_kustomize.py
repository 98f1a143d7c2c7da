"""Kustomizations: rendered from files beside the blueprint only, and kept with what they were made of."""

import ctypes
import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from types import SimpleNamespace
from typing import Any

import pytest
from click.testing import CliRunner
from nodes.conftest import need

from clusterprint.cli.vendor import vendor as command
from clusterprint.derived import kustomizations
from clusterprint.derived.kustomizations import NotTaken
from clusterprint.errors import EnvironmentFailure
from clusterprint.vendoring import kustomize

FILES = {
    "blueprint.yaml": """\
clusterprint: v1
kind: gke
name: c
project: my-project
region: us-central1
backend: {gcs: {bucket: my-state}}
workloads:
  manifests: [{file: ./k8s/prod/rendered.yaml, kustomization: ./k8s/prod}]
""",
    "k8s/prod/kustomization.yaml": "resources: [../base]\nnamePrefix: prod-\n",
    "k8s/base/kustomization.yaml": "resources: [settings.yaml]\n",
    "k8s/base/settings.yaml": "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: settings}\n",
}
# Of linux/sched.h: users, and networks, of one's own.
_USER, _NET = 0x10000000, 0x40000000
_LEAVING = (["unshare", "-rn", "true"], ["unshare", "-n", "true"])


@pytest.fixture
def kubectl() -> None:
    need("kubectl")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name, text in FILES.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    return tmp_path


def run(folder: Path, *options: str) -> tuple[int, str]:
    done = CliRunner().invoke(command, [*options, str(folder / "blueprint.yaml")])
    return done.exit_code, done.output


def say(folder: Path, text: str, name: str = "k8s/prod/kustomization.yaml") -> None:
    (folder / name).write_text(text)


@pytest.mark.process
@pytest.mark.usefixtures("kubectl")
def test_a_kustomization_is_rendered_once_and_again_when_a_base_changes(folder: Path) -> None:
    kept = folder / "k8s" / "prod" / "rendered.yaml"
    assert run(folder, "--check")[0] == 1
    assert not kept.exists()
    assert run(folder)[0] == 0
    assert "name: prod-settings" in kept.read_text()
    assert run(folder, "--check")[0] == 0
    before = kept.read_bytes()
    assert "rendered" not in run(folder)[1]
    say(folder, FILES["k8s/base/settings.yaml"] + "data: {level: two}\n", "k8s/base/settings.yaml")
    assert run(folder, "--check")[0] == 1
    assert run(folder)[0] == 0
    assert kept.read_bytes() != before


@pytest.mark.process
@pytest.mark.usefixtures("kubectl")
def test_what_was_changed_by_hand_is_rendered_again_if_it_is_named(folder: Path) -> None:
    run(folder)
    kept = folder / "k8s" / "prod" / "rendered.yaml"
    whole = kept.read_bytes()
    kept.write_bytes(whole.replace(b"prod-", b"test-"))
    assert run(folder, "--check")[0] == 1
    assert run(folder)[0] == 1
    assert kept.read_bytes() != whole
    assert run(folder, "--force", str(kept))[0] == 0
    assert kept.read_bytes() == whole


@pytest.mark.process
@pytest.mark.usefixtures("kubectl")
def test_kubectl_says_what_it_does_not_render(folder: Path) -> None:
    say(folder, "resources: [../base, ../base/settings.yaml]\n")
    code, said = run(folder)
    assert code == 1
    assert "is not rendered by kubectl" in said
    assert not (folder / "k8s" / "prod" / "rendered.yaml").exists()


@pytest.mark.process
@pytest.mark.usefixtures("kubectl")
def test_nothing_is_there_but_the_files_that_were_looked_at(folder: Path) -> None:
    """Only files below folders that the kustomization names are copied."""
    say(folder, "secret\n", "k8s/secret.txt")
    say(folder, "resources: [../base]\nconfigMapGenerator: [{name: c, files: [../secret.txt]}]\n")
    assert run(folder)[0] == 1


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("resources: ['https://example.com/x.yaml']", "loaded from elsewhere"),
        ("resources: ['git@example.com:x/y']", "loaded from elsewhere"),
        ("resources: [/etc]", "loaded from elsewhere"),
        ("patches: [{path: 'http://127.0.0.1/x'}]", "loaded from elsewhere"),
        ("configMapGenerator: [{name: c, files: ['key=https://example.com/x']}]", "loaded from elsewhere"),
        ("resources: [github.com/example/repository?ref=v1]", "loaded from elsewhere"),
        ("resources: [example.com/repository?ref=v1]", "does not exist"),
        ("resources: [../../../outside]", "leads out"),
        ("components: [../missing]", "does not exist"),
        *((f"{key}: [x.yaml]", key) for key in ("generators", "transformers", "validators", "helmCharts")),
        ("resources: 5", "does not exist"),
        ("resources: {a: b}", "does not exist"),
        ("[]", "is not a kustomization"),
        ("resources: [", "cannot be read"),
    ],
)
def test_what_is_not_beside_the_blueprint_or_runs_is_not_taken(folder: Path, text: str, message: str) -> None:
    say(folder, text)
    with pytest.raises(NotTaken, match=message):
        kustomizations.inputs_of("./k8s/prod", folder, "./rendered.yaml")


#: A place of each kind in which a kustomization can name something, with {} for an address.
ADDRESSED = {
    **dict.fromkeys(("resources", "bases", "components", "crds", "configurations"), "[{}]"),
    **dict.fromkeys(("patchesStrategicMerge", "generators", "transformers", "validators"), "[{}]"),
    "patches": "[{{path: {}}}]",
    "patchesJson6902": "[{{path: {}, target: {{kind: x, name: y}}}}]",
    "replacements": "[{{path: {}}}]",
    "openapi": "{{path: {}}}",
    "configMapGenerator": "[{{name: c, files: [key={}]}}]",
    "secretGenerator": "[{{name: c, envs: [{}]}}]",
    "helmCharts": "[{{name: c, repo: {}}}]",
    "helmChartInflationGenerator": "[{{chartName: c, chartRepoUrl: {}}}]",
    "helmGlobals": "{{chartHome: {}}}",
    "commonAnnotations": "{{docs: {}}}",
    "labels": "[{{pairs: {{{}: x}}}}]",
    "patches_inline": "",
}
SPELLED: tuple[Callable[[str], str], ...] = (
    str,
    str.upper,
    str.lower,
    lambda key: key[0].upper() + key[1:],
    lambda key: key.replace("s", "\u017f").replace("k", "\u212a"),
)


@pytest.fixture
def reached() -> Iterator[tuple[int, list[str]]]:
    """The port of a service of this machine, and who asked it for what."""
    asked: list[str] = []

    class Answer(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            asked.append(self.path)
            self.send_response(200)
            self.end_headers()
            self.wfile.write(FILES["k8s/base/settings.yaml"].encode())

    with ThreadingHTTPServer(("127.0.0.1", 0), Answer) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        yield server.server_port, asked
        server.shutdown()


@pytest.mark.parametrize("key", ADDRESSED)
@pytest.mark.parametrize("place", ["k8s/prod", "k8s/base"])
def test_no_address_is_taken_in_any_key_in_any_case(
    folder: Path, key: str, place: str, reached: tuple[int, list[str]]
) -> None:
    """The keys of kustomize are Go's, which ignores case."""
    port, asked = reached
    name = f"{place}/kustomization.yaml"
    before = "" if key == "resources" else FILES[name]
    here = f"127.0.0.1:{port}/x.yaml"
    for address in (f"http://{here}", f"HTTP://{here}", f"https://{here}", "ssh://git@localhost/x", "git::x"):
        value = ADDRESSED[key].format(json.dumps(address))
        for spell in SPELLED:
            text = f"{before}{json.dumps(spell(key))}: {value}\n"
            if key == "patches_inline":
                inline = json.dumps(f"a: b\nc: {address}")
                text = f"{before}{spell('patches')}: [{{patch: {inline}}}]\n"
            say(folder, text, name)
            code, said = run(folder)
            assert code == 1, text
            assert "nothing" in said, text
    assert not asked


@pytest.mark.parametrize("refused", [(), (_USER | _NET,), (_USER | _NET, _NET)], ids=["none", "users", "all"])
def test_what_runs_kubectl_asks_to_leave_networks(
    refused: tuple[int, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    """With users of its own, which needs no rights; else without; where neither is allowed, it goes on."""
    asked: list[int] = []

    def unshare(flags: int) -> int:
        asked.append(flags)
        return -1 if flags in refused else 0

    monkeypatch.setattr(ctypes, "CDLL", lambda _: SimpleNamespace(unshare=unshare))
    kustomize._leave_networks()  # noqa: SLF001
    assert asked == [_USER | _NET, _NET][: 1 + bool(refused)]


def test_a_system_without_namespaces_is_asked_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ctypes, "CDLL", lambda _: SimpleNamespace())
    kustomize._leave_networks()  # noqa: SLF001


@pytest.mark.process
@pytest.mark.usefixtures("kubectl")
def test_kubectl_has_no_network(
    folder: Path, reached: tuple[int, list[str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Should an address get past what looks for it, nobody answers: not even on this machine."""
    port, asked = reached
    if all(subprocess.run(words, capture_output=True, check=False).returncode for words in _LEAVING):
        message = "this system lets nobody leave its networks"
        pytest.fail(message) if os.environ.get("CI") and sys.platform == "linux" else pytest.skip(message)
    monkeypatch.setattr(kustomizations, "_insist_on_local", lambda *_: None)
    say(folder, f"Resources: ['http://127.0.0.1:{port}/x.yaml']\n")
    monkeypatch.setattr(kustomizations, "_OTHERS", frozenset())
    assert "is not rendered by kubectl" in run(folder)[1]
    assert not asked


@pytest.mark.parametrize("key", ["plugins", "Generator", "resource", "inventory", "resources2"])
def test_keys_that_are_not_known_are_not_taken(folder: Path, key: str) -> None:
    say(folder, f"{key}: [x.yaml]\n")
    with pytest.raises(NotTaken, match="no such key"):
        kustomizations.inputs_of("./k8s/prod", folder, "./rendered.yaml")


@pytest.mark.process
@pytest.mark.usefixtures("kubectl")
def test_keys_in_another_case_mean_the_same(folder: Path) -> None:
    say(folder, "Resources: [../base]\nNAMEPREFIX: prod-\nimages: [{name: nginx, digest: 'sha256:0'}]\n")
    assert run(folder)[0] == 0
    assert "name: prod-settings" in (folder / "k8s" / "prod" / "rendered.yaml").read_text()


def test_links_are_not_followed(folder: Path) -> None:
    (folder / "k8s" / "base" / "link.yaml").symlink_to("settings.yaml")
    with pytest.raises(NotTaken, match="is a link"):
        kustomizations.inputs_of("./k8s/prod", folder, "./rendered.yaml")


def test_neither_too_many_files_nor_too_large_ones(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kustomizations, "_MOST_FILES", 2)
    with pytest.raises(NotTaken, match="more than 2 files"):
        kustomizations.inputs_of("./k8s/prod", folder, "./rendered.yaml")
    monkeypatch.undo()
    monkeypatch.setattr(kustomizations, "_MOST_BYTES", 60)
    with pytest.raises(NotTaken, match=r"MiB of files|cannot be read"):
        kustomizations.inputs_of("./k8s/prod", folder, "./rendered.yaml")


def test_bases_that_lead_in_circles_are_read_once(folder: Path) -> None:
    say(folder, "resources: [../prod, settings.yaml]\n", "k8s/base/kustomization.yaml")
    assert len(kustomizations.inputs_of("./k8s/prod", folder, "./rendered.yaml").files) == 3


def test_a_folder_has_one_kustomization(folder: Path) -> None:
    say(folder, "resources: []\n", "k8s/base/Kustomization")
    with pytest.raises(NotTaken, match="has several"):
        kustomizations.inputs_of("./k8s/prod", folder, "./rendered.yaml")


def test_without_kubectl_it_is_said(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "")
    [kept] = kustomize.rendered_by(
        {"workloads": {"manifests": [{"file": "./r.yaml", "kustomization": "./k8s/prod"}]}}, folder
    )
    with pytest.raises(EnvironmentFailure, match="kubectl is not installed"):
        kept.keep()


@pytest.mark.parametrize(
    "manifest",
    [
        {"file": "../r.yaml", "kustomization": "./k8s/prod"},
        {"file": "./r.yaml", "kustomization": "../prod"},
        {"kustomization": "./k8s/prod"},
        {"file": "./r.yaml"},
        "x",
    ],
)
def test_what_is_not_written_as_it_should_be_is_not_rendered(folder: Path, manifest: Any) -> None:
    assert list(kustomize.rendered_by({"workloads": {"manifests": [manifest]}}, folder)) == []
