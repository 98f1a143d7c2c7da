"""Whose a file is, and who reads it."""

import re
from collections.abc import Callable, Mapping, Sequence
from importlib import import_module
from typing import NamedTuple

from clusterprint.errors import UsageError
from clusterprint.importing.work import Translated


class Text(NamedTuple):
    """A file: what messages call it, and what it says."""

    file: str
    text: str


class _Format(NamedTuple):
    """How a format is recognized, and the module with its `translate`."""

    sign: re.Pattern[str]
    module: str


def _format(sign: str, module: str) -> _Format:
    return _Format(re.compile(sign, re.MULTILINE), f"clusterprint.importing.{module}")


# The first whose sign is in a file: narrow signs stand before wide ones.
_FORMATS = {
    "toolkit": _format(r"^(?:blueprint_name|deployment_groups|terraform_backend_defaults)[ \t]*:", "toolkit"),
    "ray": _format(r"^(?:available_node_types|head_node_type)[ \t]*:", "ray_cluster"),
    "skypilot": _format(r"^resources[ \t]*:", "skypilot"),
    "xpk": _format(r"(?:^|[ \t/])xpk(?:\.py)?[ \t]+cluster[ \t]+create", "xpk"),
    "azure-scripts": _format(r"^(?:export[ \t]+)?(?:VMSS_NAME|ORCH_MODE|RESOURCE_GROUP)=", "azure_scripts"),
    "mpi-tfvars": _format(
        r"^(?:gke_nodes_per_zone|num_workers|slots_per_worker|path_to_file|runscript)[ \t]*=", "mpi_tfvars"
    ),
    "tfvars": _format(
        r"^(?:instance_groups|node_pools|resource_prefix|name_prefix|project_id)[ \t]*=", "tfvars"
    ),
    "env-file": _format(r"^(?:export[ \t]+)?[A-Z][A-Z_]*[ \t]*=", "envfile.files"),
}
#: What `--from` takes.
FORMATS = tuple(_FORMATS)

Reader = Callable[[Sequence[Text], Mapping[str, str]], Translated]


def translate(texts: Sequence[Text], name: str | None, given: Mapping[str, str]) -> Translated:
    """The blueprint that files mean. `name` is their format, if it is known."""
    known = name or next(
        (each for each in _FORMATS for text in texts if _FORMATS[each].sign.search(text.text)), None
    )
    if known is None:
        raise UsageError(f"{texts[0].file} has no known format: name it with --from ({', '.join(FORMATS)})")
    reader: Reader = import_module(_FORMATS[known].module).translate
    return reader(texts, given)
