"""Where workflows install clusterprint from: what this one was installed from, or what is said."""

import json
from importlib.metadata import PathDistribution
from pathlib import Path

import pytest
from click.testing import CliRunner
from pull_request import git

from clusterprint.cli.init import init
from clusterprint.errors import UsageError
from clusterprint.gitops import installed

SOURCE = "example/clusterprint@v1.2.3"
COMMIT = "0123456789abcdef0123456789abcdef01234567"


@pytest.mark.parametrize(
    ("remote", "source"),
    [
        ("git@github.com:team/clusterprint.git", f"team/clusterprint@{COMMIT}"),
        ("https://somebody:secret@github.com/team/clusterprint", f"team/clusterprint@{COMMIT}"),
        ("ssh://git@forge.example:22/a/b/c.git", f"https://forge.example/a/b/c@{COMMIT}"),
    ],
)
def test_the_source_is_what_pip_installed_from(
    remote: str, source: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """https://packaging.python.org/en/latest/specifications/direct-url/ is what pip writes."""
    package = tmp_path / "clusterprint-1.dist-info"
    package.mkdir()
    (package / "METADATA").write_text("Metadata-Version: 2.4\nName: clusterprint\nVersion: 1\n")
    direct = {"url": remote, "vcs_info": {"vcs": "git", "commit_id": COMMIT}}
    (package / "direct_url.json").write_text(json.dumps(direct))
    monkeypatch.setattr(installed, "distribution", lambda _: PathDistribution(package))
    assert installed.installed_from() == source
    (package / "direct_url.json").write_text('{"url": "file:///somewhere", "dir_info": {}}')
    monkeypatch.setattr(installed, "of_checkout", lambda _: "")
    assert installed.installed_from() == ""


def test_the_source_is_what_a_release_was_built_from(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "METADATA").write_text(
        "Metadata-Version: 2.4\nName: clusterprint\nVersion: 1\n"
        "Project-URL: Issues, https://github.com/team/clusterprint/issues\n"
        "Project-URL: Source, https://github.com/team/clusterprint/tree/v1.2.3\n"
    )
    monkeypatch.setattr(installed, "distribution", lambda _: PathDistribution(tmp_path))
    assert installed.installed_from() == "team/clusterprint@v1.2.3"


def test_the_source_is_the_commit_of_a_checkout_that_others_can_fetch(tmp_path: Path) -> None:
    git(tmp_path, "init", "--quiet")
    git(tmp_path, "commit", "--quiet", "--allow-empty", "--message=one")
    git(tmp_path, "remote", "add", "origin", "git@github.com:team/clusterprint.git")
    assert installed.of_checkout(tmp_path) == "", "nobody has seen this commit"
    git(tmp_path, "update-ref", "refs/remotes/origin/main", "HEAD")
    assert installed.of_checkout(tmp_path) == f"team/clusterprint@{git(tmp_path, 'rev-parse', 'HEAD')}"
    git(tmp_path, "remote", "set-url", "origin", "../somewhere.git")
    assert installed.of_checkout(tmp_path) == ""
    assert installed.of_checkout(tmp_path / "none") == ""


def test_without_a_source_the_known_one_is_filled_in_or_it_is_asked_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for known in ("", SOURCE):
        monkeypatch.setattr("clusterprint.cli.init.installed_from", lambda known=known: known)
        done = CliRunner().invoke(init, ["gitops", str(tmp_path)])
        if known:
            assert done.exit_code == 0
            assert f"from {SOURCE}\n" in done.output
            assert f"uses: {SOURCE}\n" in (tmp_path / ".github/workflows/clusterprint.yaml").read_text()
        else:
            assert isinstance(done.exception, UsageError)
            assert "--source OWNER/REPO@REV" in str(done.exception)
            assert list(tmp_path.iterdir()) == []
