"""Data that goes with the resource that holds it, and state that Terraform would no longer find."""

from collections.abc import Iterator

from clusterprint.resource_types import Data, resource_type
from clusterprint.review import guards
from clusterprint.review.compared import ComparedCluster
from clusterprint.review.delta import Delta, get
from clusterprint.review.known import is_elsewhere
from clusterprint.review.model import Risk
from clusterprint.review.risks._make import About, goes

_REFUSED: dict[guards.Refusal, str] = {
    "plan": "Terraform refuses to plan that, because it is protected, so nothing is applied",
    "apply": "the apply fails there, because it is protected, and may have changed other things before",
}

_KEEP = "to keep it, revert this; to delete it, first apply a change that only "
_TWO_WORDS = f"{_KEEP}adds `deletion_protection: false` to its entry and its name to `storage.may_lose`"


def data_loss(scene: ComparedCluster) -> Iterator[Risk]:
    """Each resource that holds data and goes, and each stack whose state is looked for elsewhere."""
    about = About(scene)
    for delta in scene.deltas:
        data = resource_type(delta.resource.type).data
        if delta.destroys and data and not is_elsewhere(data, delta.resource.values):
            yield _loss(delta, data, about)
    for stack, old, new in scene.states:
        yield about.risk(
            "state_moved",
            "critical",
            f"the state of stack {stack} is looked for at {new}, but it is at {old}: "
            "Terraform would find none and create everything a second time",
            help="copy the state first (terraform init -migrate-state), or keep bucket, prefix and name",
        )


def _loss(delta: Delta, data: Data, about: About) -> Risk:
    name, is_store = data.risk, resource_type(delta.resource.type).is_store
    message = f"{goes(delta)}, and with it {data.what}"
    refused = guards.refusal(delta, about.scene)
    if refused:
        help_text = _TWO_WORDS if is_store else f"{_KEEP}takes off its protection"
        return about.risk(name, "high", f"{message}; {_REFUSED[refused]}", [delta], help_text)
    unless_empty = _refused_unless_empty(delta, data)
    if unless_empty:
        help_text = "to keep it, remove it from the state first (a removed block), then from the blueprint"
        return about.risk(name, "high", f"{message}; {unless_empty}", [delta], help_text)
    if is_store and not about.scene.unguarded:
        message += "; nothing protects it"
    help_text = "save what is needed first, or remove it from the state (a removed block) to keep it"
    return about.risk(name, "critical", message, [delta], help_text)


def _refused_unless_empty(delta: Delta, data: Data) -> str:
    """Who refuses to delete what is not protected, as long as there is something in it."""
    before = delta.before.values if delta.before else {}
    found = data.unless_empty
    if found is None or (found.ends and get(before, found.ends) is True):
        return ""
    return found.why
