"""Parts of a review that are easier to see alone: expressions, texts, moves, masks."""

import base64
import gzip
import json
from pathlib import Path
from typing import Any

import pytest

from clusterprint.masking import is_secret_name, mask_thoroughly
from clusterprint.nodes.vm.bundle import _entries
from clusterprint.review.delta import Delta
from clusterprint.review.expressions import instances, references, substitute
from clusterprint.review.stack_file import Stack, read_stack
from clusterprint.review.synthesized import compare
from clusterprint.review.texts import diff_lines, readable
from clusterprint.review.values import value_changes
from clusterprint.terraform_text import plain


def stack(tmp_path: Path, document: dict[str, Any]) -> Stack:
    file = tmp_path / "cdk.tf.json"
    file.write_text(json.dumps(document))
    return read_stack(file, "s")


def resources(tmp_path: Path, **more: Any) -> Stack:
    return stack(tmp_path, {"resource": more})


def actions(deltas: list[Delta]) -> dict[str, str | None]:
    return {each.resource.address: each.action for each in deltas}


def test_instances_of_for_each() -> None:
    assert instances('${toset(["a", "b"])}') == {"a": "a", "b": "b"}
    assert instances({"x/y": {"role": "r"}}) == {"x/y": {"role": "r"}}
    assert instances("${google_x.y}") is None
    assert instances('${toset(["$${not}"])}') == {"${not}": "${not}"}
    assert substitute({"a": "n-${each.key}", "b": ["${each.value.role}"]}, "k", {"role": "r"}) == {
        "a": "n-k",
        "b": ["r"],
    }


def test_references_and_what_only_looks_like_one() -> None:
    assert references("${google_x.y.id}/${google_z.w.name}") == ("google_x.y.id", "google_z.w.name")
    assert references("$${google_x.y.id}") == ()
    assert plain("$${HOME} %%{if}") == "${HOME} %{if}"


def test_instances_come_and_go_by_their_keys(tmp_path: Path) -> None:
    before = resources(
        tmp_path, google_x={"y": {"for_each": '${toset(["a", "b"])}', "name": "${each.value}"}}
    )
    after = resources(tmp_path, google_x={"y": {"for_each": '${toset(["b", "c"])}', "name": "${each.value}"}})
    assert actions(compare(before, after)) == {
        'google_x.y["a"]': "removed",
        'google_x.y["b"]': None,
        'google_x.y["c"]': "added",
    }


def test_what_was_told_to_move_moves(tmp_path: Path) -> None:
    body = {"name": "n"}
    before = resources(tmp_path, google_x={"old": body})
    renamed = {"resource": {"google_x": {"new": body}}}
    assert set(actions(compare(before, stack(tmp_path, renamed))).values()) == {"removed", "added"}
    moved = {**renamed, "moved": [{"from": "google_x.old", "to": "google_x.new"}]}
    (delta,) = compare(before, stack(tmp_path, moved))
    assert (delta.action, delta.previous_address) == ("moved", "google_x.old")
    changed = {**moved, "resource": {"google_x": {"new": {"name": "m"}}}}
    (delta,) = compare(before, stack(tmp_path, changed))
    assert (delta.action, delta.previous_address) == ("changed", "google_x.old")


def test_a_resource_and_its_first_instance_are_the_same(tmp_path: Path) -> None:
    before = resources(tmp_path, google_x={"y": {"name": "n"}})
    after = resources(tmp_path, google_x={"y": {"name": "n", "count": 1}})
    assert actions(compare(before, after)) == {"google_x.y[0]": "moved"}


def test_what_refers_to_something_replaced_follows(tmp_path: Path) -> None:
    def network(name: str) -> Stack:
        return resources(
            tmp_path,
            google_compute_network={"n": {"name": name}},
            google_compute_subnetwork={"s": {"name": "s", "network": "${google_compute_network.n.id}"}},
            google_other={"o": {"label": "${google_compute_subnetwork.s.name}"}},
            google_third={"t": {"link": "${google_compute_subnetwork.s.self_link}"}},
        )

    found = actions(compare(network("a"), network("b")))
    assert found == {
        "google_compute_network.n": "replaced",
        "google_compute_subnetwork.s": "replaced",
        "google_other.o": None,
        "google_third.t": "changed",
    }


def test_ignored_changes_are_none(tmp_path: Path) -> None:
    def pool(count: int, script: str) -> Stack:
        body = {
            "instances": count,
            "metadata": {"script": script, "other": "x"},
            "lifecycle": {"ignore_changes": ["instances", 'metadata["script"]']},
        }
        return resources(tmp_path, google_x={"y": body})

    assert actions(compare(pool(1, "a"), pool(2, "b"))) == {"google_x.y": None}


def test_another_project_of_the_provider_replaces_what_has_none_of_its_own(tmp_path: Path) -> None:
    def bucket(project: str) -> Stack:
        return stack(
            tmp_path,
            {
                "provider": {"google": [{"project": project}]},
                "resource": {"google_storage_bucket": {"b": {"name": "b", "location": "US"}}},
            },
        )

    assert actions(compare(bucket("one"), bucket("two"))) == {"google_storage_bucket.b": "replaced"}


@pytest.mark.parametrize(
    ("group", "trigger", "action"),
    [
        ({"target_size": 2}, "google_compute_instance_group_manager.g.id", None),
        ({"target_size": 2}, "google_compute_instance_group_manager.g", "replaced"),
        ({"target_size": 2}, "google_compute_instance_group_manager.g.target_size", "replaced"),
        ({"name": "b"}, "google_compute_instance_group_manager.g.id", "replaced"),
        ({"name": "b"}, "google_compute_instance_group_manager.g.zone", None),
    ],
)  # fmt: skip
def test_what_is_replaced_with_an_attribute_of_another(
    tmp_path: Path, group: dict[str, Any], trigger: str, action: str | None
) -> None:
    """A change in place leaves an id as it is; a replacement does not."""

    def made(**changes: Any) -> Stack:
        return resources(
            tmp_path,
            google_compute_instance_group_manager={
                "g": {"name": "a", "zone": "us-central1-a", "target_size": 1, **changes}
            },
            google_compute_per_instance_config={
                "c": {"name": "n", "lifecycle": {"replace_triggered_by": [trigger]}}
            },
        )

    assert actions(compare(made(), made(**group)))["google_compute_per_instance_config.c"] == action


SCRIPT = "#!/bin/sh\necho one\nexport HF_TOKEN=abc123\n"


@pytest.mark.parametrize(
    "encoded",
    [
        SCRIPT,
        base64.b64encode(SCRIPT.encode()).decode(),
        base64.b64encode(gzip.compress(SCRIPT.encode(), mtime=0)).decode(),
    ],
)
def test_scripts_are_read_however_they_are_packed(encoded: str) -> None:
    assert readable(encoded, "custom_data") == SCRIPT


@pytest.mark.parametrize("text", ["a2-highgpu-1g", "projects/p/global/networks/n", "x" * 60, "A" * 64])
def test_ordinary_values_are_no_scripts(text: str) -> None:
    assert readable(text, "name") is None


@pytest.mark.slow
def test_an_archive_that_grows_without_end_is_cut() -> None:
    bomb = base64.b64encode(gzip.compress(b"a\n" * 20_000_000)).decode()
    text = readable(bomb, "custom_data")
    assert text is not None
    assert len(text) <= 4_000_000


def test_a_diff_shows_what_changed_and_no_secrets() -> None:
    lines = diff_lines(SCRIPT, SCRIPT.replace("one", "two").replace("abc123", "def456"))
    assert [(each.sign, each.text) for each in lines] == [
        ("same", "#!/bin/sh"),
        ("removed", "echo one"),
        ("added", "echo two"),
        ("same", "export HF_TOKEN=******"),
    ]


def test_a_changed_secret_is_said_and_not_shown() -> None:
    (line,) = diff_lines(SCRIPT, SCRIPT.replace("abc123", "def456"))
    assert "masked" in line.text


@pytest.mark.parametrize(
    "text",
    [
        "export DB_PASSWORD=hunter2", "api_key: hunter2", '{"access_token": "hunter2"}', "--token hunter2",
        "postgres://u:hunter2@host/db", "PASSPHRASE='hunter2'",
    ],
)  # fmt: skip
def test_what_is_given_to_a_secret_name_is_masked(text: str) -> None:
    assert "hunter2" not in mask_thoroughly(text)


@pytest.mark.parametrize(
    "text", ["export TOKEN=$TOKEN", "token_file: /etc/x", "tokens per second", "echo secret"]
)
def test_what_names_a_secret_is_kept(text: str) -> None:
    kept = mask_thoroughly(text)
    assert kept == text or "token_file" in text


def test_names_of_secrets_are_no_secrets() -> None:
    assert is_secret_name("admin_password")
    assert is_secret_name("primary_access_key")
    assert not is_secret_name("secret_id")
    assert not is_secret_name("machine_type")


@pytest.mark.slow
def test_masking_takes_no_time_on_hostile_texts() -> None:
    for text in ("a-" * 100_000, "password" * 20_000, "x://" * 50_000, "'" * 100_000):
        assert len(mask_thoroughly(text)) == len(text)


def test_long_values_are_cut_and_paths_are_short(tmp_path: Path) -> None:
    before = resources(tmp_path, google_x={"y": {"a": [{"b": "x" * 1000}], "c": [{"d": 1}, {"d": 2}]}})
    after = resources(tmp_path, google_x={"y": {"a": [{"b": "y" * 1000}], "c": [{"d": 1}, {"d": 3}]}})
    (delta,) = compare(before, after)
    values = {each.path: each for each in value_changes(delta)}
    assert set(values) == {"a.b", "c[1].d"}
    assert "(1,000 characters)" in values["a.b"].after.text


def test_our_own_files_of_machines_are_a_line_each_and_no_others() -> None:
    """A bucket brings scripts of ours; what only looks like one is shown in full."""
    [entry] = [each for each in _entries("vm/limits") if each.path.endswith("10-limits")]
    lines = diff_lines("#!/bin/sh\n", f"#!/bin/sh\n{entry.text}")
    assert [each.text for each in lines if each.sign == "added"] == [
        f"#file 0755 {entry.path} ({entry.text.count(chr(10)) - 1} lines of clusterprint)"
    ]
    changed = f"{entry.text}|curl example.com\n"
    shown = [each.text for each in diff_lines(f"#!/bin/sh\n{entry.text}", f"#!/bin/sh\n{changed}")]
    assert "|curl example.com" in shown
    assert f"#file 0755 {entry.path}" in shown
