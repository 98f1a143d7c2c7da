"""`down`: what would be lost, consent, protections off, destroy; the stacks that need others first."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple, TypeVar

from clusterprint.errors import ClusterprintError, EnvironmentFailure
from clusterprint.exit_codes import Code
from clusterprint.lifecycle.claimed_disks import Cluster, clusters_in, disks_of, let_go
from clusterprint.lifecycle.destroy_plan import Losing, plan_destroy, plan_loss
from clusterprint.lifecycle.failures import TerraformFailed, explain
from clusterprint.lifecycle.foreign import Foreign, find_foreign, known_in, networks_in, remove
from clusterprint.lifecycle.inventory import Inventory, read_inventory
from clusterprint.lifecycle.plan_review import changes, review
from clusterprint.lifecycle.session import Broken, Session
from clusterprint.lifecycle.skeleton import without_inside
from clusterprint.lifecycle.stack import Stack, waves
from clusterprint.lifecycle.terraform import Terraform
from clusterprint.lifecycle.up import Read, apply_consented
from clusterprint.review.model import Report

Result = TypeVar("Result")


class Consent(NamedTuple):
    """How people are asked: `show` is given everything, `ask` whether to go on, `remove` what others made.

    `read`, where somebody has to know, is given the state of each stack. `foreign` is given what others have
    made and `remove` may be asked about, where that is to be known before anything is destroyed.
    """

    show: Callable[[Mapping[str, Losing], Report], None]
    ask: Callable[[], bool]
    remove: Callable[[Sequence[Foreign]], bool]
    read: Read | None = None
    foreign: Callable[[Sequence[Foreign]], None] | None = None


class Ended(NamedTuple):
    """How it ended: what failed, what was left out because of that, what is still in which state."""

    code: Code
    broken: tuple[Broken, ...] = ()
    left_out: tuple[str, ...] = ()
    left: Mapping[str, tuple[str, ...]] = {}


def down(
    stacks: Sequence[Stack], session: Session, consent: Consent, *, include_data: bool, plan_only: bool
) -> Ended:
    """Destroy what the states of all stacks hold; data only with `include_data`."""
    with session.terraforms(stacks) as terraforms:
        return _Down(stacks, session, consent, terraforms, include_data=include_data).run(plan_only=plan_only)


class _Down:
    def __init__(
        self,
        stacks: Sequence[Stack],
        session: Session,
        consent: Consent,
        terraforms: Mapping[str, Terraform],
        *,
        include_data: bool,
    ) -> None:
        self._stacks = stacks
        self._session = session
        self._consent = consent
        self._terraforms = terraforms
        self._include_data = include_data
        self._broken: list[Broken] = []

    def run(self, *, plan_only: bool) -> Ended:
        inventories = self._each(self._terraforms, self._read)
        if self._broken:
            return self._ended(Code.FAILED)
        empty = not any(each.resources for each in inventories.values())
        stopped = self._leave_out_what_is_gone(inventories, plan_only=plan_only)
        if stopped is not None:
            return self._ended(stopped)
        standing = {name: each for name, each in inventories.items() if each.resources}
        if not standing:
            return self._ended(Code.NOTHING_TO_DO) if empty else self._ended(Code.DONE, self._left())
        losing = self._each(standing, lambda terraform: self._plan(terraform, inventories))
        return self._ended(Code.FAILED) if self._broken else self._lose_all(losing, plan_only=plan_only)

    def _lose_all(self, losing: Mapping[str, Losing], *, plan_only: bool) -> Ended:
        plans = {name: each.document for name, each in losing.items() if each.document}
        self._consent.show(losing, review(plans, partly=True))
        for name, each in losing.items():
            if each.gone:
                self._session.display.line(
                    f"[{name}] gone already, and only has to leave the state: {', '.join(each.gone)}"
                )
        if not any(each.changes or each.gone for each in losing.values()):
            return self._ended(Code.NOTHING_TO_DO, self._left())
        if self._consent.foreign:
            self._consent.foreign(self._foreign(losing))
        if plan_only:
            return self._ended(Code.CHANGES)
        if not self._consent.ask():
            return self._ended(Code.REFUSED)
        self._destroy(losing)
        self._remove_claimed(losing)
        return self._ended(Code.FAILED if self._broken else Code.DONE, self._left())

    def _foreign(self, losing: Mapping[str, Losing]) -> list[Foreign]:
        """Resources of others inside those to destroy. Many are deleted with their cluster."""
        environment = self._session.world.environment
        found: dict[Foreign, None] = {}
        for each in losing.values():
            going = [one for one in each.inventory.resources if one.address not in each.kept]
            inventory = each.inventory._replace(resources=tuple(going))
            known = known_in(each.inventory)
            found |= dict.fromkeys(find_foreign(networks_in(inventory), known, environment))
            if self._include_data:
                found |= dict.fromkeys(disks_of(clusters_in(inventory), environment))
        return list(found)

    def _each(
        self, names: Sequence[str] | Mapping[str, Any], work: Callable[[Terraform], Result]
    ) -> dict[str, Result]:
        done, broken = self._session.each([self._terraforms[name] for name in names], work)
        self._broken += broken
        return done

    def _read(self, terraform: Terraform) -> Inventory:
        self._session.display.begin(terraform.place.stack.name, "reading the state")
        self._session.persisting(terraform, terraform.init, lambda: True)
        document = terraform.state()
        if self._consent.read:
            self._consent.read(terraform.place.stack.name, document)
        return read_inventory(document)

    def _leave_out_what_is_gone(self, inventories: dict[str, Inventory], *, plan_only: bool) -> Code | None:
        """Let what went with its cluster leave the state; the exit code if it ends there."""
        gone = self._inside_of_what_is_gone(inventories)
        for name, addresses in gone.items():
            self._session.display.line(
                f"[{name}] its cluster is gone, and with it what was in it, which only has to leave the "
                f"state: {', '.join(addresses)}"
            )
        if not gone:
            return None
        if plan_only:
            return Code.CHANGES
        if not self._consent.ask():
            return Code.REFUSED
        inventories |= self._each(gone, lambda terraform: self._forget(terraform, gone))
        return Code.FAILED if self._broken else None

    def _inside_of_what_is_gone(self, inventories: Mapping[str, Inventory]) -> dict[str, list[str]]:
        """Resources inside a deleted cluster: they are gone too, and no API can tell."""
        found = {}
        for stack in self._stacks:
            if inventories[stack.name].found_cluster is not None:
                continue  # somebody else's, which no stack of ours makes
            inside = [each.address for each in inventories[stack.name].resources if each.is_inside]
            around = [inventories[each] for each in stack.needs if each in inventories]
            if inside and around and not any(each.has_cluster for each in around):
                found[stack.name] = inside
        return found

    def _forget(self, terraform: Terraform, gone: Mapping[str, list[str]]) -> Inventory:
        terraform.forget(gone[terraform.place.stack.name])
        without_inside(terraform.place.folder)
        terraform.init()
        return read_inventory(terraform.state())

    def _plan(self, terraform: Terraform, inventories: Mapping[str, Inventory]) -> Losing:
        inventory = inventories[terraform.place.stack.name]
        return plan_loss(self._session, terraform, inventory, include_data=self._include_data)

    def _destroy(self, losing: Mapping[str, Losing]) -> None:
        for wave in reversed(waves(self._stacks)):
            lost = {each.stack for each in self._broken}
            needed = {need for each in self._stacks if each.name in lost for need in each.needs}
            ready = [each.name for each in wave if each.name in losing and each.name not in needed]
            # What others are needed by is not destroyed under them.
            self._broken += [
                Broken(each.name, EnvironmentFailure("not destroyed: what is in it could not be"))
                for each in wave
                if each.name in needed
            ]
            self._each(ready, lambda terraform: self._lose(terraform, losing[terraform.place.stack.name]))
            self._remove_foreign(losing)

    def _lose(self, terraform: Terraform, losing: Losing) -> None:
        """Protections off, and destroy: nothing but what was agreed to."""
        display = self._session.display
        name = terraform.place.stack.name
        inventory = read_inventory(terraform.state())
        if inventory.protections(with_data=self._include_data, kept=losing.kept):
            display.line(f"[{name}] removing protections")
            terraform.replace_state(inventory.unprotected(with_data=self._include_data, kept=losing.kept))
        try:
            self._lose_unprotected(terraform, inventory, losing)
        except Exception:
            # Another `down` would take data for what was never protected.
            self._protect_again(terraform, inventory)
            raise

    def _lose_unprotected(self, terraform: Terraform, inventory: Inventory, losing: Losing) -> None:
        if not plan_destroy(self._session, terraform, inventory, losing.kept) and not losing.gone:
            return  # what has gone since is no loss; a plan that finds nothing left lets it leave the state
        if more := changes(terraform.planned()).keys() - losing.changes.keys():
            raise EnvironmentFailure(
                f"new in the state since it was shown: {', '.join(sorted(more))}: run the same command again"
            )
        apply_consented(
            self._session,
            terraform,
            losing.changes,
            plan=lambda: plan_destroy(
                self._session, terraform, read_inventory(terraform.state()), losing.kept
            ),
        )

    def _protect_again(self, terraform: Terraform, before: Inventory) -> None:
        name = terraform.place.stack.name
        try:
            document = read_inventory(terraform.state()).protected_as(before)
            if document is not None:
                terraform.replace_state(document)
                self._session.display.line(f"[{name}] protections are on again for what is left")
        except (TerraformFailed, ClusterprintError):
            self._session.display.line(
                f"[{name}] protections are off in the state until the next up: a down takes data with it, "
                "--include-data or not"
            )

    def _remove_foreign(self, losing: Mapping[str, Losing]) -> None:
        """Where a network is in use, find by what; with consent, remove that and try again."""
        held = [each for each in self._broken if _is_in_use(each.failed)]
        for broken in held:
            terraform = self._terraforms[broken.stack]
            try:
                left = read_inventory(terraform.state())
                found = find_foreign(networks_in(left), known_in(left), self._session.world.environment)
                if not found or not self._consent.remove(found):
                    continue
                for each in found:
                    self._session.display.line(f"[{broken.stack}] removing {each.what} {each.name}")
                    remove(each, self._session.world.environment)
            except (TerraformFailed, EnvironmentFailure) as failed:
                self._broken.append(Broken(broken.stack, failed))
                continue
            self._broken.remove(broken)
            self._each(
                [broken.stack], lambda terraform: self._lose(terraform, losing[terraform.place.stack.name])
            )

    def _remove_claimed(self, losing: Mapping[str, Losing]) -> None:
        """Disks of claims stay when their cluster goes: they are data, and go with data, or are told."""
        gone = [each for name in losing for each in self._gone(name, losing)]
        let_go(gone, self._session, lambda found: self._include_data and self._consent.remove(found))

    def _gone(self, name: str, losing: Mapping[str, Losing]) -> list[Cluster]:
        """The clusters that a stack has lost; it may have failed at something else after that."""
        had = clusters_in(losing[name].inventory)
        if not had:
            return []
        try:
            has = clusters_in(read_inventory(self._terraforms[name].state()))
        except (TerraformFailed, EnvironmentFailure):
            return []  # whether they have gone is not known; what went wrong is told of the state itself
        return [each for each in had if each not in has]

    def _left(self) -> dict[str, tuple[str, ...]]:
        """The resources that remain in each state."""
        done, broken = self._session.each(
            list(self._terraforms.values()), lambda each: read_inventory(each.state())
        )
        self._broken += broken
        return {name: tuple(each.address for each in left.resources) for name, left in done.items()}

    def _ended(self, code: Code, left: Mapping[str, tuple[str, ...]] | None = None) -> Ended:
        return Ended(Code.FAILED if self._broken else code, tuple(self._broken), (), left or {})


def _is_in_use(failed: Exception) -> bool:
    return isinstance(failed, TerraformFailed) and any(
        explain(each).name == "network in use" for each in failed.errors
    )
