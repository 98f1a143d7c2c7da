"""The variables that the Azure scale set scripts source: a blueprint of kind vmss."""

import re
import shlex
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import PurePosixPath
from typing import Any

from clusterprint.errors import UsageError
from clusterprint.importing.fields import Fields
from clusterprint.importing.findings import Finding
from clusterprint.importing.formats import Text
from clusterprint.importing.source import Source
from clusterprint.importing.work import Line, Translated, Work

_LINE = re.compile(r"(?:export\s+)?([A-Za-z_]\w*)=(.*)")
_SUBSTITUTION = re.compile(r"[`$]")
_KEY = "cluster.pub"


def translate(texts: Sequence[Text], given: Mapping[str, Any]) -> Translated:
    """The blueprint that the variables mean."""
    if len(texts) > 1:
        raise UsageError(f"{texts[1].file}: variables of the scripts are imported alone")
    source, findings = _read(texts[0].file, texts[0].text)
    work = Work("vmss")
    work.findings += findings
    fields = Fields(work, source, given)
    fields.required("VMSS_NAME", ("name",))
    fields.required("LOCATION", ("location",))
    fields.required("SUBSCRIPTION", ("subscription",))
    fields.put("RESOURCE_GROUP", ("resource_group",))
    fields.required("SKU", ("nodes", "size"))
    fields.put("INSTANCE_COUNT", ("nodes", "count"), str, _number)
    fields.put("ORCH_MODE", ("nodes", "orchestration"), str, str.lower)
    fields.put("IMAGE", ("nodes", "image"))
    fields.put("VM_NAME_PREFIX", ("nodes", "name_prefix"))
    work.put(fields.at("ADMIN"), ("admin", "username"), fields.get("ADMIN", default="azureuser"))
    _files(fields)
    _tags(fields)
    bucket = f"{work.data.get('name') or 'my-cluster'}-terraform-state"
    work.put(Line(0, source.file), ("backend", "gcs", "bucket"), bucket)
    work.decide(f"state is kept in the bucket {bucket} of Google Cloud Storage")
    work.put(fields.at("INSTANCE_COUNT"), ("nodes", "os_disk", "size_gb"), 256)
    work.decide("the head is a machine besides those of INSTANCE_COUNT; it was the first of them")
    work.decide(
        "no load balancer has ports from 50000 on: other nodes are reached through the head, or the access "
        "that the blueprint names"
    )
    fields.left()
    return work.done()


def _number(text: str) -> int | str:
    return int(text) if re.fullmatch(r"[0-9]{1,6}", text) else text


def _files(fields: Fields) -> None:
    path = fields.get("SSH_PATH", default="~/.ssh/id_rsa.pub")
    fields.work.put(fields.at("SSH_PATH"), ("admin", "ssh_public_key", "file"), f"./{_KEY}")
    fields.work.decide(
        f"nothing is read from a home directory: copy {path} beside the blueprint, as ./{_KEY}"
    )
    cloud_init = fields.get("CLOUD_INIT")
    if cloud_init:
        name = PurePosixPath(cloud_init).name
        fields.work.put(fields.at("CLOUD_INIT"), ("cloud_init", "file"), f"./{name}")


def _tags(fields: Fields) -> None:
    words = fields.get("TAGS", list, [])
    tags = dict(each.rstrip(",").partition("=")[::2] for each in words if each.rstrip(","))
    if tags:
        fields.work.put(fields.at("TAGS"), ("tags",), tags)
        if len(tags) > 1:
            fields.work.decide("all TAGS are set; the scripts set only the last")


def _read(file: str, text: str) -> tuple[Source, list[Finding]]:
    """Assignments of a shell, without running any: constants, and lists in parentheses."""
    data: dict[str, str | list[str]] = {}
    lines: dict[tuple[str | int, ...], int] = {}
    findings = []
    rows = enumerate(text.splitlines(), 1)
    for number, row in rows:
        if not row.strip() or row.strip().startswith("#"):
            continue
        match = _LINE.fullmatch(row.strip())
        value = match[2] if match else ""
        if value.startswith("(") and ")" not in value:
            value = "\n".join((value, *_up_to_parenthesis(each for _, each in rows)))
        try:
            words = shlex.split(value.strip("()") if value.startswith("(") else value, comments=True)
        except ValueError:
            words = []
            match = None
        if match is None or _SUBSTITUTION.search(value) or (len(words) > 1 and not value.startswith("(")):
            findings.append(Finding(number, "error", "this is not NAME=value with a constant", file=file))
            continue
        data[match[1]] = words if value.startswith("(") else " ".join(words)
        lines[match[1],] = number
    return Source(file, data, lines), findings


def _up_to_parenthesis(rows: Iterable[str]) -> Iterator[str]:
    for row in rows:
        yield row
        if ")" in row:
            return
