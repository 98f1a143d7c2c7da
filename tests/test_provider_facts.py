"""The tables of provider facts know every type and every argument that any stack uses."""

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, get_args, get_type_hints

import pytest
from support import GOLDENS, Run

from clusterprint import catalog
from clusterprint.blueprint import KINDS, blueprint_type
from clusterprint.blueprint.azure import AzureTerraform
from clusterprint.blueprint.google import KubernetesTerraform, Terraform
from clusterprint.blueprint.part import Part
from clusterprint.derived.google_provider import _NEWER, OLD
from clusterprint_simcloud.arguments import reported
from clusterprint_simcloud.facts import SERVED, table, unimplemented, unsent, versions
from clusterprint_simcloud.plugin.validating import check
from clusterprint_simcloud.values import UNKNOWN, at
from stacks.google.unbound_arguments import BEYOND

# They belong to Terraform, not to a provider.
META = {"count", "depends_on", "for_each", "lifecycle", "provider", "provisioner", "connection"}
# By provider, its version and type.
Used = dict[tuple[str, str, str], set[str]]


def used() -> Used:
    """The arguments in all goldens (there is one for each shipped blueprint, too)."""
    found: Used = {}
    for stack in _stacks():
        required = stack["terraform"]["required_providers"]
        for type_, named in stack.get("resource", {}).items():
            provider = type_.partition("_")[0]
            if provider in required:
                paths = found.setdefault((provider, required[provider]["version"], type_), set())
                for body in named.values():
                    paths |= {path for path in _paths(body) if path.partition(".")[0] not in META}
    return found


def _stacks() -> Iterator[dict[str, Any]]:
    for golden in sorted(GOLDENS.glob("*.tf.json")):
        document = json.loads(golden.read_text("utf-8"))
        yield from [document] if "terraform" in document else document.values()


def _paths(value: Any, prefix: str = "") -> Iterator[str]:
    if isinstance(value, dict):
        for key, inner in value.items():
            # What a dynamic block makes is in its content.
            if key == "dynamic":
                for block, made in inner.items():
                    yield f"{prefix}{block}"
                    yield from _paths(made["content"], f"{prefix}{block}.")
                continue
            yield f"{prefix}{key}"
            yield from _paths(inner, f"{prefix}{key}.")
    elif isinstance(value, list):
        for inner in value:
            yield from _paths(inner, prefix)


USED = used()


@pytest.mark.parametrize(("provider", "version"), [(one, each) for one in SERVED for each in versions(one)])
def test_the_table_is_complete(provider: str, version: str) -> None:
    known = table(provider, version)
    missing = []
    for (owner, required, type_), paths in USED.items():
        if (owner, required) != (provider, version):
            continue
        rows = known.get(type_, {})
        maps = tuple(f"{path}." for path, fact in rows.items() if fact.type == "Map")
        missing += [
            f"{type_}.{path}"
            for path in sorted(paths)
            if path not in rows and path.partition(".")[0] != "timeouts" and not path.startswith(maps)
        ]
    assert missing == []


def resources() -> Iterator[tuple[str, str, str, dict[str, Any]]]:
    """Provider, version, type and body of whatever the table of a version describes."""
    for stack in _stacks():
        required = stack["terraform"]["required_providers"]
        for type_, named in stack.get("resource", {}).items():
            provider = type_.partition("_")[0]
            if provider in SERVED and provider in required:
                for body in named.values():
                    yield provider, required[provider]["version"], type_, _plain(body)


def _plain(value: Any) -> Any:
    """The known content of a body; the block of a dynamic block is its only one."""
    if isinstance(value, dict):
        made = {block: one["content"] for block, one in value.get("dynamic", {}).items()}
        return {key: _plain(one) for key, one in {**value, **made}.items() if key != "dynamic"}
    if isinstance(value, list):
        return [_plain(one) for one in value]
    return UNKNOWN if isinstance(value, str) and "${" in value else value


def test_the_provider_accepts_every_value() -> None:
    """As far as a value is known: the provider would refuse others in the middle of an apply."""
    found = {
        f"{type_}: {each.summary}"
        for provider, version, type_, body in resources()
        for each in check(reported(table(provider, version).get(type_, {})), body)
        if each.path
    }
    assert found == set()


def test_the_provider_sends_and_reads_every_argument() -> None:
    ignored = {
        f"{type_}.{path}"
        for provider, version, type_, body in resources()
        for path, count in unimplemented(provider, version).get(type_, {}).items()
        for _, given in at(body, path)
        if len(given if isinstance(given, list) else [given]) > count
    }
    assert ignored == set()


def test_what_the_provider_does_not_send_in_an_update_replaces_the_resource() -> None:
    """By a marker that has each of these values: the provider would report a change that it never makes."""
    seen = set()
    for stack in _stacks():
        for provider, one in stack["terraform"]["required_providers"].items():
            for type_, names in unsent(provider, one["version"]).items():
                for body in stack.get("resource", {}).get(type_, {}).values():
                    (trigger,) = body["lifecycle"]["replace_triggered_by"]
                    marker = stack["resource"]["terraform_data"][trigger.partition(".")[2]]
                    held = set(_texts(marker["input"]))
                    assert set(_texts([body.get(name) for name in names])) - KEYS <= held
                    seen |= {name for name in names if body.get(name)}
    assert seen == {"allowed_topologies", "reclaim_policy"}


#: Of topologies only the zones change.
KEYS = {"topology.gke.io/zone"}


def _texts(value: Any) -> Iterator[str]:
    if isinstance(value, dict | list):
        for inner in value.values() if isinstance(value, dict) else value:
            yield from _texts(inner)
    elif isinstance(value, str):
        yield value


def test_texts_of_json_in_sets_are_as_the_provider_writes_them() -> None:
    """Compact, with sorted keys. Of two texts with the same content, a set would have both."""
    for _, _, type_, body in resources():
        for _, given in at(body, "extension.settings") if type_.endswith("scale_set") else ():
            assert given == json.dumps(json.loads(given), sort_keys=True, separators=(",", ":"))


def test_what_no_version_implements_is_refused_for_it() -> None:
    """Of what blueprints have a field for: nodes are in pools of their own, never in a cluster's block."""
    pool = "google_container_node_pool"
    refused = {
        (version, each.argument, each.implemented)
        for each in catalog.unimplemented().values()
        for version in each.versions
    }
    assert refused == {
        (version, f"{pool}.{path}", count)
        for version in versions("google")
        for path, count in unimplemented("google", version)[pool].items()
    }


def test_every_provider_is_looked_at_in_every_version() -> None:
    looked_at = {(provider, version) for provider, version, _ in USED}
    assert {(one, each) for one in SERVED for each in versions(one)} <= looked_at
    assert "disk.boot" in USED["google", SERVED["google"], "google_compute_instance_template"]


def test_stacks_and_facts_are_of_one_version() -> None:
    """Provider versions that stacks require by default are simulated, and known to reviews."""
    required: dict[str, set[str]] = {}
    for stack in _stacks():
        for name, one in stack["terraform"]["required_providers"].items():
            required.setdefault(name, set()).add(one["version"])
    for name, version in SERVED.items():
        assert version in required[name] <= set(versions(name))
    _, form, *_ = get_args(get_type_hints(Terraform, include_extras=True)["google_provider"])
    assert [each for each in versions("google") if not re.fullmatch(form.pattern, each)] == []
    assert Terraform().google_provider == SERVED["google"]


def test_versions_of_providers_inside_clusters_are_required(clusterprint: Run, tmp_path: Path) -> None:
    """Each stack inside the cluster requires the versions that the blueprint names."""
    text = (GOLDENS / "gke-existing-network.yaml").read_text()
    for old, new in (("2.38.0", "3.2.1"), ("3.1.1", "3.10.2")):
        assert text.count(old) == 1
        text = text.replace(old, new)
    (tmp_path / "c.yaml").write_text(text)
    done = clusterprint("synth", tmp_path / "c.yaml", "--out", tmp_path / "out")
    assert done.returncode == 0, done.stderr
    stacks = [json.loads(each.read_text()) for each in (tmp_path / "out").rglob("cdk.tf.json")]
    required = [each["terraform"]["required_providers"] for each in stacks]
    inside = [each for each in required if "kubernetes" in each]
    assert inside
    assert {(each["kubernetes"]["version"], each["helm"]["version"]) for each in inside} == {
        ("3.2.1", "3.10.2")
    }


def test_versions_that_stacks_cannot_use_are_refused() -> None:
    """Helm has `upgrade_install` again since 3.1.0, and consistent results since 3.1.1."""
    google = get_type_hints(KubernetesTerraform, include_extras=True)
    hints = {**google, **get_type_hints(AzureTerraform, include_extras=True)}
    for field, good, bad in (
        (
            "google_provider",
            ("6.50.0", "7.45.0", "7.46.1", "8.0.0", "8.12.3"),
            ("6.51.0", "7.44.0", "7.45.01", "8.0", "08.1.0", "9.0.0", ">= 8.0.0"),
        ),
        (
            "azurerm_provider",
            ("4.55.0", "4.60.2", "4.100.0", "5.0.0", "5.10.0"),
            ("4.54.0", "3.117.1", "5.01.0", "5.2", "6.0.0", "~> 5.2"),
        ),
        (
            "kubernetes_provider",
            ("2.38.0", "3.0.0", "3.12.1"),
            ("2.37.0", "4.0.0", "3.1", "3.01.0", "~> 3.0"),
        ),
        (
            "helm_provider",
            ("3.1.1", "3.1.12", "3.2.0", "3.10.0"),
            ("2.17.0", "3.0.2", "3.1.0", "4.0.0", "3.2"),
        ),
    ):
        _, form, *_ = get_args(hints[field])
        assert [each for each in good if not re.fullmatch(form.pattern, each)] == []
        assert [each for each in bad if re.fullmatch(form.pattern, each)] == []


def test_fields_that_the_old_provider_lacks_are_fields() -> None:
    """Their types are named, because few blueprints need them."""

    def below(part: type[Part]) -> Iterator[type[Part]]:
        for each in part.__subclasses__():
            yield each
            yield from below(each)

    assert [blueprint_type(kind) for kind in KINDS]
    fields = {each.__name__: each.__struct_fields__ for each in below(Part)}
    assert [each for each, names in _NEWER.items() if not {*names} <= {*fields.get(each, ())}] == []


@pytest.mark.parametrize(
    ("type_", "path"), [(one, each) for one, paths in BEYOND.items() for each in sorted(paths)]
)
def test_what_is_set_beyond_the_bindings_is_an_argument_and_none_that_they_have(
    type_: str, path: str
) -> None:
    fact = table("google", SERVED["google"])[type_][path]
    assert fact.says("optional") or fact.says("required")
    assert path not in table("google", OLD)[type_]


def test_nothing_is_listed_as_beyond_the_bindings_that_no_stack_sets() -> None:
    unused = [
        f"{type_}.{path}"
        for type_, paths in BEYOND.items()
        for path in sorted(paths - USED["google", SERVED["google"], type_])
    ]
    assert unused == []
