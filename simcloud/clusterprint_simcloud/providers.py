"""The providers that are simulated, each as a version of the real one."""

import dataclasses
from collections.abc import Mapping
from functools import cache
from types import MappingProxyType

from clusterprint_simcloud import azure, facts, google, helm, kubernetes, schema
from clusterprint_simcloud.arguments import adding, reported
from clusterprint_simcloud.cloud.behaviour import Provider, Request, Step
from clusterprint_simcloud.values import at

#: As they are written down, before the facts of a version come in.
MODELS = {one.name: one for one in (google.PROVIDER, azure.PROVIDER, kubernetes.PROVIDER, helm.PROVIDER)}


@cache
def served(name: str, version: str = "") -> Provider:
    """A provider with what is known of the arguments of a version; by default the one in `facts.SERVED`.

    :raises MissingPart: when there is no table of this version.
    """
    model = MODELS[name]
    version = version or facts.SERVED[name]
    table = facts.table(name, version)
    forgotten, unsent = facts.unimplemented(name, version), facts.unsent(name, version)
    resources = {}
    for one in model.resources.values():
        forget = _forgetting(forgotten.get(one.name, {}))
        resources[one.name] = dataclasses.replace(
            one,
            arguments=adding(reported(table.get(one.name, {})), **one.arguments),
            created=[*one.created, forget],
            updated=[*one.updated, forget, _keeping(unsent.get(one.name, []))],
        )
    return dataclasses.replace(model, resources=resources, version=version)


def _forgetting(counts: Mapping[str, int]) -> Step:
    """Drop the arguments that the provider does not send or does not read back."""

    def forget(request: Request) -> None:
        for path, count in counts.items():
            for _, blocks in at(request.record.state, path):
                if isinstance(blocks, list):
                    del blocks[count:]

    return forget


def _keeping(names: list[str]) -> Step:
    """Values that the provider does not send stay unchanged in the cloud."""

    def keep(request: Request) -> None:
        for name in names:
            request.record.state[name] = (request.prior or {}).get(name)

    return keep


PROVIDERS: dict[str, Provider] = {name: served(name) for name in MODELS}


def installed(versions: Mapping[str, str] = MappingProxyType({})) -> list[Provider]:
    """Those whose wheel is here, as without it there is no schema; `versions` as for `served`, by name."""
    return [served(name, versions.get(name, "")) for name in MODELS if schema.Wheel(name).is_installed()]


@cache
def _schema(name: str, version: str) -> schema.ProviderSchema:
    return schema.at_version(schema.load(name, MODELS[name].wanted), version, facts.table(name, version))


def schema_of(provider: Provider) -> schema.ProviderSchema:
    """The schema of all types that the provider's simulation describes, in the version that it follows."""
    return _schema(provider.name, provider.version)
