"""The table of resource types: nothing of a type is forgotten, and what it names exists."""

import importlib
import json
from collections.abc import Collection, Iterator
from pathlib import Path

import pytest
from every import every
from support import GOLDENS

from clusterprint import catalog
from clusterprint.catalog.permissions import type_rights
from clusterprint.resource_types import ResourceType, resource_type, resource_types
from clusterprint.review import facts, guards
from clusterprint.review.delta import Resource

# Beside `idea` and `noun`, which every row has.
COLUMNS = {*ResourceType.__struct_fields__} - {"idea", "noun", "none"}


def types_in_goldens() -> set[str]:
    found: set[str] = set()
    for golden in GOLDENS.glob("*.tf.json"):
        document = json.loads(golden.read_text("utf-8"))
        for stack in [document] if "terraform" in document else document.values():
            found |= stack.get("resource", {}).keys()
    return found


@every(sorted(types_in_goldens()))
def test_every_type_of_our_stacks_is_in_the_table(type_: str) -> None:
    assert type_.removesuffix("_v1") in resource_types(), "add it to clusterprint/resource_types/types.json"
    rights = resource_type(type_).rights
    assert (rights is None) == (type_ == "terraform_data")
    assert rights is None or type_rights(type_)
    assert facts.is_known(type_)


def rows() -> dict[str, dict[str, object]]:
    file = Path(importlib.import_module("clusterprint.resource_types").__path__[0]) / "types.json"
    found: dict[str, dict[str, object]] = json.loads(file.read_text("utf-8"))
    return found


@every(rows())
def test_every_column_is_answered_or_none(type_: str) -> None:
    row = rows()[type_]
    none = str(row["none"]).split()
    answered = row.keys() - {"idea", "noun", "none"}
    assert len(none) == len(set(none))
    assert answered.isdisjoint(none)
    assert answered.union(none) == COLUMNS
    assert all(row[each] for each in answered), "what is not so is named under `none`"


def test_rows_are_sorted_so_that_each_is_found() -> None:
    assert list(rows()) == sorted(rows())


def _keys(module: str, *tables: str) -> Iterator[str]:
    for table in tables:
        yield from getattr(importlib.import_module(f"clusterprint.review.{module}"), table)


@pytest.mark.parametrize(
    ("column", "known"),
    [
        ("machines", [*_keys("machines", "_READERS")]),
        ("price", [*_keys("stored", "_READERS"), *_keys("by_use", "_TOLD")]),
        ("refused", [*_keys("risks.refused", "_FINDERS")]),
        ("openings", [*_keys("risks.exposure", "_READERS")]),
    ],
)
def test_the_functions_that_rows_name_are_those_that_exist(column: str, known: Collection[str]) -> None:
    assert len(known) == len(set(known)), "each name has one function"
    assert {found for each in resource_types().values() if (found := getattr(each, column))} == set(known)


def test_quotas_and_conditions_that_rows_name_exist() -> None:
    counted = {each.quota for each in resource_types().values() if each.quota} - {
        *_keys("quota_parts", "_READERS")
    }
    assert {catalog.resource_quota(each).metric for each in counted} == counted
    conditions = {condition for each in resource_types().values() for condition in each.replaced_if.values()}
    assert {*conditions, "never"} == {*_keys("replacement", "_CONDITIONS")}


@pytest.mark.parametrize(
    ("type_", "idea", "noun", "rights"),
    [
        ("kubernetes_network_policy_v1", "workloads", "network policy", "project"),
        ("google_sql_database_instance", "other", "sql database instance", "project"),
        ("google_pubsub_topic_iam_member", "IAM", "role", "project"),
        ("azurerm_public_ip_prefix", "network", "public ip prefix", "group"),
        ("terraform_remote_state", "other", "terraform remote state", None),
    ],
)
def test_a_type_without_a_row_is_known_by_its_name(
    type_: str, idea: str, noun: str, rights: str | None
) -> None:
    found = resource_type(type_)
    assert (found.idea, found.noun, found.rights) == (idea, noun, rights)
    assert (found.data, found.machines, found.import_id, found.diagram.box) == (None, None, None, "")


@pytest.mark.parametrize(
    ("type_", "values", "is_protected"),
    [
        ("google_container_cluster", {}, True),
        ("google_container_cluster", {"deletion_protection": False}, False),
        ("google_secret_manager_secret", {}, False),
        ("google_secret_manager_secret", {"deletion_protection": True}, True),
        ("google_filestore_instance", {"deletion_protection_enabled": True}, True),
        ("google_compute_network", {}, False),
    ],
)
def test_some_types_are_protected_unless_they_say_otherwise(
    type_: str, values: dict[str, bool], is_protected: bool
) -> None:
    resource = Resource("stack", type_, f"{type_}.this", f"{type_}.this", dict(values))
    assert guards.has_deletion_protection(resource) is is_protected


@pytest.mark.parametrize(
    ("type_", "is_store"),
    [
        ("google_filestore_instance", True),
        ("google_filestore_snapshot", True),
        ("azurerm_storage_container", True),
        ("google_secret_manager_secret", False),
        ("kubernetes_persistent_volume_claim_v1", False),
        ("google_compute_network", False),
    ],
)
def test_stores_are_volumes_and_their_parts_outside_of_kubernetes(type_: str, is_store: bool) -> None:
    assert resource_type(type_).is_store is is_store
