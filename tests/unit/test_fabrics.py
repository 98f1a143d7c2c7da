"""Facts about networks between GPUs, against versions that Google released together."""

from clusterprint import catalog
from clusterprint.nodes.gke import script


def test_what_is_pinned_was_released_together() -> None:
    for name, fabric in catalog.fabrics().items():
        if fabric.daemon:
            plugin, daemon = (catalog.component(f"nccl-{name}{end}").version for end in ("", "-daemon"))
            assert daemon in fabric.pairs[plugin], name


def test_tcpx_is_that_of_its_last_release() -> None:
    """Release notes of June 22, 2026; what is gone from them is ignored, or holds the network back."""
    environment = catalog.fabrics()["tcpx"].environment
    assert catalog.component("nccl-tcpx").version == "v3.1.9"
    assert environment["NCCL_ALGO"] == "Ring,Tree"
    assert environment["NCCL_BUFFSIZE"] == "4194304"
    assert environment["NCCL_GPUDIRECTTCPX_PROGRAM_FLOW_STEERING_WAIT_MICROS"] == "500000"
    cores = {}
    for way in ("TX", "RX"):
        for card in environment[f"NCCL_GPUDIRECTTCPX_{way}_BINDINGS"].split(";"):
            name, _, ranges = card.partition(":")
            cores[way, name] = [tuple(map(int, each.split("-"))) for each in ranges.split(",")]
    assert {name for _, name in cores} == set(environment["NCCL_GPUDIRECTTCPX_SOCKET_IFNAME"].split(","))
    assert {last - first for ranges in cores.values() for first, last in ranges} == {13}
    for gone in ("FORCE_ACK", "NANOSLEEP", "NCHANNELS"):
        assert not [key for key in environment if gone in key]


def test_installers_do_what_those_of_today_do() -> None:
    assert catalog.component("nccl-roce").version == "v1.1.1"
    assert catalog.component("asapd-lite").version == "v0.0.8"
    assert "--install-nccl" not in script("nccl/install-roce")
    assert "log_martians" in script("nccl/prepare-roce")
    roce = catalog.fabrics()["roce"].install
    assert roce is not None
    assert roce.prepare == "nccl/prepare-roce"
    for retired in ("--num_nics", "--uid", "--alsologtostderr"):
        assert retired not in script("nccl/receive-tcpxo")
