"""`clusterprint explain` as its users see it."""

import json
import subprocess
import sys
from functools import cache
from typing import Any

import pytest
from click.testing import CliRunner, Result
from ruamel.yaml import YAML
from support import ROOT

from clusterprint.cli.explain import explain
from clusterprint.cli.explain_topics import all_topics, groups
from clusterprint.describe import Field, all_fields, allowed, example_in_place, facts, kinds
from clusterprint.validate.wording import TYPES

each_kind = pytest.mark.parametrize("kind", kinds(), ids=lambda kind: kind.name)


def run(*arguments: str) -> Result:
    return CliRunner().invoke(explain, list(arguments))


def data(*arguments: str) -> Any:
    result = run(*arguments, "--format", "json")
    assert result.exit_code == 0
    return json.loads(result.stdout)


def mistake(name: str) -> str:
    """Standard error for an unknown name, without click's lines about usage."""
    result = run(name)
    assert (result.exit_code, result.stdout) == (2, "")
    return result.stderr.partition("Error: ")[2]


ZONE = """\
GCP001: The zone is not in the region.

A zone's name is its region's name with a suffix; subnets are created in the region, nodes in the
zone, so nodes could not join their own network.

Change the zone or the region.

  severity  error
  name      zone_outside_region
  source    Google Cloud: regions and zones
  ignore    cannot be ignored
"""

CAPACITY = """\
vm.nodes.capacity

How the machines are obtained and billed.

  type     a map of keys and values
  default  {model: on_demand, machine_types: [], fallbacks: []}

Keys:
  model               Capacity model
  reservation         Reservation to use
  max_run_duration    Maximum run time of a machine, after which it is stopped or deleted
                      (`termination_action`)
  termination_action  Action on a machine that is preempted or reaches its maximum run time
  calendar            The reservation is in calendar mode: it has an end time, at which its nodes
                      are deleted
  machine_types       Machines of one class that `up` tries in this order with this model: in a
                      capacity after that of the group, in a fallback instead of it
  fallbacks           Other ways to obtain the machines, in the order in which `up` tries them while
                      the cloud has no capacity
  patience            How long `up` tries all wishes again, one round after another, while the cloud
                      has no capacity for any, and how long a group of kind vm stays in the queue of
                      flex_start before the next wish

Example:
  nodes:
    machine_type: a2-highgpu-2g
    capacity:
      model: on_demand
      machine_types: []
      fallbacks: []
"""

ACTION = """\
vm.storage.volumes.access

Access of nodes and workloads.

  type     text
  default  read_write

Allowed values:
  read_write  Read and write.
  read_only   Read.

Example:
  storage:
    volumes:
      - name: scratch
        kind: bucket
        access: read_write
"""

LABELS = """\
vm.labels

Labels of every resource that supports them, for example to attribute cost.

  type        a map of keys and values
  default     {}
  each key    a label key: 1 to 63 lower-case letters, digits, hyphens and underscores, starting
              with a letter
  each value  a label value: at most 63 lower-case letters, digits, hyphens and underscores

Example:
  labels:
    team: ml
"""


@pytest.mark.parametrize("name", ["GCP001", "gcp001", "zone_outside_region", "zone-outside-region"])
def test_a_problem_is_found_by_its_code_and_by_its_name(name: str) -> None:
    assert run(name).output == ZONE


def test_what_can_be_ignored_says_how() -> None:
    assert (
        "  ignore    write `# clusterprint: ignore[FL005] reason` on its line or the line above\n"
        in run("FL005").output
    )


def test_a_map_shows_its_keys() -> None:
    assert run("vm.nodes.capacity").output == CAPACITY


def test_fixed_words_are_shown_with_what_they_mean() -> None:
    assert run("vm.storage.volumes.access").output == ACTION


@pytest.mark.parametrize("name", ["vm.labels", "vm.labels.team"])
def test_a_map_of_free_keys_says_what_they_look_like(name: str) -> None:
    assert run(name).output == LABELS


def test_positions_in_lists_may_be_written_as_messages_show_them() -> None:
    assert run("vm.storage.volumes[0].access").output == ACTION


def test_a_required_key_is_marked() -> None:
    lines = run("vm").output.splitlines()
    assert "  zone (required)          Zone of the nodes, in `region`" in lines
    assert "  network                  The network of the cluster" in lines


def test_a_script_is_shown_as_people_write_it() -> None:
    assert run("vm.startup_script.inline").output.endswith(
        "Example:\n  startup_script:\n    inline: |\n      #!/bin/bash\n      nvidia-smi\n"
    )


def test_limits_are_said_in_words() -> None:
    assert "  limits   0 to 1000\n" in run("vm.nodes.count").output


def test_without_a_name_it_lists_kinds_and_problems() -> None:
    output = run().output
    lines = output.splitlines()
    for group in groups():
        assert group.title in lines
    for topic in all_topics().values():
        assert f"\n  {topic.code}  {topic.severity.value}" in output
    assert all(f"\n  {kind.name}  " in output for kind in kinds())


@pytest.mark.long
@pytest.mark.slow
def test_every_page_fits_a_terminal() -> None:
    fields = [field.name for kind in kinds() for field in all_fields(kind)]
    pages = [run(), *(run(name) for name in [*all_topics(), *fields])]
    assert all(page.exit_code == 0 for page in pages)
    too_long = [line for page in pages for line in page.output.splitlines() if len(line) > 100]
    # A default or an example of one long word cannot be broken.
    assert [line for line in too_long if " " in line.strip() and ": " not in line] == []


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("GCP01", "there is no problem, kind or key 'GCP01'; did you mean GCP001?"),
        ("zone-outside-regio", "did you mean zone_outside_region?"),
        (
            "nodes.capacity",
            "problem, kind or key 'nodes.capacity'; did you mean vm.nodes.capacity or vmss.nodes.capacity?",
        ),
        ("boot_disk", "did you mean vm.nodes.boot_disk"),
        ("VM.nodes", "did you mean vm.nodes"),
        ("vm.nodez.capacity", "vm has no key 'nodez'; did you mean vm.nodes.capacity?"),
        ("vm.nodes.capasity", "vm.nodes has no key 'capasity'; did you mean vm.nodes.capacity?"),
        ("vm.nodez.unheard", "vm has no key 'nodez'; did you mean vm.nodes?"),
        ("vm.nodes.labels", "vm.nodes has no key 'labels'; did you mean vm.labels?"),
        ("vm.nodes.count.x", "vm.nodes.count has no keys below it: it accepts a whole number\n"),
        ("qwertz", "there is no problem, kind or key 'qwertz'\n`clusterprint explain` lists all"),
        ("", "there is no problem, kind or key ''\n"),
        ("vm..nodes", "vm has no key ''\n"),
    ],
)
def test_a_misspelt_name_gets_a_suggestion(name: str, said: str) -> None:
    assert said in mistake(name)


def test_an_unknown_key_comes_with_those_that_there_are() -> None:
    assert mistake("vm.network.xyz") == (
        "vm.network has no key 'xyz'\n"
        "keys of vm.network: cidr, allow_public_cidr, ssh_source_ranges, nat, mtu, existing\n"
    )


def test_json_of_a_problem() -> None:
    found = data("fl005")
    assert (found["about"], found["code"], found["severity"]) == ("problem", "FL005", "note")
    assert found["can_be_ignored"] is True
    assert set(found) == {
        *("about", "code", "name", "severity", "what", "why", "remedy", "source", "can_be_ignored")
    }


def test_json_of_a_key() -> None:
    found = data("vm.storage.volumes.access")
    assert found == {
        "about": "key",
        "name": "vm.storage.volumes.access",
        "description": "Access of nodes and workloads.",
        "required": False,
        "default": "read_write",
        "facts": {"type": "text", "default": "read_write"},
        "allowed": [
            {"value": "read_write", "description": "Read and write."},
            {"value": "read_only", "description": "Read."},
        ],
        "example": "read_write",
        "keys": [],
    }


def test_json_of_everything() -> None:
    found = data()
    codes = [problem["code"] for group in found["groups"] for problem in group["problems"]]
    assert sorted(codes) == list(all_topics())
    assert [kind["name"] for kind in found["kinds"]] == [kind.name for kind in kinds()]


@each_kind
def test_every_field_has_all_that_is_said_about_it(kind: Field) -> None:
    for field in all_fields(kind):
        assert field.description, field.name
        sort = dict(facts(field))["type"]
        assert {sort} <= {*TYPES.values()} or {*sort.split(" or ")} <= {*TYPES.values()}, field.name
        assert all(value.description for value in allowed(field.schema)[1:]), f"a choice of {field.name}"


@cache
def data_of(text: str) -> Any:
    """A text of YAML as data; kinds share most of their fields, and so of their examples."""
    return YAML(typ="safe").load(text)


@pytest.mark.slow
@each_kind
def test_every_example_is_yaml_at_its_place(kind: Field) -> None:
    for field in all_fields(kind):
        found = data_of(example_in_place(field))
        for key in field.name.split(".")[1:]:
            found = found[0] if isinstance(found, list) else found
            assert key in found, field.name
            found = found[key]


def test_every_problem_says_what_why_and_what_to_do() -> None:
    for topic in all_topics().values():
        assert len(topic.docs.split("\n\n")) == 3, topic.code
        assert all((topic.title, topic.why, topic.help, topic.source)), topic.code


def test_names_of_problems_are_unique() -> None:
    names = [topic.name for topic in all_topics().values()]
    assert sorted(set(names)) == sorted(names)


@pytest.mark.process
def test_the_engine_is_not_loaded() -> None:
    program = (
        "import sys; from clusterprint.cli.explain import explain; explain(['vm'], standalone_mode=False);"
        "sys.exit(bool({'cdktf', 'jsii', 'clusterprint.synth'} & set(sys.modules)))"
    )
    subprocess.run([sys.executable, "-c", program], cwd=ROOT, check=True, capture_output=True)
