"""Detection of the tool that a file belongs to, and its reader."""

import re
from collections.abc import Callable, Mapping, Sequence
from importlib import import_module
from typing import Any, NamedTuple

from clusterprint.errors import UsageError
from clusterprint.importing import hcl, source
from clusterprint.importing.work import Translated
from clusterprint.validate import synonyms


class Text(NamedTuple):
    """A file: what messages call it, and what it says."""

    file: str
    text: str


class _Format(NamedTuple):
    """How a format is recognized, the module with its `translate`, and how a value of `--var` is read.

    Cluster Toolkit reads such a value as YAML (`gcluster create --vars`), Terraform as HCL or as text, by
    the type of the variable (`terraform apply -var`), a shell as words.
    """

    sign: re.Pattern[str]
    module: str
    value_of: Callable[[str], Any]


def _format(sign: str, module: str, value_of: Callable[[str], Any] = source.shell_value) -> _Format:
    return _Format(re.compile(sign, re.MULTILINE), f"clusterprint.importing.{module}", value_of)


# The first whose sign is in a file: narrow signs stand before wide ones.
_FORMATS = {
    "toolkit": _format(
        r"^(?:blueprint_name|deployment_groups|terraform_backend_defaults)[ \t]*:",
        "toolkit",
        source.yaml_value,
    ),
    "ray": _format(r"^(?:available_node_types|head_node_type)[ \t]*:", "ray_cluster", source.yaml_value),
    "skypilot": _format(r"^resources[ \t]*:", "skypilot", source.yaml_value),
    "xpk": _format(r"(?:^|[ \t/])xpk(?:\.py)?[ \t]+cluster[ \t]+create", "xpk"),
    "azure-scripts": _format(r"^(?:export[ \t]+)?(?:VMSS_NAME|ORCH_MODE|RESOURCE_GROUP)=", "azure_scripts"),
    "mpi-tfvars": _format(
        r"^(?:gke_nodes_per_zone|num_workers|slots_per_worker|path_to_file|runscript)[ \t]*=",
        "mpi_tfvars",
        hcl.value_of,
    ),
    "tfvars": _format(
        r"^(?:instance_groups|node_pools|resource_prefix|name_prefix|project_id)[ \t]*=",
        "tfvars",
        hcl.value_of,
    ),
    "env-file": _format(r"^(?:export[ \t]+)?[A-Z][A-Z_]*[ \t]*=", "envfile.files", str),
}
# Jobs and settings of Slurm itself.
_SLURM = re.compile(
    r"^(?:#SBATCH[ \t]|(?:SlurmctldHost|ControlMachine|NodeName|PartitionName)=)", re.MULTILINE
)
#: What `--from` takes.
FORMATS = tuple(_FORMATS)

Reader = Callable[[Sequence[Text], Mapping[str, Any]], Translated]


def translate(texts: Sequence[Text], name: str | None, given: Mapping[str, str]) -> Translated:
    """The blueprint that files mean. `name` is their format, if it is known; `given` are texts of `--var`.

    Raises UsageError for files of no known format, and for a text that the format cannot read.
    """
    known = name or next(
        (each for each in _FORMATS for text in texts if _FORMATS[each].sign.search(text.text)), None
    )
    if known is None and any(_SLURM.search(text.text) for text in texts):
        raise UsageError(synonyms.why_not_built("slurm"))
    if known is None:
        raise UsageError(f"{texts[0].file} has no known format: name it with --from ({', '.join(FORMATS)})")
    reader: Reader = import_module(_FORMATS[known].module).translate
    return reader(texts, {key: _value(known, key, text) for key, text in given.items()})


def _value(known: str, name: str, text: str) -> Any:
    try:
        return _FORMATS[known].value_of(text)
    except ValueError as why:
        raise UsageError(f"--var {name}={text} cannot be read as the format {known} would: {why}") from None
