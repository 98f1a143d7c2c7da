"""Names of the networks of a cluster on Google Cloud, and of their parts."""


def network(name: str) -> str:
    """The primary VPC network of a cluster."""
    return f"{name}-net"


def subnet(name: str) -> str:
    """The nodes' subnet in the primary network."""
    return network(name)


def gpu_network(name: str, index: int) -> str:
    """One of the extra VPC networks for GPU traffic, counted from 0."""
    return f"{name}-gpu-{index}"


def gpu_subnet(name: str, index: int) -> str:
    """The only subnet of a GPU network."""
    return gpu_network(name, index)


def pod_range(name: str) -> str:
    """The secondary range of the nodes' subnet that pods have their addresses from."""
    return f"{name}-pods"


def service_range(name: str) -> str:
    """The secondary range of the nodes' subnet that services have their addresses from."""
    return f"{name}-services"


def host_network(name: str) -> str:
    """The second VPC network of machines with RDMA, for the other of their two host interfaces."""
    return f"{name}-host"


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


def rdma_network(name: str) -> str:
    """The VPC network for RDMA between GPUs."""
    return f"{name}-rdma"


def rdma_subnet(name: str, index: int) -> str:
    """One subnet of the RDMA network, counted from 0: one for each RDMA interface of a node."""
    return f"{rdma_network(name)}-{index}"


def internal_firewall(name: str) -> str:
    """The firewall rule that lets nodes of the primary network talk to each other."""
    return f"{name}-internal"


def gpu_firewall(name: str, index: int) -> str:
    """The firewall rule that lets nodes talk to each other in one GPU network."""
    return f"{gpu_network(name, index)}-internal"


def ssh_firewall(name: str) -> str:
    """The firewall rule that admits SSH."""
    return f"{name}-ssh"


def private_services(name: str) -> str:
    """The range of addresses that Google's file systems have in the network."""
    return f"{name}-services-range"


def netapp_services(name: str) -> str:
    """The range of addresses that NetApp's file systems have in the network."""
    return f"{name}-netapp-range"


def lustre_firewall(name: str) -> str:
    """The firewall rule that lets servers of Managed Lustre call their clients."""
    return f"{name}-lustre"


def parallelstore_firewall(name: str) -> str:
    """The firewall rule that lets servers of Parallelstore call their clients."""
    return f"{name}-parallelstore"


def router(name: str) -> str:
    """The Cloud Router that carries the NAT."""
    return f"{name}-nat"


def nat(name: str) -> str:
    """The Cloud NAT."""
    return router(name)


def proxy_subnet(name: str) -> str:
    """The subnet of the proxies of internal load balancers."""
    return f"{name}-proxies"
