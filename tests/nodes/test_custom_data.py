"""Custom data of machines: what cloud-init makes of it."""

import msgspec
import pytest
from nodes.cloud_init import texts
from nodes.settings import SET, SETTINGS

from clusterprint.nodes.vmss import LIMIT, CustomDataTooLongError, custom_data, encoded_size
from clusterprint.plan.vmss_nodes import SharePlan


def test_the_facts_of_the_cluster_are_on_every_machine() -> None:
    for role in ("node", "head"):
        settings = texts(custom_data(role, SETTINGS))["/etc/clusterprint/settings"]
        assert f"role={role}\n" in settings
        assert f"scale_set_id={SET}\n" in settings


def test_a_startup_script_arrives_as_it_was_given() -> None:
    script = "#!/bin/sh\n\techo '${x} %{y} `z`' \u2028 \x07 \U0001f600\nno newline at the end"
    written = texts(custom_data("node", msgspec.structs.replace(SETTINGS, startup_script=script)))
    assert written["/usr/local/lib/clusterprint/startup-script"] == script


def test_shares_are_named_without_secrets() -> None:
    share = SharePlan(
        kind="files_smb", account="data", account_id="/a", share="sets", mount="/mnt/x y", read_only=True
    )
    written = texts(custom_data("node", msgspec.structs.replace(SETTINGS, shares=(share,))))
    assert written["/etc/clusterprint/shares"] == "files_smb\tdata\t/a\tsets\t/mnt/x y\tro\n"


def test_long_scripts_are_compressed_and_the_same_every_time() -> None:
    settings = msgspec.structs.replace(SETTINGS, startup_script="#!/bin/sh\n" + "echo hello\n" * 8000)
    data = custom_data("node", settings)
    assert len(data) <= LIMIT
    assert data == custom_data("node", settings)
    assert texts(data)["/usr/local/lib/clusterprint/startup-script"] == settings.startup_script


def test_what_is_too_long_even_so_is_refused() -> None:
    noise = "".join(
        chr(33 + hash_ % 90) for hash_ in (index * index * 7919 % 10007 for index in range(200000))
    )
    settings = msgspec.structs.replace(SETTINGS, startup_script=noise)
    size = encoded_size("node", settings)
    assert size > LIMIT
    with pytest.raises(CustomDataTooLongError, match=str(size)):
        custom_data("node", settings)
