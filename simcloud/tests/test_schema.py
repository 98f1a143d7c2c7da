"""The schemas that come out of the wheels."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from clusterprint_simcloud import cache, schema
from clusterprint_simcloud.cloud.behaviour import Provider
from clusterprint_simcloud.errors import MissingPart
from clusterprint_simcloud.providers import PROVIDERS, installed, schema_of
from clusterprint_simcloud.schema import Attribute, Block

WANTED = ["google_compute_network", "data.google_project"]


@pytest.fixture
def own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("CLUSTERPRINT_CACHE", str(tmp_path))
    return tmp_path


def test_arguments_have_their_types_and_flags() -> None:
    network = schema_of(PROVIDERS["google"]).resources["google_compute_network"]
    assert network.attributes["name"] == Attribute("string", required=True)
    assert network.attributes["mtu"] == Attribute("number", optional=True, computed=True)
    assert network.attributes["self_link"] == Attribute("string", computed=True)


def test_blocks_have_their_nesting_and_limits() -> None:
    instance = schema_of(PROVIDERS["google"]).resources["google_compute_instance"]
    boot, interfaces = instance.blocks["boot_disk"], instance.blocks["network_interface"]
    assert (boot.nesting, boot.min_items, boot.max_items) == ("list", 1, 1)
    assert (interfaces.nesting, interfaces.min_items, interfaces.max_items) == ("list", 1, 0)
    assert instance.blocks["timeouts"].nesting == "single"


def test_sets_and_objects_are_told_from_lists() -> None:
    resources = schema_of(PROVIDERS["google"]).resources
    assert resources["google_compute_firewall"].attributes["source_ranges"].type == ["set", "string"]
    status = resources["google_compute_instance_group_manager"].attributes["status"].type
    assert isinstance(status, list)
    assert status[0] == "list"
    assert status[1][1]["is_stable"] == "bool"


def test_the_provider_block_has_no_alias() -> None:
    assert "alias" not in schema_of(PROVIDERS["google"]).provider.attributes
    assert schema_of(PROVIDERS["google"]).provider.attributes["project"].optional


@pytest.mark.parametrize("provider", installed(), ids=lambda one: one.name)
def test_every_simulated_type_is_in_the_wheel(provider: Provider) -> None:
    known = schema_of(provider)
    assert set(known.resources) == set(provider.resources)
    assert set(known.data_sources) == set(provider.data_sources)


@pytest.mark.parametrize("provider", installed(), ids=lambda one: one.name)
def test_every_path_in_the_facts_exists(provider: Provider) -> None:
    resources = schema_of(provider).resources
    wrong = [
        f"{kind.name}: {path}"
        for kind in provider.resources.values()
        for path in [*kind.arguments, *kind.computed, *(one.path for one in kind.references)]
        if not _has(resources[kind.name], path)
    ]
    assert wrong == []


def _has(block: Block, path: str) -> bool:
    head, _, rest = path.partition(".")
    if head in block.blocks:
        return not rest or _has(block.blocks[head].block, rest)
    return head in block.attributes


@pytest.mark.slow
def test_the_cache_is_used(own_cache: Path) -> None:
    first = schema.load("google", WANTED)
    files = list((own_cache / "schemas").iterdir())
    assert [one.suffix for one in files] == [".json"]
    written = files[0].stat().st_mtime_ns
    assert schema.load("google", WANTED) == first
    assert files[0].stat().st_mtime_ns == written


@pytest.mark.slow
def test_a_broken_cache_is_made_again(own_cache: Path) -> None:
    first = schema.load("google", WANTED)
    (file,) = (own_cache / "schemas").iterdir()
    file.write_text("{")
    assert schema.load("google", WANTED) == first


def test_concurrent_readers_see_whole_files(tmp_path: Path) -> None:
    path = tmp_path / "file"
    texts = [str(number).encode() * 20000 for number in range(8)]
    with ThreadPoolExecutor(8) as pool:
        list(pool.map(lambda text: cache.write(path, text), texts))
    assert path.read_bytes() in texts
    assert list(tmp_path.iterdir()) == [path]


def test_the_cache_folder_follows_the_environment(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("CLUSTERPRINT_CACHE", raising=False)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    assert cache.folder() == tmp_path / "clusterprint"


def test_a_missing_wheel_is_named() -> None:
    with pytest.raises(MissingPart, match="cdktf-cdktf-provider-nowhere"):
        schema.load("nowhere", [])


def test_another_package_of_the_same_name_is_not_taken_for_the_bindings(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """A wheel of clusterprint brings its own, without the sources that schemas are read from."""
    (tmp_path / "cdktf_cdktf_provider_helm").mkdir()
    (tmp_path / "cdktf_cdktf_provider_helm/__init__.py").touch()
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.setenv("CLUSTERPRINT_CACHE", str(tmp_path / "empty"))
    assert schema.load("helm", ["helm_release"]).resources["helm_release"].attributes


def test_without_a_writable_home_the_cache_ends_with_the_process(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("CLUSTERPRINT_CACHE", "XDG_CACHE_HOME"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("HOME", "/proc/nonexistent")
    assert cache.folder().is_dir()
    assert cache.folder() == cache.folder()
