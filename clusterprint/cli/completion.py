"""Shell completion for arguments that are neither files nor fixed words."""

from pathlib import Path

import click
from click.shell_completion import CompletionItem

# More are no help on pressing tab.
_OFFERED = 200


def names_to_explain(_: click.Context, __: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """Kinds and keys, one level at a time, and the codes of problems."""
    from clusterprint.cli.explain_topics import all_topics  # a tenth of a second, for those who press tab
    from clusterprint.describe import UnknownField, field, kinds

    place, dot, _rest = incomplete.rpartition(".")
    if dot:
        try:
            found = field(place)
        except UnknownField:
            return []
        items = [CompletionItem(each.name, help=each.description) for each in found.keys]
    else:
        items = [CompletionItem(each.name, help=each.description) for each in kinds()]
        items += [CompletionItem(code, help=topic.title) for code, topic in all_topics().items()]
    return [each for each in items if each.value.lower().startswith(incomplete.lower())]


def machine_types(_: click.Context, __: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """Machine types of Google Cloud and sizes of Azure that the catalog has."""
    from clusterprint import catalog

    names = [*catalog.machine_names(), *(each.name for each in catalog.azure_sizes())]
    return [CompletionItem(name) for name in names if name.lower().startswith(incomplete.lower())]


def accelerators(_: click.Context, __: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """GPUs and TPUs, as `clusterprint choose` understands them."""
    from clusterprint.choose.need import accelerators as known

    names = (each.removeprefix("TPU ").replace(" ", "-").lower() for each in known())
    return [CompletionItem(name) for name in names if name.startswith(incomplete.lower())]


def regions(_: click.Context, __: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """Regions of Google Cloud and locations of Azure."""
    from clusterprint import catalog

    names = [*catalog.regions(), *catalog.azure_locations()]
    return [CompletionItem(name) for name in names if name.startswith(incomplete.lower())]


def blueprints(ctx: click.Context, _: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """Blueprints below the folder that is being written, by default that of all; else any file."""
    from clusterprint.cli.settings import settings
    from clusterprint.errors import ClusterprintError
    from clusterprint.find import DEFAULT, find

    folder, _slash, _rest = incomplete.rpartition("/")
    usual, top = DEFAULT if DEFAULT.is_dir() else Path(), ctx.find_root().command
    try:
        if isinstance(top, click.Group) and (given := settings(top).blueprints):
            usual = Path(given)
        below = Path(folder or "/") if _slash else usual
        found = [each.as_posix() for each in find([below])[:_OFFERED]]
    except (ClusterprintError, OSError):
        found = []
    items = [CompletionItem(each) for each in found if each.startswith(incomplete)]
    return items or [CompletionItem(incomplete, type="file")]
