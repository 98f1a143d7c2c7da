"""The command for the ACTION of an env file."""

from collections.abc import Mapping

from clusterprint.importing.envfile.read import Variable

#: What is asked to happen, and the command that does it.
ACTIONS: dict[str, tuple[str, ...]] = {
    "create": ("up",),
    "destroy": ("down",),
    "plan": ("up", "--plan-only"),
    "validate": ("validate",),
}
#: What the container took for yes and for no.
YES = frozenset({"yes", "true", "1"})
NO = frozenset({"no", "false", "0"})
# How long the container let a cluster stand that it was to clean up, in seconds.
_STANDS = "300"


def command_of(action: str, variables: Mapping[str, Variable]) -> tuple[str, ...]:
    """The words of the command for an action, without the blueprint."""
    words = ACTIONS[action]
    if action == "create" and cleans_up(variables):
        sleeps = variables.get("SLEEP_DURATION_SEC")
        words += ("--ephemeral", "--for", f"{sleeps.value if sleeps else _STANDS}s")
    return words


def cleans_up(variables: Mapping[str, Variable]) -> bool:
    """Whether a cluster goes when whoever made it ends."""
    found = variables.get("CLEANUP_ON_EXIT")
    return found is not None and found.value.lower() in YES
