"""Amounts that policies limit, in words."""

from clusterprint.words import counted

_THINGS = {
    "gpus": ("GPU", ""),
    "tpu_chips": ("TPU chip", ""),
    "nodes": ("node", ""),
    "cost_per_hour": ("US dollar", " per hour"),
    "cost_per_month": ("US dollar", " per month"),
}


def in_words(limit: str, amount: float, *, more: bool = False) -> str:
    """An amount of what a limit is about: `1 GPU`, `2 more nodes`, `1,980,931.2 US dollars per month`."""
    thing, per = _THINGS[limit]
    return f"{counted(amount, f'more {thing}' if more else thing)}{per}"
