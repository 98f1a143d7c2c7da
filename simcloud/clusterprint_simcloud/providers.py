"""The providers that are simulated."""

from functools import cache

from clusterprint_simcloud import azure, google, helm, kubernetes, schema
from clusterprint_simcloud.cloud.behaviour import Provider

PROVIDERS: dict[str, Provider] = {
    one.name: one for one in (google.PROVIDER, azure.PROVIDER, kubernetes.PROVIDER, helm.PROVIDER)
}


def installed() -> list[Provider]:
    """Those whose wheel is here; without it there is no schema."""
    return [provider for provider in PROVIDERS.values() if schema.Wheel(provider.name).is_installed()]


@cache
def _schema(name: str) -> schema.ProviderSchema:
    return schema.load(name, PROVIDERS[name].wanted)


def schema_of(provider: Provider) -> schema.ProviderSchema:
    """The schema of all types that the provider's simulation describes."""
    return _schema(provider.name)
