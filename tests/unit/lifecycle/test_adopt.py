import json
from pathlib import Path

import pytest

from clusterprint.lifecycle.adopt import adoptable, write_imports
from clusterprint.lifecycle.failures import TerraformFailed

TAKEN = "googleapi: Error 409: The resource '{0}' already exists, alreadyExists"
NETWORK = "projects/p/global/networks/first-net"
SAID = [
    (TAKEN.format(NETWORK), NETWORK),
    (
        "Error 409: Already exists: projects/p/locations/us-east4/clusters/bench.",
        "projects/p/locations/us-east4/clusters/bench",
    ),
    (
        "Error 409: Service account first-nodes already exists within project projects/p., alreadyExists",
        "projects/p/serviceAccounts/first-nodes@p.iam.gserviceaccount.com",
    ),
    ("Error 409: A role named first.nodes in projects/p already exists.", "projects/p/roles/first.nodes"),
    (
        'A resource with the ID "/subscriptions/1/resourceGroups/rg" already exists - to be managed via',
        "/subscriptions/1/resourceGroups/rg",
    ),
    ('namespaces "jobset-system" already exists', "jobset-system"),
]


@pytest.mark.parametrize(("said", "identity"), SAID)
def test_a_refusal_says_by_which_id_a_thing_is_imported(said: str, identity: str) -> None:
    assert adoptable(TerraformFailed("apply", [said], ["a.b"])) == {"a.b": identity}


@pytest.mark.parametrize(
    "failed",
    [
        TerraformFailed("apply", [TAKEN.format(NETWORK), "Quota 'CPUS' exceeded."], ["a.b", "a.c"]),
        TerraformFailed("apply", [TAKEN.format(NETWORK)]),
        TerraformFailed("apply", ["cannot re-use a name that is still in use"], ["a.b"]),
    ],
    ids=["something else failed too", "of which resource is not known", "by which id is not known"],
)
def test_where_that_would_not_help_nothing_is_adopted(failed: TerraformFailed) -> None:
    assert adoptable(failed) == {}


def test_the_next_plan_imports(tmp_path: Path) -> None:
    write_imports(tmp_path, [("google_compute_network.primary", NETWORK)])
    document = json.loads((tmp_path / "adopt.tf.json").read_text())
    assert document == {"import": [{"to": "google_compute_network.primary", "id": NETWORK}]}
