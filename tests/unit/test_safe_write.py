"""Who writes files, and what is looked at first where somebody else says what they are called."""

import ast
from collections.abc import Callable
from contextlib import nullcontext
from pathlib import Path
from typing import Any

import pytest

import clusterprint
from clusterprint import synth
from clusterprint.cli import new_file
from clusterprint.errors import ClusterprintError
from clusterprint.files import safe_write
from clusterprint.gitops import fill
from clusterprint.image import lock
from clusterprint.results import HEADING

_PACKAGE = Path(clusterprint.__file__).parent
_CALLS = frozenset(
    (
        *("write_text", "write_bytes", "mkdir", "makedirs", "touch", "symlink_to", "hardlink_to", "rename"),
        *("copy2", "copyfile", "copytree", "copyfileobj", "rmtree", "mkstemp", "NamedTemporaryFile"),
    )
)
_MODES = frozenset(("w", "x", "a", "wb", "xb", "ab", "w+", "O_CREAT"))

_CHECKED = "a blueprint, a file or a branch says the path: files.safe_write looks at it first"
_CHECKED_BEFORE = "cli/results.py has looked at the path"
_USERS = "whoever runs the command says the path"
_OWN = "a folder of its own: temporary, in the user's cache or state, or made aside"

#: Every module that writes, and why it may. Those that are _CHECKED call files.safe_write.
WRITERS = {
    **dict.fromkeys(
        (
            *("cli/image_builds.py", "gitops/fill.py", "image/lock.py", "wishes/lock.py", "synth.py"),
            *("vendoring/kustomize.py", "vendoring/urls.py"),
        ),
        _CHECKED,
    ),
    **dict.fromkeys(
        (f"results/{each}.py" for each in ("collect", "vm_run", "gcloud", "kubectl")), _CHECKED_BEFORE
    ),
    **dict.fromkeys(
        (
            *("cli/init_blueprint.py", "gitops/failure.py", "gitops/comment.py", "review/write.py"),
            *("review/approval.py", "lifecycle/plan_review.py", "image/job.py"),
            *("cli/bundle.py", "proof/envelope.py"),
        ),
        _USERS,
    ),
    **dict.fromkeys(
        (
            *("files/checked.py", "image/machines.py", "revision.py", "bindings/node.py"),
            *(
                "lifecycle/adopt.py",
                "lifecycle/local_state.py",
                "lifecycle/processes.py",
                "lifecycle/read_only.py",
            ),
            *("lifecycle/session.py", "lifecycle/skeleton.py", "lifecycle/terraform.py"),
            *("lifecycle/workplace.py", "lifecycle/world.py", "cli/mcp_tools.py"),
            *("proof/bundle.py", "proof/record.py", "proof/trials.py", "cli/prove_replay.py"),
        ),
        _OWN,
    ),
    "files/atomic.py": "its callers say the path",
    "files/safe_write.py": "its callers have looked at the path",
    "cli/fmt.py": "the blueprint that was read, inside of its repository (BP240)",
    "cli/env_file.py": "it removes the copies that this very run made, where the rest of it fails",
    "importing/envfile/kept_files.py": "a copy beside the blueprint, in place of that of an earlier run",
    "cli/new_file.py": "a new file: what is there, a link too, is never replaced",
    "old_stacks.py": "it removes what synth wrote, and follows no links",
}


def _writes(module: Path) -> bool:
    for node in ast.walk(ast.parse(module.read_text("utf-8"))):
        if not isinstance(node, ast.Call):
            continue
        name = getattr(node.func, "attr", getattr(node.func, "id", ""))
        words = {
            getattr(each, "attr", getattr(each, "value", ""))
            for each in ast.walk(node)
            if isinstance(each, ast.Attribute | ast.Constant)
        }
        by_us = name == "write" and ast.unparse(node.func).startswith(("atomic.", "safe_write."))
        if name in _CALLS or by_us or (name == "open" and not _MODES.isdisjoint(words)):
            return True
    return False


def test_every_module_that_writes_is_known() -> None:
    found = {each.relative_to(_PACKAGE).as_posix() for each in _PACKAGE.rglob("*.py") if _writes(each)}
    assert found == set(WRITERS)


@pytest.mark.parametrize("module", [each for each, why in WRITERS.items() if why == _CHECKED])
def test_who_writes_where_somebody_else_says_looks_first(module: str) -> None:
    assert "safe_write." in (_PACKAGE / module).read_text("utf-8")


def _lock(file: Path) -> None:
    lock.write(lock.Lock(image="i", digest=f"sha256:{0:064}", inputs=f"{0:064}"), file)


def _workflow(file: Path) -> None:
    template = fill.Template("", f"{file.name}/x.yaml", "")
    fill.write([fill.Filled(template, "x")], file.parent, force=True)


def _output(file: Path) -> None:
    made = file.parent.parent / "made"
    (made / "stacks" / file.name).mkdir(parents=True)
    (made / "stacks" / file.name / "cdk.tf.json").write_text("{}")
    (made / "manifest.json").write_text("{}")
    (file.parent / "stacks").symlink_to(".")
    synth._move_into_place(made, file.parent)  # noqa: SLF001 - what comes before it starts the engine


@pytest.mark.parametrize(
    ("write", "name"),
    [
        (_lock, "c.image.lock"),
        (_lock, ".git"),
        (_workflow, ".github"),
        (lambda file: new_file.write("x", file), "c.yaml"),
        (_output, "c"),
    ],
)
@pytest.mark.parametrize("is_there", [True, False])
def test_nothing_is_written_through_a_link(
    tmp_path: Path, write: Callable[[Path], Any], name: str, *, is_there: bool
) -> None:
    """A branch has a link where something is going to be written."""
    target, folder = tmp_path / "elsewhere", tmp_path / "repository"
    folder.mkdir()
    if is_there:
        target.mkdir() if write in {_output, _workflow} else target.write_text("mine")
    (folder / name).symlink_to(target)
    with pytest.raises(ClusterprintError):
        write(folder / name)
    assert target.exists() == is_there
    assert list(target.iterdir()) == [] if target.is_dir() else not is_there or target.read_text() == "mine"
    assert (folder / name).is_symlink()


def test_the_result_of_a_run_replaces_only_results(tmp_path: Path) -> None:
    (tmp_path / "requirements.txt").write_text("msgspec")
    (tmp_path / "run.txt").write_bytes(HEADING + b"run\n")
    for name, found in (("requirements.txt", safe_write.Occupied), ("run.txt", None), ("new.txt", None)):
        with pytest.raises(found) if found else nullcontext():
            safe_write.check(
                tmp_path / name, tmp_path, (".txt",), lambda content: content.startswith(HEADING)
            )
