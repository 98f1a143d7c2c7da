"""`up --build-images`: create the registries, build the images, then create the rest."""

from collections.abc import Callable, Mapping, Sequence
from contextlib import nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, Protocol

from clusterprint.cli import image_builds, lifecycle
from clusterprint.cli.approvals import Agreement
from clusterprint.examine import Examined
from clusterprint.exit_codes import Code

if TYPE_CHECKING:
    from clusterprint.lifecycle.up import Consent, Ended


class Asked(NamedTuple):
    """The request: blueprints, images, and how it is confirmed.

    `for_now`: the images are good for this run only, as those of a simulated cloud are.
    """

    paths: Sequence[Path]
    images: Sequence[image_builds.Due]
    agreement: Agreement
    for_now: bool


class Then(Protocol):
    """The steps after the stacks exist; whether they were confirmed, unless `consented` before."""

    def __call__(self, environment: Mapping[str, str], *, consented: bool) -> bool:
        """Run the steps; `environment` is that of the world of the stacks."""


def make(examined: Examined, asked: Asked, consent: "Consent", run: "Callable[..., Ended]") -> "Ended":
    """Create the stacks that builds need, build, and create the rest; `run` creates. Raises BuildFailed."""
    from clusterprint.lifecycle.plan_review import documents_of

    with image_builds.for_now(asked.images) if asked.for_now else nullcontext():
        first = _first(examined, asked, consent, run)
        if first.code not in (Code.DONE, Code.NOTHING_TO_DO):
            return first
        again = lifecycle.sound(asked.paths)
        rest = run(again, consent._replace(documents=documents_of(again)))
    # What was built is something that was done.
    code = Code.DONE if rest.code is Code.NOTHING_TO_DO else rest.code
    return rest._replace(code=code, reports=(*first.reports, *rest.reports))


def _first(examined: Examined, asked: Asked, consent: "Consent", run: "Callable[..., Ended]") -> "Ended":
    what = image_builds.names_of(asked.images)
    agreed = asked.agreement.agreed

    def build(environment: Mapping[str, str], *, consented: bool) -> bool:
        if not consented and not agreed(f"Build {what}?"):
            return False
        for each in asked.images:
            image_builds.build(each.plan, each.folder, environment)
        return True

    both = consent._replace(
        ask=lambda names: agreed(f"Apply this plan to {', '.join(names)}, and then build {what}?")
    )
    return run(examined, both, only=frozenset(each.stack for each in asked.images), then=build)
