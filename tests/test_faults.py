"""Every create and every delete of a cluster fails once, before it has its effect and after it.

So do looking at it and planning it. `up` and `down` are run again, as people do, until they are done. All
types of resources fail in one life: each attempt gets as far as the next of them. Everything runs in this
process, in one world that stands all the time.
"""

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from io import StringIO
from pathlib import Path
from typing import NamedTuple, TypeVar

import pytest
from lives import Life
from support import BLUEPRINTS, Run

from clusterprint.exit_codes import Code
from clusterprint.lifecycle import down as downs
from clusterprint.lifecycle import up as ups
from clusterprint.lifecycle.display import Display
from clusterprint.lifecycle.session import Session, session
from clusterprint.lifecycle.skeleton import skeletons
from clusterprint.lifecycle.stack import Stack, read_stacks
from clusterprint_simcloud import Fault
from clusterprint_simcloud.cloud.faults import Operation

pytestmark = [pytest.mark.slow, pytest.mark.long, pytest.mark.terraform]

Ended = TypeVar("Ended", ups.Ended, downs.Ended)

TEMPLATE = "google_compute_instance_template"
UNKNOWN = "something that nobody knows"
# No attempt gets further than the next fault, and no chain of what needs each other is as long as that.
ATTEMPTS = 25
GKE = """\
clusterprint: v1
kind: gke
name: faulty
project: my-gpu-project
region: us-east4
backend: {gcs: {bucket: my-terraform-state}}
node_pools: [{name: workers, machine_type: n2-standard-4, count: 1}]
storage: {volumes: [{name: data, kind: bucket, bucket: faulty-data}]}
workloads: {jobset: {}}
"""


class Attempts(NamedTuple):
    """`up` and `down` of some stacks in a world that stands."""

    life: Life
    stacks: list[Stack]
    session: Session
    wanted: list[int]

    def up(self, *, adopt: bool) -> ups.Ended:
        """One `up`, of people who agree."""
        consent = ups.Consent(lambda _: None, lambda _: True)
        return ups.up(self.stacks, self.session, consent, plan_only=False, adopt=adopt)

    def down(self) -> downs.Ended:
        """One `down`, data and all, and whatever lies in the networks."""
        consent = downs.Consent(lambda *_: None, lambda: True, lambda _: True)
        with skeletons(self.stacks) as bare:
            return downs.down(bare, self.session, consent, include_data=True, plan_only=False)

    def each(self, operation: Operation, when: str) -> list[Fault]:
        """A fault for each type of resource."""
        after, lost = when != "before", when == "lost"
        return [Fault(operation, each, error=UNKNOWN, after=after, lost=lost) for each in self.types()]

    def types(self) -> list[str]:
        """The types of all in the stacks that a cloud makes."""
        stacks = [json.loads((each.folder / "cdk.tf.json").read_text()) for each in self.stacks]
        return sorted({kind for each in stacks for kind in each["resource"]} - {"terraform_data"})

    def faults(self, *faults: Fault) -> None:
        """The faults from now on."""
        self.life.faults(*faults)
        self.wanted[:] = range(len(faults))

    def until_done(self, attempt: Callable[[], Ended]) -> Ended:
        """Try until nothing fails any more; every fault has been met then."""
        for _ in range(ATTEMPTS):
            ended = attempt()
            if not ended.broken:
                assert {int(each) for each in self.life.cloud.read().matches} == set(self.wanted)
                return ended
        raise AssertionError(f"it fails for ever: {[vars(each.failed) for each in ended.broken]}")

    def lost(self) -> set[str]:
        """The resources in the cloud and in no state, or the reverse. Groups have created their machines."""
        made = {each.key for each in self.life.made() if each.type.startswith("google_") and not each.owner}
        known = set(self.known())
        return (made - known) | (known - set(self.life.cloud.read().records))

    def known(self) -> Iterator[str]:
        """Google's resources in the states, by type and id."""
        with self.session.terraforms(self.stacks) as terraforms:
            for each in terraforms.values():
                each.init()
                for resource in each.state().get("resources", ()):
                    if resource["mode"] == "managed" and resource["type"].startswith("google_"):
                        for one in resource["instances"]:
                            yield f"{resource['type']} {one['attributes']['id']}"


@contextmanager
def attempts(life: Life, stacks: list[Stack]) -> Iterator[Attempts]:
    """A world for some stacks."""
    with session(stacks, life.folder, Display(StringIO(), print), life.folder / "logs") as opened:
        yield Attempts(life, stacks, opened, [])


@pytest.fixture
def stacks(kind: str, clusterprint: Run, tmp_path: Path) -> list[Stack]:
    """The stacks of the smallest cluster of a kind."""
    blueprint = BLUEPRINTS / "vm-smallest.yaml"
    if kind == "gke":
        blueprint = tmp_path / "faulty.yaml"
        blueprint.write_text(GKE)
    done = clusterprint("synth", blueprint, "--out", tmp_path / "out")
    assert done.returncode == 0, done.stderr
    return read_stacks(tmp_path / "out")


# Each kind of failure in one kind of cluster: Terraform and `up` treat the types of both alike.
@pytest.mark.parametrize(("kind", "when"), [("vm", "before"), ("gke", "after"), ("vm", "lost")])
def test_whatever_fails_once_is_made_in_the_end_and_goes_without_a_trace(
    life: Life, stacks: list[Stack], when: str
) -> None:
    first = when == "before"
    with attempts(life, stacks) as world:
        world.faults(*world.each("create", when), *(world.each("plan", when) if first else ()))
        assert world.until_done(lambda: world.up(adopt=not first)).code is Code.DONE
        world.faults(*(world.each("read", when) if first else ()))
        assert world.until_done(lambda: world.up(adopt=False)).code is Code.NOTHING_TO_DO
        # Nobody finds a name that a provider has made up, and then forgotten; it lies in the network.
        forgotten = {each for each in world.lost() if each.startswith(f"{TEMPLATE} ")}
        assert (world.lost() - forgotten, bool(forgotten)) == (
            set(),
            when == "lost" and TEMPLATE in world.types(),
        )

        world.faults(*world.each("delete", when))
        assert world.until_done(world.down).code is Code.DONE
        assert life.made() == []
        assert list(world.known()) == []
