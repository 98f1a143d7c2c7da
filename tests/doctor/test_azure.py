"""`clusterprint doctor` on Azure, against a stand-in for its APIs."""

from pathlib import Path

import pytest
from clouds import Clouds, fake
from doctor.conftest import SUBSCRIPTION, Of, lacking, on_azure

from clusterprint.doctor import examine


@pytest.mark.usefixtures("azure")
def test_nothing_lacks_on_azure(wanted: Of, tmp_path: Path) -> None:
    (tmp_path / "bin" / "gcloud").unlink()  # a scale set needs none
    found = list(examine([wanted("vmss-h200")]))
    assert lacking(iter(found)) == []
    assert "logged in to Azure as me@example.com" in {each.message for each in found}


def test_what_lacks_on_azure(azure: Clouds, wanted: Of) -> None:
    on_azure(azure, 100, restrictions=[{"type": "Location", "reasonCode": "NotAvailableForSubscription"}])
    azure.on("GET", f"{SUBSCRIPTION}/providers/[A-Za-z.]+", {"registrationState": "NotRegistered"})
    readers = {"value": [{"actions": ["*/read"], "notActions": []}]}
    azure.on("GET", f"{SUBSCRIPTION}.*/providers/Microsoft.Authorization/permissions", readers)
    found = lacking(examine([wanted("vmss-h200")]))
    said = {check: f"{message} | {fix}" for check, message, fix in found}
    assert set(said) == {"providers", "quota", "machine_type", "permissions"}
    assert "az provider register --namespace Microsoft.Compute" in said["providers"]
    assert "NotAvailableForSubscription" in said["machine_type"]
    assert "actions are not permitted" in said["permissions"]
    assert "az role assignment create --assignee me@example.com" in said["permissions"]
    assert any("standardNDISRH200V5Family in southcentralus: 192 vCPUs" in message for _, message, _ in found)


@pytest.mark.usefixtures("clouds")
def test_who_is_not_logged_in_to_azure(wanted: Of, tmp_path: Path) -> None:
    fake(tmp_path / "bin", "az", "nothing")
    found = [each for each in examine([wanted("vmss-h200")]) if each.status == "lacks"]
    assert [(each.check, each.fix) for each in found] == [("az_login", "az login")]
