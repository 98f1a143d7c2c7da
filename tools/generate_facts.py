"""Facts that one distribution needs of another one that it cannot import.

    clusterprint/review/facts/force_new.json            provider arguments, for reviews
    provisioner/clusterprint_provisioner/tpus.json      TPUs of the catalog, for the slice provisioner
    provisioner/clusterprint_provisioner/sizes.json     vCPUs and GiB of machines, for the same

    python tools/generate_facts.py           writes the files
    python tools/generate_facts.py --check   compares, exit code 1 if it is stale

A path that ends in `[]` is a block that forces a replacement when it comes or goes; what is in it has a say
of its own.

Reviews work without the simulated cloud, so they get a copy of what it knows: from the tables of the
providers that have one (simcloud/clusterprint_simcloud/facts, made by tools/tabulate_providers.py), with
what the simulated types say beyond them.
"""

import json
import math
import sys
from collections.abc import Iterable
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT), str(ROOT / "simcloud")]

from clusterprint import catalog  # noqa: E402
from clusterprint_simcloud import facts  # noqa: E402 - the checkout first, then the import
from clusterprint_simcloud.providers import PROVIDERS  # noqa: E402

TARGET = ROOT / "clusterprint" / "review" / "facts" / "force_new.json"
CATALOG = ROOT / "clusterprint" / "catalog" / "google" / "tpus.json"
TPUS = ROOT / "provisioner" / "clusterprint_provisioner" / "tpus.json"
SIZES = TPUS.with_name("sizes.json")
#: Small types of providers that are not simulated, read off their documentation.
BY_HAND = {
    "random_id": {"byte_length", "keepers", "prefix"},
    "random_password": {"keepers", "length"},
    "terraform_data": {"triggers_replace"},
}


def generate() -> str:
    """Make the file's content: a line for each type."""
    found = dict(BY_HAND)
    for name, version in facts.SERVED.items():
        for type_, rows in facts.table(name, version).items():
            found[type_] = _marked({path for path, fact in rows.items() if fact.says("force_new")}, rows)
    for provider in PROVIDERS.values():
        for kind in provider.resources.values():
            forcing = {path for path, fact in kind.arguments.items() if fact.force_new}
            whole = {path for path in forcing if kind.arguments[path].deep}
            found[kind.name] = whole | _marked(forcing - whole, kind.arguments)
    # The provider has most types under two names.
    for type_ in [one for one in found if one.startswith("kubernetes_") and one.endswith("_v1")]:
        found.setdefault(type_.removesuffix("_v1"), found[type_])
    found["kubernetes_daemonset"] = found["kubernetes_daemon_set_v1"]
    read = ", ".join(facts.source(name, version) for name, version in facts.SERVED.items())
    source = f"The providers {read}; documentation of the others."
    lines = [f"    {json.dumps(type_)}: {json.dumps(sorted(found[type_]))}" for type_ in sorted(found)]
    types = ",\n".join(lines)
    return f'{{\n  "source": {json.dumps(source)},\n  "types": {{\n{types}\n  }}\n}}\n'


def generate_tpus() -> str:
    """Make what the slice provisioner knows of TPUs: by the label of their nodes, machines by their chips."""
    found = {}
    for generation in json.loads(CATALOG.read_text("utf-8")).values():
        machines = generation["machines"]
        found[generation["accelerator_label"]] = {
            "dimensions": generation["dimensions"],
            "max_chips": generation["max_chips"],
            "machines": {str(machine["chips"]): name for name, machine in machines.items()},
            "alone": [name for name, machine in machines.items() if machine.get("single_host")],
            "policy_when_multi_host": generation.get("workload_policy_when_multi_host", False),
        }
    return json.dumps(found, indent=2) + "\n"


def generate_sizes() -> str:
    """Make what the slice provisioner knows of the size of machines with TPUs or GPUs, one in a line."""
    tpus = ((name, one) for type_ in catalog.tpu_types() for name, one in type_.machines.items())
    known = {name: (one.vcpus, one.memory_gb) for name, one in tpus}
    known |= {one.name: (one.vcpus, one.memory_gb) for one in catalog.machines() if one.gpus}
    sizes = {name: [cpus, math.ceil(memory)] for name, (cpus, memory) in known.items() if cpus and memory}
    lines = ",\n".join(f"  {json.dumps(name)}: {json.dumps(sizes[name])}" for name in sorted(sizes))
    return f"{{\n{lines}\n}}\n"


def _marked(paths: Iterable[str], known: Iterable[str]) -> set[str]:
    """The paths, those of blocks with their mark."""
    parents = {path.rpartition(".")[0] for path in known}
    return {f"{path}[]" if path in parents else path for path in paths}


def main(*, check: bool) -> int:
    """Write, or compare."""
    stale = {
        target: text
        for target, text in ((TARGET, generate()), (TPUS, generate_tpus()), (SIZES, generate_sizes()))
        if not target.exists() or target.read_text("utf-8") != text
    }
    for target, text in stale.items():
        print(f"{target.relative_to(ROOT)} {'is stale: run tools/generate_facts.py' if check else 'written'}")
        if not check:
            target.write_text(text, "utf-8")
    return int(check and bool(stale))


if __name__ == "__main__":
    sys.exit(main(check="--check" in sys.argv))
