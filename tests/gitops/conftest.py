"""Fixtures of the tests of GitOps."""

import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Any

import pytest
from composite import Ran, Runner
from forges import WRITER, Forge, serving
from pull_request import Repository, git
from support import BLUEPRINTS, ROOT

VM = (BLUEPRINTS / "vm-smallest.yaml").read_text("utf-8")


@pytest.fixture
def forge() -> Iterator[Forge]:
    """A forge with a pull request number 7 that has no comments yet."""
    with serving() as made:
        yield made


@pytest.fixture(scope="session")
def command(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Our own clusterprint as a command that knows nothing of the folder it runs in."""
    file = tmp_path_factory.mktemp("command") / "clusterprint"
    file.write_text(f'#!/bin/sh\nPYTHONPATH={ROOT} exec {sys.executable} -P -m clusterprint "$@"\n')
    file.chmod(0o755)
    return file


@pytest.fixture(scope="session")
def tools(command: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The result of install.sh for an existing command: a folder `bin` with `clusterprint` and `python`."""
    folder = tmp_path_factory.mktemp("tools")
    script = ROOT / "clusterprint/gitops/install.sh"
    subprocess.run(["bash", script, sys.executable, folder, command], check=True)
    return folder


@pytest.fixture
def repository(tmp_path: Path) -> Repository:
    """A forge's repository with one cluster on main."""
    made = Repository(tmp_path / "forge")
    made.commit({"blueprints/first.yaml": VM, "README.md": "clusters\n"})
    return made


@pytest.fixture
def review(repository: Repository, forge: Forge, command: Path, tmp_path: Path) -> Callable[..., Ran]:
    """Run the action on the pull request as it is now, on a machine of its own."""
    runs = iter(range(100))

    def run(
        event: dict[str, Any] | None = None,
        *,
        token: str = WRITER,
        ref: str = "refs/pull/7/merge",
        depth: int = 2,
        environment: Mapping[str, str] = MappingProxyType({}),
        **inputs: str,
    ) -> Ran:
        workspace = repository.checkout(tmp_path / "workspace", ref, depth)
        temporary = tmp_path / f"temporary-{next(runs)}"
        temporary.mkdir()
        around = {
            "GITHUB_GRAPHQL_URL": f"{forge.url}/graphql",
            "GITHUB_REPOSITORY": "team/clusters",
            "CLUSTERPRINT_RETRY_SECONDS": "0.01",
            "XDG_CACHE_HOME": str(ROOT / ".cache"),
            **environment,
        }
        runner = Runner(
            workspace,
            temporary,
            event if event is not None else repository.event(),
            around,
            token=token,
            repository="team/clusters",
            run_id="4711",
            server_url="https://forge",
        )
        ran = runner.action(ROOT / "action.yml", {"command": str(command), **inputs})
        assert git(workspace, "status", "--porcelain") == "", "the checkout is left as it was"
        return ran

    return run
