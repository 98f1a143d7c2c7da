import pytest

from clusterprint import azure_names, names

LONGEST = "a" * 20


@pytest.mark.parametrize("name", ["a", "spani", LONGEST, "a-1-b"])
@pytest.mark.parametrize(
    "derived",
    [each for kind in (*names.GOOGLE.values(), *azure_names.AZURE.values()) for each in kind],
    ids=lambda each: each.what,
)
def test_every_name_has_its_form_for_every_allowed_cluster_name(derived: names.Derived, name: str) -> None:
    assert derived.form.accepts(derived.make(name))


def test_resources_of_one_sort_never_share_a_name() -> None:
    networks = [names.network("a"), names.rdma_network("a"), names.gpu_network("a", 0)]
    firewalls = [names.internal_firewall("a"), names.ssh_firewall("a"), names.gpu_firewall("a", 0)]
    assert len(set(networks)) == len(networks)
    assert len(set(firewalls)) == len(firewalls)


@pytest.mark.parametrize(
    ("form", "name", "accepted"),
    [
        (names.RESOURCE, "a" * 63, True),
        (names.RESOURCE, "a" * 64, False),
        (names.RESOURCE, "", False),
        (names.RESOURCE, "a-", False),
        (names.RESOURCE, "1a", False),
        (names.RESOURCE, "a\n", False),
        (names.SERVICE_ACCOUNT, "abcde", False),
        (names.SERVICE_ACCOUNT, "abcdef", True),
        (names.SERVICE_ACCOUNT, "a" * 31, False),
        (names.TEMPLATE_PREFIX, "spani-", True),
        (azure_names.RESOURCE_GROUP, "research.gpu_(eu)", True),
        (azure_names.RESOURCE_GROUP, "research.", False),
        (azure_names.RESOURCE_GROUP, "a" * 91, False),
        (azure_names.STORAGE_ACCOUNT, "ab", False),
        (azure_names.STORAGE_ACCOUNT, "a" * 25, False),
        (azure_names.STORAGE_ACCOUNT, "my-account", False),
        (azure_names.VIRTUAL_MACHINE, "a" * 64, True),
        (azure_names.VIRTUAL_MACHINE, "a" * 65, False),
        (azure_names.VIRTUAL_MACHINE, "a-", False),
        (azure_names.HOST_PREFIX, "vmss-", True),
        (azure_names.HOST_PREFIX, "a" * 59, False),
        (names.OBJECT, "é" * 512, True),
        (names.OBJECT, "é" * 513, False),
        (names.OBJECT, "a\nb", False),
    ],
)
def test_forms(form: names.Form, name: str, *, accepted: bool) -> None:
    assert form.accepts(name) is accepted


def test_the_state_of_a_stack_lies_below_the_prefix() -> None:
    assert names.default_state_prefix("spani") == "clusterprint/spani"
    assert names.state_folder("team/x", *names.stacks("vm", "spani")) == "team/x/spani"
    assert names.state_object("team/x", "spani") == "team/x/spani/default.tfstate"
    assert names.file_object("team/x", "usr/cp/a.sh") == "team/x/files/usr/cp/a.sh"


def test_storage_accounts_differ_by_cluster_share_and_subscription() -> None:
    made = {
        azure_names.storage_account(name, share, subscription)
        for name in ("a", "b")
        for share in ("data", "home")
        for subscription in ("1", "2")
    }
    assert len(made) == 8
    assert all(azure_names.STORAGE_ACCOUNT.accepts(each) for each in made)
