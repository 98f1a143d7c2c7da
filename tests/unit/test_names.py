import pytest

from clusterprint.derived import azure_names, google_names, name_forms, network_names, state_names

LONGEST = "a" * 20


@pytest.mark.parametrize("name", ["a", "spani", LONGEST, "a-1-b"])
def test_every_name_has_its_form_for_every_allowed_cluster_name(name: str) -> None:
    kinds = (*map(google_names.of_kind, ("vm", "gke", "ray")), *azure_names.AZURE.values())
    assert [each.what for kind in kinds for each in kind if not each.form.accepts(each.make(name))] == []


def test_resources_of_one_sort_never_share_a_name() -> None:
    networks = [
        network_names.network("a"),
        network_names.rdma_network("a"),
        network_names.gpu_network("a", 0),
    ]
    firewalls = [
        network_names.internal_firewall("a"),
        network_names.ssh_firewall("a"),
        network_names.gpu_firewall("a", 0),
    ]
    assert len(set(networks)) == len(networks)
    assert len(set(firewalls)) == len(firewalls)


@pytest.mark.parametrize(
    ("form", "name", "accepted"),
    [
        (name_forms.RESOURCE, "a" * 63, True),
        (name_forms.RESOURCE, "a" * 64, False),
        (name_forms.RESOURCE, "", False),
        (name_forms.RESOURCE, "a-", False),
        (name_forms.RESOURCE, "1a", False),
        (name_forms.RESOURCE, "a\n", False),
        (name_forms.SERVICE_ACCOUNT, "abcde", False),
        (name_forms.SERVICE_ACCOUNT, "abcdef", True),
        (name_forms.SERVICE_ACCOUNT, "a" * 31, False),
        (name_forms.TEMPLATE_PREFIX, "spani-", True),
        (azure_names.RESOURCE_GROUP, "research.gpu_(eu)", True),
        (azure_names.RESOURCE_GROUP, "research.", False),
        (azure_names.RESOURCE_GROUP, "a" * 90, True),
        (azure_names.RESOURCE_GROUP, "a" * 91, False),
        (azure_names.TAG_VALUE, "a" * 256, True),
        (azure_names.TAG_VALUE, "a" * 257, False),
        (azure_names.STORAGE_ACCOUNT, "ab", False),
        (azure_names.STORAGE_ACCOUNT, "a" * 25, False),
        (azure_names.STORAGE_ACCOUNT, "my-account", False),
        (azure_names.VIRTUAL_MACHINE, "a" * 64, True),
        (azure_names.VIRTUAL_MACHINE, "a" * 65, False),
        (azure_names.VIRTUAL_MACHINE, "a-", False),
        (azure_names.HOST_PREFIX, "vmss-", True),
        (azure_names.HOST_PREFIX, "a" * 59, False),
        (name_forms.OBJECT, "é" * 512, True),
        (name_forms.OBJECT, "é" * 513, False),
        (name_forms.OBJECT, "a\nb", False),
    ],
)
def test_forms(form: name_forms.Form, name: str, *, accepted: bool) -> None:
    assert form.accepts(name) is accepted


def test_the_state_of_a_stack_lies_below_the_prefix() -> None:
    assert state_names.default_state_prefix("spani") == "clusterprint/spani"
    assert state_names.state_folder("team/x", *state_names.stacks("vm", "spani")) == "team/x/spani"
    assert state_names.state_object("team/x", "spani") == "team/x/spani/default.tfstate"
    address = state_names.state_address("b", "team/x/spani")
    assert address == "gs://b/team/x/spani/default.tfstate"
    assert state_names.folder_of_state(address) == "gs://b/team/x/spani"
    assert state_names.folder_of_state("team/x/spani/default.tflock") == ""
    assert state_names.file_object("team/x", "usr/cp/a.sh") == "team/x/files/usr/cp/a.sh"


def test_storage_accounts_differ_by_cluster_share_and_subscription() -> None:
    made = {
        azure_names.storage_account(name, share, subscription)
        for name in ("a", "b")
        for share in ("data", "home")
        for subscription in ("1", "2")
    }
    assert len(made) == 8
    assert all(azure_names.STORAGE_ACCOUNT.accepts(each) for each in made)
