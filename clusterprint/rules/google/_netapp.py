"""Helpers of rules about NetApp volumes."""

from clusterprint.blueprint.google import GoogleBlueprint
from clusterprint.derived import google_provider
from clusterprint.rules.context import Context


def or_flex(context: Context[GoogleBlueprint]) -> str:
    """The end of a help that suggests another level, which an old provider does not have."""
    return "" if google_provider.is_old(context.blueprint.terraform) else ", or write tier: flex"
