"""All that is looked at, in the order in which one thing needs another."""

from collections.abc import Callable, Iterator, Sequence
from functools import partial

from clusterprint.cloud.azure import Azure
from clusterprint.cloud.google import Google
from clusterprint.doctor import azure as on_azure
from clusterprint.doctor import azure_policies
from clusterprint.doctor.finding import Finding, Findings, asked, place_of
from clusterprint.doctor.google import account, locations, offers, permissions, policies, quotas, state
from clusterprint.doctor.tools import tools
from clusterprint.doctor.wanted import Wanted
from clusterprint.review.quota import together
from clusterprint.rights import Need
from clusterprint.rights import together as rights_together

_OFFLINE = "not asked: --offline"


def examine(wanted: Sequence[Wanted], *, offline: bool = False) -> Findings:
    """The prerequisites of this machine and of the clusters' accounts, missing and present."""
    yield from tools({each.kind for each in wanted})
    if not wanted:
        return
    for place, check, ask in (*_google(wanted), *_azure(wanted)):
        if offline:
            yield Finding(place, check, "unasked", _OFFLINE)
        else:
            yield from asked(place, check, ask)


_Question = tuple[str, str, Callable[[], Findings]]


def _google(wanted: Sequence[Wanted]) -> Iterator[_Question]:
    google = Google()
    # the state of clusters on Azure is Google's, too
    yield "this machine", "credentials", partial(account.login, google)
    mine = [each for each in wanted if not each.is_azure]
    for name in dict.fromkeys(each.owner for each in mine):
        here = [each for each in mine if each.owner == name]
        place = f"project {name}"
        machines = [machine for each in here for machine in each.machines]
        needs = together(need for each in here for need in each.quota if need.metric.owner in {"", name})
        services = {service for each in here for service in each.services}
        yield place, "project", partial(account.project, google, name)
        yield place, "billing", partial(account.billing, google, name)
        yield place, "apis", partial(account.services, google, name, services)
        yield place, "quota", partial(quotas.quotas, google, name, needs)
        yield place, "machine_type", partial(offers.machine_types, google, name, machines)
        yield place, "reservation", partial(offers.reservations, google, name, machines)
        yield place, "policies", partial(policies.policies, google, name, here)
        made = [found for each in here for found in each.file_systems]
        for service in dict.fromkeys(found.service for found in made):
            places = {found.location for found in made if found.service == service}
            yield place, "file_system", partial(locations.file_systems, google, name, service, places)
    for need in _rights(wanted, "google"):
        yield place_of(need.scope), "permissions", partial(permissions.permissions, google, need)
    for bucket, file in {each.bucket: each.file for each in reversed(wanted)}.items():
        yield f"bucket {bucket}", "state", partial(state.state, google, bucket, file)


def _azure(wanted: Sequence[Wanted]) -> Iterator[_Question]:
    mine = [each for each in wanted if each.is_azure]
    if not mine:
        return
    azure = Azure()
    yield "this machine", "az_login", partial(on_azure.login, azure)
    for name in dict.fromkeys(each.owner for each in mine):
        here = [each for each in mine if each.owner == name]
        place = f"subscription {name}"
        whole = here[0]._replace(
            machines=tuple(machine for each in here for machine in each.machines),
            quota=tuple(together(need for each in here for need in each.quota)),
            services=tuple(sorted({service for each in here for service in each.services})),
        )
        yield place, "subscription", partial(on_azure.subscription, azure, name)
        yield place, "providers", partial(on_azure.providers, azure, whole)
        yield place, "quota", partial(on_azure.quotas, azure, whole)
        yield place, "machine_type", partial(on_azure.sizes, azure, whole)
        for group in dict.fromkeys(each.group for each in here):
            inside = [each for each in here if each.group == group]
            yield place, "policies", partial(azure_policies.policies, azure, group, inside)
    for need in _rights(wanted, "azure"):
        yield place_of(need.scope), "permissions", partial(on_azure.permissions, azure, need)


def _rights(wanted: Sequence[Wanted], cloud: str) -> list[Need]:
    found = rights_together(need for each in wanted for need in each.rights)
    return [each for each in found if each.scope.cloud == cloud]
