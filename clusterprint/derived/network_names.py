"""Names of the networks of a cluster on Google Cloud, and of their parts."""

from clusterprint.derived.name_forms import Numbered, OfOne

#: The primary VPC network of a cluster.
network: OfOne = "{}-net".format
#: The nodes' subnet in the primary network.
subnet = network
#: One of the extra VPC networks for GPU traffic, counted from 0.
gpu_network: Numbered = "{}-gpu-{}".format
#: The only subnet of a GPU network.
gpu_subnet = gpu_network
#: The secondary range of the nodes' subnet that pods have their addresses from.
pod_range: OfOne = "{}-pods".format
#: The secondary range of the nodes' subnet that services have their addresses from.
service_range: OfOne = "{}-services".format
#: The second VPC network of machines with RDMA, for the other of their two host interfaces.
host_network: OfOne = "{}-host".format


def host_firewall(name: str) -> str:
    """The firewall rule that lets nodes talk to each other in that network."""
    return f"{host_network(name)}-internal"


def zonal_rdma(zone: str, word: str = "rdma") -> str:
    """The name of the RDMA network in one zone; `word` distinguishes kinds."""
    return f"{word}-{zone.rpartition('-')[2]}"


def zonal_rdma_network(name: str, zone: str, word: str = "rdma") -> str:
    """The VPC network for RDMA in one zone of a region."""
    return f"{name}-{zonal_rdma(zone, word)}"


def zonal_rdma_subnet(name: str, zone: str, index: int, word: str = "rdma") -> str:
    """One subnet of such a network, counted from 0: one for each RDMA interface of a node."""
    return f"{zonal_rdma_network(name, zone, word)}-{index}"


#: The VPC network for RDMA between GPUs.
rdma_network: OfOne = "{}-rdma".format


def rdma_subnet(name: str, index: int) -> str:
    """One subnet of the RDMA network, counted from 0: one for each RDMA interface of a node."""
    return f"{rdma_network(name)}-{index}"


#: The firewall rule that lets nodes of the primary network talk to each other.
internal_firewall: OfOne = "{}-internal".format


def gpu_firewall(name: str, index: int) -> str:
    """The firewall rule that lets nodes talk to each other in one GPU network."""
    return f"{gpu_network(name, index)}-internal"


#: The firewall rule that admits SSH.
ssh_firewall: OfOne = "{}-ssh".format
#: The range of addresses that Google's file systems have in the network.
private_services: OfOne = "{}-services-range".format
#: The range of addresses that NetApp's file systems have in the network.
netapp_services: OfOne = "{}-netapp-range".format
#: The firewall rule that lets servers of Managed Lustre call their clients.
lustre_firewall: OfOne = "{}-lustre".format
#: The firewall rule that lets servers of Parallelstore call their clients.
parallelstore_firewall: OfOne = "{}-parallelstore".format
#: The Cloud Router that carries the NAT.
router: OfOne = "{}-nat".format
#: The Cloud NAT.
nat = router
#: The subnet of the proxies of internal load balancers.
proxy_subnet: OfOne = "{}-proxies".format
