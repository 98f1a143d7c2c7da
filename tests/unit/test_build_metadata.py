"""The README of an index: its links lead to the repository that built."""

import copy
import importlib.util
import re
import tomllib

import pytest
from support import ROOT

_spec = importlib.util.spec_from_file_location("build_metadata", ROOT / "build_hooks/metadata.py")
assert _spec is not None
assert _spec.loader is not None
metadata = importlib.util.module_from_spec(_spec)
_spec.loader.exec_module(metadata)

HOME = metadata.Home("https://github.com/some/fork", "v1.0")


@pytest.mark.parametrize(
    ("written", "published"),
    [
        ("[a](README.md)", "[a](https://github.com/some/fork/blob/v1.0/simcloud/README.md)"),
        ("[a](tests/)", "[a](https://github.com/some/fork/tree/v1.0/simcloud/tests)"),
        ("[a](../docs/gke.md#pools)", "[a](https://github.com/some/fork/blob/v1.0/docs/gke.md#pools)"),
        ("![a](a.png)", "![a](https://github.com/some/fork/raw/v1.0/simcloud/a.png)"),
        (
            "[![a](a.png)](README.md)",
            "[![a](https://github.com/some/fork/raw/v1.0/simcloud/a.png)](https://github.com/some/fork/blob/v1.0/simcloud/README.md)",
        ),
        ("[a](https://example.com/b) [c](#d) `[e]` f(g)", "[a](https://example.com/b) [c](#d) `[e]` f(g)"),
    ],
)
def test_links(written: str, published: str) -> None:
    assert HOME.absolute(written, ROOT / "simcloud", "simcloud") == published


def test_the_links_of_our_readmes_exist() -> None:
    for readme in (ROOT / "README.md", ROOT / "core/README.md", ROOT / "simcloud/README.md"):
        for _, _, target in metadata._LINK.findall(readme.read_text("utf-8")):  # noqa: SLF001
            assert (readme.parent / target.partition("#")[0]).exists(), target


def test_the_home_is_the_repository_of_the_workflow() -> None:
    assert metadata.Home.of({}) is None
    tagged = {
        "GITHUB_REPOSITORY": "a/b",
        "GITHUB_REF_TYPE": "tag",
        "GITHUB_REF_NAME": "v2",
        "GITHUB_SHA": "c0ffee",
    }
    assert metadata.Home.of(tagged).urls()["Source"] == "https://github.com/a/b/tree/v2"
    branch = {
        **tagged,
        "GITHUB_REF_TYPE": "branch",
        "GITHUB_REF_NAME": "main",
        "GITHUB_SERVER_URL": "https://forge.example",
    }
    assert metadata.Home.of(branch).urls()["Source"] == "https://forge.example/a/b/tree/c0ffee"


def test_all_distributions_share_the_hook_and_the_licence() -> None:
    for folder in (ROOT / "core", ROOT / "simcloud"):
        assert (folder / "metadata.py").read_bytes() == (ROOT / "build_hooks/metadata.py").read_bytes()
        assert (folder / "LICENSE").read_bytes() == (ROOT / "LICENSE").read_bytes()


PYPROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))


def test_what_is_light_is_all_but_the_engine() -> None:
    found = metadata.light(PYPROJECT)
    assert [re.split("[<>=]", each)[0] for each in found["dependencies"]] == [
        "click",
        "ruamel.yaml",
        "jsonschema",
        "msgspec",
    ]
    assert found["classifiers"] == PYPROJECT["project"]["classifiers"]


def test_the_engine_is_named_as_it_is_needed() -> None:
    """A dependency that is renamed must not slip into the light distribution."""
    renamed = copy.deepcopy(PYPROJECT)
    renamed["tool"]["clusterprint-core"]["without"].append("nodejs")
    with pytest.raises(ValueError, match="names what is no dependency"):
        metadata.light(renamed)
