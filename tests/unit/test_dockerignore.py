"""Files that a `.dockerignore` excludes, by the examples of Docker's documentation and more."""

import os
from pathlib import Path
from typing import Any

import pytest

from clusterprint.files.dockerignore import kept, leaves_out, patterns_of


@pytest.mark.parametrize(
    ("text", "out", "kept"),
    [
        ("# comment\n*/temp*", "a/temporary.txt a/temp/b", "temporary.txt a/b/temp"),
        ("*/*/temp*", "a/b/temporary.txt", "a/temporary.txt"),
        ("temp?", "tempa tempb/x", "temp temp/a tempab"),
        ("*.md\n!README.md", "notes.md", "README.md docs/notes.md"),
        ("*.md\n!README*.md\nREADME-secret.md", "README-secret.md a.md", "README.md"),
        ("**/*.pyc", "a.pyc a/b/c.pyc", "a.py"),
        ("/build/", "build/a build/b/c", "a/build/c builds"),
        ("docs/../src", "src/a.py", "docs/a"),
        ("data[0-9]", "data1 data7/x", "data dataa"),
        ("data[^0-9]", "dataa", "data1"),
        ("a.b", "a.b", "acb"),
        ("**", "a a/b/c", "Dockerfile .dockerignore"),
        ("Dockerfile\n.dockerignore", "", "Dockerfile .dockerignore"),
        ("models/**/weights", "models/weights models/a/b/weights/x", "weights models/a"),
        ("\\*.txt", "*.txt", "a.txt"),
        ("  spaced  \n\n!", "spaced", "x"),
        ("[", "[", "x"),
    ],
)
def test_patterns(text: str, out: str, kept: str) -> None:
    patterns = patterns_of(text)
    assert {each: leaves_out(patterns, each) for each in (*out.split(), *kept.split())} == {
        **dict.fromkeys(out.split(), True),
        **dict.fromkeys(kept.split(), False),
    }


@pytest.mark.parametrize(
    ("text", "left", "entered"),
    [
        ("env\n*.log", ["a.py", "env.d/b.py"], ["env.d"]),
        ("env\n!env/keep\n*.log", ["a.py", "env/keep", "env.d/b.py"], ["env", "env.d"]),
        ("", ["a.log", "a.py", "env/big", "env/keep", "env.d/b.py"], ["env", "env.d"]),
    ],
)
def test_a_folder_is_not_entered_if_nothing_below_it_can_be_taken_back_in(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, text: str, left: list[str], entered: list[str]
) -> None:
    for name in ("a.py", "a.log", "env/big", "env/keep", "env.d/b.py"):
        file = tmp_path / "top" / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.touch()
    (tmp_path / "top" / ".dockerignore").write_text(text)
    scanned: list[str] = []
    scandir = os.scandir

    def seen(path: Path) -> Any:
        scanned.append(Path(path).name)
        return scandir(path)

    monkeypatch.setattr(os, "scandir", seen)
    found = [each.name for each in kept(tmp_path / "top", tmp_path, ".dockerignore")]
    assert found == [".dockerignore", *left]
    assert scanned == ["top", *entered]
