"""`clusterprint doctor` on policies of organizations: answers in the form of the clouds' APIs."""

import re
from typing import Any

import pytest
from clouds import Clouds
from doctor.conftest import ASSIGNMENTS, POLICY, SUBSCRIPTION, Of, lacking
from support import BLUEPRINTS, Run

from clusterprint.doctor import examine
from clusterprint.doctor.policies import refuses, rows
from clusterprint.review.delta import Resource

DENY = {"denyAll": True}
ENFORCE = {"enforce": True}


def allow(*values: str) -> dict[str, Any]:
    return {"values": {"allowedValues": list(values)}}


def deny(*values: str) -> dict[str, Any]:
    return {"values": {"deniedValues": list(values)}}


def policy(clouds: Clouds, name: str, *rules: dict[str, Any]) -> None:
    """A project with one policy, as `gcloud org-policies describe --effective --format=json` prints it."""

    def effective(match: re.Match[str], *_: Any) -> tuple[int, Any]:
        spec = {"rules": list(rules) if match[2] == name else [{"allowAll": True}]}
        return 200, {"name": f"projects/1/policies/{match[2]}", "spec": spec}

    clouds.on("GET", POLICY, effective)


@pytest.mark.parametrize(
    ("case", "says"),
    [
        (
            ("compute.vmExternalIpAccess", DENY, "existing-network"),
            "existing-network.yaml:13): remove public_ip",
        ),
        (
            ("compute.vmExternalIpAccess", allow("projects/p/zones/z/instances/i"), "existing-network"),
            "public",
        ),
        (("compute.managed.vmExternalIpAccess", ENFORCE, "existing-network"), "public addresses of machines"),
        (("compute.vmExternalIpAccess", DENY, "gke-existing-network"), "yaml:16): remove public_ip"),
        (("container.managed.enablePrivateNodes", ENFORCE, "gke-existing-network"), "private_nodes: false"),
        (("compute.requireShieldedVm", ENFORCE, "vm-a3-mega-cos"), "yaml:13): set secure_boot: true"),
        (("compute.requireOsLogin", ENFORCE, "existing-network"), "yaml:15): remove os_login: false"),
        (
            ("compute.disableGuestAttributesAccess", ENFORCE, "vm-a3-mega-cos"),
            "yaml:5): ask for an exception",
        ),
        (
            ("compute.trustedImageProjects", allow("projects/ours"), "vm-a3-mega-cos"),
            "images of projects/cos-cloud",
        ),
        (
            ("compute.trustedImageProjects", deny("is:projects/cos-cloud"), "vm-a3-mega-cos"),
            "of projects/cos-cloud",
        ),
        (
            ("compute.restrictVpcPeering", allow("under:organizations/1"), "gke-lustre-training"),
            "under:organiz",
        ),
        (("compute.restrictCloudNATUsage", DENY, "gke-a3-mega-teams"), "network.nat: false"),
        (
            (
                "compute.restrictSharedVpcSubnetworks",
                allow("projects/x/regions/r/subnetworks/s"),
                "existing-network",
            ),
            "17",
        ),
        (("compute.requireVpcFlowLogs", allow("LIGHT"), "gke-a3-mega-teams"), "subnets without flow logs"),
        (
            ("compute.restrictLoadBalancerCreationForTypes", deny("in:INTERNAL"), "ray-h200"),
            "INTERNAL_HTTP_HTTPS",
        ),
        (
            ("compute.restrictNonConfidentialComputing", deny("compute.googleapis.com"), "vm-a3-mega-cos"),
            "confid",
        ),
        (("iam.disableServiceAccountCreation", ENFORCE, "gke-a3-mega-teams"), "in `service_account`"),
        (
            ("gcp.resourceLocations", allow("in:eu-locations", "in:europe-locations"), "gke-a3-mega-teams"),
            "may ref",
        ),
        (
            ("gcp.resourceLocations", allow("in:europe-locations"), "gke-a3-mega-teams"),
            "us-east4, us-east4-b (blue",
        ),
        (("gcp.resourceLocations", allow("us-east4"), "gke-a3-mega-teams"), "resources in us-east4-b"),
        (
            ("gcp.restrictNonCmekServices", deny("is:compute.googleapis.com"), "gke-a3-mega-teams"),
            "in compute.g",
        ),
        (
            ("gcp.restrictCmekCryptoKeyProjects", allow("under:projects/keys"), "gke-disk-classes"),
            "projects/security",
        ),
        (
            ("gcp.restrictServiceUsage", deny("container.googleapis.com"), "gke-a3-mega-teams"),
            "services container",
        ),
        (
            ("storage.retentionPolicySeconds", allow("86400"), "gke-lustre-training"),
            "without a retention policy",
        ),
        (
            ("iam.allowedPolicyMemberDomains", allow("C0abc"), "vm-baked-image"),
            "may refuse access for group:res",
        ),
        (("container.managed.enableShieldedNodes", ENFORCE, "gke-a4x-max"), "bare-metal"),
        (
            ("container.managed.enableSecretsEncryption", ENFORCE, "gke-a3-mega-teams"),
            "cluster.secrets_kms_key",
        ),
        (
            ("container.managed.enableBinaryAuthorization", ENFORCE, "gke-a3-mega-teams"),
            "binary_authorization",
        ),
        (("container.managed.enableGoogleGroupsRBAC", ENFORCE, "gke-a3-mega-teams"), "Google Groups"),
        (("container.managed.enableControlPlaneDNSOnlyAccess", ENFORCE, "gke-a3-mega-teams"), "IP endpoints"),
    ],
)
def test_a_policy_names_the_line_that_it_refuses(
    case: tuple[str, dict[str, Any], str], says: str, clouds: Clouds, wanted: Of
) -> None:
    name, rule, blueprint = case
    policy(clouds, name, rule)
    (found,) = (each for each in examine([wanted(blueprint)]) if each.check == "policies")
    assert found.status == ("unasked" if " may refuse " in found.message else "lacks")
    assert found.message.startswith(f"{name} ")
    assert re.search(r"\((?:blueprints|goldens)/[a-z0-9-]+\.yaml:\d+", found.message)
    assert says in found.message
    assert found.fix.startswith(f"gcloud org-policies describe {name} --project=")


@pytest.mark.parametrize(
    ("name", "rule", "blueprint"),
    [
        ("compute.vmExternalIpAccess", DENY, "vm-a3-mega-cos"),
        ("compute.vmExternalIpAccess", {"allowAll": True}, "existing-network"),
        ("compute.requireShieldedVm", {"enforce": False}, "vm-a3-mega-cos"),
        ("compute.trustedImageProjects", allow("projects/cos-cloud"), "vm-a3-mega-cos"),
        ("compute.restrictVpcPeering", allow("under:organizations/433637338589"), "gke-lustre-training"),
        ("compute.restrictSharedVpcSubnetworks", DENY, "existing-account"),
        ("gcp.resourceLocations", allow("in:us-locations"), "gke-a3-mega-teams"),
        ("gcp.resourceLocations", allow("in:us-east4-locations"), "gke-a3-mega-teams"),
        ("gcp.resourceLocations", deny("in:europe-locations"), "gke-a3-mega-teams"),
        ("gcp.restrictNonCmekServices", deny("bigquery.googleapis.com"), "gke-a3-mega-teams"),
        ("gcp.restrictCmekCryptoKeyProjects", allow("under:projects/security"), "gke-disk-classes"),
        ("storage.uniformBucketLevelAccess", ENFORCE, "gke-lustre-training"),
        ("storage.publicAccessPrevention", ENFORCE, "gke-lustre-training"),
    ],
)
def test_a_policy_that_the_stacks_keep_is_not_named(
    name: str, rule: dict[str, Any], blueprint: str, clouds: Clouds, wanted: Of
) -> None:
    policy(clouds, name, rule)
    (found,) = (each for each in examine([wanted(blueprint)]) if each.check == "policies")
    assert found.status == "ok", found


def test_metadata_of_users_is_judged_too() -> None:
    values = {"metadata": {"serial-port-enable": "TRUE", "serial-port-logging-enable": 1}}
    template = Resource("s", "google_compute_instance_template", "t", "t", values)
    hit = {row.policies[0] for row in rows("google") if row.values([template])}
    assert {"compute.disableSerialPortAccess", "compute.disableSerialPortLogging"} <= hit


def test_groups_whose_members_only_google_knows_are_not_guessed() -> None:
    assert refuses([allow("in:low-carbon-locations")], "us-east4") is None
    assert refuses([allow("in:us-locations")], "US") is False
    assert refuses([allow("under:folders/7")], "projects/security") is None
    assert refuses([], "us-east4") is False


def test_policies_that_may_not_be_read_are_one_line_and_no_failure(clouds: Clouds, clusterprint: Run) -> None:
    message = "Organization Policy API has not been used in project 1 before or it is disabled"
    clouds.on("GET", POLICY, (403, {"error": {"message": message}}))
    done = clusterprint("doctor", BLUEPRINTS / "vm-a3-mega-reservation.yaml")
    assert (done.returncode, done.stdout.count("policies: ")) == (0, 1), done.stdout
    assert f"unasked policies: policies of the organization cannot be read: {message} (403)" in done.stdout
    assert "gcloud services enable orgpolicy.googleapis.com --project=my-gpu-project" in done.stdout


def test_who_may_not_read_policies_learns_the_role(clouds: Clouds, wanted: Of) -> None:
    clouds.on("GET", POLICY, (403, {"error": {"message": "no orgpolicy.policy.get"}}))
    ((status, message),) = _policies(wanted("vm-a3-mega-cos"))
    assert status == "unasked"
    assert message.endswith("no orgpolicy.policy.get (403); roles/orgpolicy.policyViewer lets it")


def test_several_blueprints_ask_once_and_the_refusal_is_one_line(clouds: Clouds, wanted: Of) -> None:
    both = [wanted("vm-a3-mega-cos"), wanted("existing-network")]
    policy(clouds, "gcp.resourceLocations", allow("nowhere"))
    found = [each.message for each in examine(both) if each.check == "policies"]
    assert len(found) == 2
    assert all(each.startswith("gcp.resourceLocations refuses resources in ") for each in found)
    asked = [path for _, path in clouds.asked if path.endswith("gcp.resourceLocations:getEffectivePolicy")]
    assert len(asked) == 1
    clouds.on("GET", POLICY, (403, {"error": {"message": "no"}}))
    assert len([each for each in examine(both) if each.check == "policies"]) == 1


def test_custom_constraints_are_named_only(clouds: Clouds, wanted: Of) -> None:
    ids = [
        {"resourceId": {"type": "project", "id": "p"}},
        {"resourceId": {"type": "organization", "id": "1"}},
    ]
    clouds.on("POST", "/cloudresourcemanager/v1/projects/[^/]+:getAncestry", {"ancestor": ids})
    listed = [{"name": f"organizations/1/policies/{each}"} for each in ("custom.sizes", "iam.x")]
    clouds.on("GET", "/orgpolicy/v2/projects/p/policies", {})
    clouds.on("GET", "/orgpolicy/v2/organizations/1/policies", {"policies": listed})
    said = dict(_policies(wanted("vm-a3-mega-cos")))
    assert said["unasked"] == "custom constraints are not judged: custom.sizes"
    assert "custom.sizes" not in said["ok"]


def _policies(wanted: Any) -> list[tuple[str, str]]:
    return [(each.status, each.message) for each in examine([wanted]) if each.check == "policies"]


# ---- Azure


def assign(clouds: Clouds, definition: str, title: str = "corporate", **more: Any) -> None:
    """One assignment, as `az policy assignment list` prints its properties."""
    parameters = {name: {"value": value} for name, value in more.pop("parameters", {}).items()}
    properties = {"policyDefinitionId": definition, "displayName": title, "parameters": parameters, **more}
    answer = {"value": [{"name": "a", "properties": properties}]}
    clouds.on("GET", f"{SUBSCRIPTION}/resourceGroups/[^/]+/{ASSIGNMENTS}", answer)


BUILT_IN = "/providers/Microsoft.Authorization/policyDefinitions/"
ALZ = f"/providers/Microsoft.Management/managementGroups/alz{BUILT_IN}"


@pytest.mark.parametrize(
    ("case", "says"),
    [
        ((f"{ALZ}Deny-Subnet-Without-Nsg", {}, "vmss-h200"), "network.existing"),
        (
            (f"{BUILT_IN}83a86a26-fd1f-447c-b59d-e51f44264114", {}, "vmss-h200"),
            "h200.yaml:11): set head_node.public_ip",
        ),
        (
            (
                f"{BUILT_IN}6c112d4e-5bc7-47ae-a041-ea2d9dccd749",
                {"listOfResourceTypesNotAllowed": ["Microsoft.Network/publicIPAddresses"]},
                "vmss-h200",
            ),
            "resources of Microsoft.Network/publicIPAddresses",
        ),
        (
            (
                f"{BUILT_IN}e56962a6-4747-49cd-b67b-bf8b01975c4c",
                {"listOfAllowedLocations": ["West Europe"]},
                "vmss-h200",
            ),
            "resources in southcentralus (blueprints/vmss-h200.yaml:7)",
        ),
        (
            (
                f"{BUILT_IN}cccc23c7-8427-4f53-ad12-b6a63eb452b3",
                {"listOfAllowedSKUs": ["standard_nc96ads_a100_v4"]},
                "vmss-a100-flexible",
            ),
            "machines of Standard_D4s_v5 (",
        ),
        (
            (f"{BUILT_IN}871b6d14-10aa-478d-b590-94f262ecfa99", {"tagName": "Owner"}, "vmss-h200"),
            "the tag Owner (",
        ),
        (
            (f"{BUILT_IN}96670d01-0a4d-4649-9c89-2d3abc0a5025", {"tagName": "Owner"}, "vmss-h200"),
            "resource groups",
        ),
        ((f"{BUILT_IN}404c3081-a854-4457-ae30-26a93ef643f9", {"effect": "Deny"}, "vmss-mi300x"), "NFS"),
        (
            (f"{BUILT_IN}8c6a50c6-9ffd-4ae7-986f-5fa6111f9a54", {"effect": "Deny"}, "vmss-marketplace-plan"),
            "shared keys",
        ),
        (
            (f"{BUILT_IN}fc4d8e41-e223-45ea-9bf5-eada37891d87", {"effect": "Deny"}, "vmss-h200"),
            "encryption_at_host",
        ),
    ],
)
def test_an_azure_policy_names_the_line_that_it_refuses(
    case: tuple[str, dict[str, Any], str], says: str, azure: Clouds, wanted: Of
) -> None:
    definition, parameters, blueprint = case
    assign(azure, definition, parameters=parameters)
    ((status, message),) = _policies(wanted(blueprint))
    assert status == "lacks"
    assert message.startswith('"corporate" refuses ')
    assert says in message


@pytest.mark.parametrize(
    ("definition", "more"),
    [
        (
            f"{BUILT_IN}e56962a6-4747-49cd-b67b-bf8b01975c4c",
            {"parameters": {"listOfAllowedLocations": ["South Central US"]}},
        ),
        (f"{BUILT_IN}404c3081-a854-4457-ae30-26a93ef643f9", {"parameters": {"effect": "Audit"}}),
        (f"{BUILT_IN}fc4d8e41-e223-45ea-9bf5-eada37891d87", {}),
        (f"{BUILT_IN}83a86a26-fd1f-447c-b59d-e51f44264114", {"enforcementMode": "DoNotEnforce"}),
        (
            f"{BUILT_IN}83a86a26-fd1f-447c-b59d-e51f44264114",
            {"notScopes": ["/subscriptions/00000000-0000-0000-0000-000000000000"]},
        ),
        (f"{BUILT_IN}00000000-0000-0000-0000-000000000000", {}),
    ],
)
def test_an_azure_policy_that_refuses_nothing_is_not_named(
    definition: str,
    more: dict[str, Any],
    azure: Clouds,
    wanted: Of,
) -> None:
    assign(azure, definition, **more)
    assert lacking(examine([wanted("vmss-h200")])) == []


def test_policies_of_an_initiative_take_its_parameters(azure: Clouds, wanted: Of) -> None:
    initiative = "/providers/Microsoft.Authorization/policySetDefinitions/landing-zone"
    assign(azure, initiative, "landing zone", parameters={"where": ["westus"]})
    members = [
        (
            "e56962a6-4747-49cd-b67b-bf8b01975c4c",
            {"listOfAllowedLocations": {"value": "[parameters('where')]"}},
        ),
        ("fc4d8e41-e223-45ea-9bf5-eada37891d87", {"effect": {"value": "[parameters('how')]"}}),
    ]
    definitions = [{"policyDefinitionId": BUILT_IN + name, "parameters": given} for name, given in members]
    parameters = {"where": {"type": "Array"}, "how": {"defaultValue": "Deny"}}
    azure.on("GET", initiative, {"properties": {"parameters": parameters, "policyDefinitions": definitions}})
    said = [message for _, message, _ in lacking(examine([wanted("vmss-h200")]))]
    assert len(said) == 2
    assert said[0].startswith('"landing zone" refuses resources in southcentralus')
    assert said[1].startswith('"landing zone" refuses machines without encryption at host')


def test_assignments_come_in_pages_and_may_be_unreadable(azure: Clouds, wanted: Of) -> None:
    address = f"{SUBSCRIPTION}/resourceGroups/[^/]+/{ASSIGNMENTS}"
    properties = {"policyDefinitionId": f"{ALZ}Deny-Subnet-Without-Nsg"}

    def pages(_: Any, query: dict[str, list[str]], __: Any) -> tuple[int, Any]:
        if "$skipToken" in query:
            return 200, {"value": [{"name": "nsg", "properties": properties}]}
        return 200, {"value": [], "nextLink": "https://management.azure.com/x?api-version=1&$skiptoken=abc"}

    azure.on("GET", address, pages)
    assert '"nsg" refuses subnets' in lacking(examine([wanted("vmss-h200")]))[0][1]


def test_assignments_that_may_not_be_read_are_one_line(azure: Clouds, wanted: Of) -> None:
    azure.on("GET", f"{SUBSCRIPTION}/resourceGroups/[^/]+/{ASSIGNMENTS}", (403, {"error": {"message": "no"}}))
    ((check, message, _),) = lacking(examine([wanted("vmss-h200")]))
    assert (check, message) == (
        "policies",
        "assigned policies cannot be read: no (403); the role Reader lets it",
    )


def test_the_group_may_not_exist_yet(azure: Clouds, wanted: Of) -> None:
    azure.on("GET", f"{SUBSCRIPTION}/resourceGroups/[^/]+/{ASSIGNMENTS}", (404, {"error": {"message": "no"}}))
    properties = {"policyDefinitionId": f"{ALZ}Deny-Subnet-Without-Nsg", "displayName": "above"}
    azure.on("GET", f"{SUBSCRIPTION}/{ASSIGNMENTS}", {"value": [{"name": "a", "properties": properties}]})
    assert '"above" refuses subnets' in lacking(examine([wanted("vmss-h200")]))[0][1]
